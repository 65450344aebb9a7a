"""The planners by name: what each stands for, and what contradicts it."""

from pathlib import Path

import pytest

from dadu.core.config import parse
from dadu.core.errors import ConfigError
from dadu.core.paths import kept
from dadu.planner.model.examples import ExampleStore, open_examples
from dadu.planner.policies.make import make_planner
from dadu.planner.settings import ExampleSettings, ModelSettings, PlannerSettings
from dadu.skills.call import SkillCall


@pytest.mark.parametrize("name, model, protocol, limit, path", [
    ("symbolic", "", "two_phase", 1, ""), ("vllm", "", "two_phase", 1, ""), ("react", "", "react", 0, ""),
    ("rag", "", "react", 1, "own"), ("finetuned", "mine", "react", 0, "")])
def test_each_name_is_a_preset_that_the_saved_settings_spell_out(name, model, protocol, limit, path):
    settings = PlannerSettings(policy=name, llm=ModelSettings(model=model))
    examples = settings.llm.examples
    assert (settings.llm.protocol, examples.limit, examples.path) == (protocol, limit, path)
    assert make_planner(settings).policy.name == name == settings.chooser
    assert parse(PlannerSettings, settings.model_dump(mode="json"), "saved") == settings


@pytest.mark.parametrize("settings, says", [
    ({"policy": "react", "llm": {"protocol": "goal"}},
     "planner react is protocol react, and goal was asked for: .* vllm, which takes any protocol"),
    ({"policy": "rag", "llm": {"protocol": "two_phase"}}, "planner rag is protocol react"),
    ({"policy": "react", "llm": {"examples": {"path": "x.jsonl", "keep": "none"}}},
     "planner react is shown no examples, .*valid with examples: rag, vllm"),
    ({"policy": "finetuned", "llm": {"model": "m", "examples": {"limit": 2}}},
     "planner finetuned is shown no examples"),
    ({"policy": "rag", "llm": {"examples": {"path": "none"}}},
     "planner rag shows examples, .*valid without examples: react, finetuned, vllm"),
    ({"policy": "rag", "llm": {"examples": {"limit": 0}}}, "planner rag shows examples"),
    ({"policy": "finetuned"}, "planner finetuned needs the name .*valid without: react, rag, vllm")])
def test_what_contradicts_a_name_is_refused_by_the_names_that_are_valid(settings, says):
    with pytest.raises(ConfigError, match=f"^{says}"):
        parse(PlannerSettings, settings, "here")


def test_what_agrees_with_a_name_is_taken():
    trained = PlannerSettings(policy="finetuned", llm=ModelSettings(model="tiny", protocol="goal"))
    assert trained.chooser == "goal", "the protocol that it was trained in"
    three = ExampleSettings(path="x", limit=3)
    other = PlannerSettings(policy="rag", llm=ModelSettings(protocol="react", examples=three))
    assert (other.llm.examples.path, other.llm.examples.limit) == ("x", 3)
    unknown = parse(PlannerSettings, {"policy": "vllm", "llm": {"protocol": "goal"}}, "here")
    assert unknown.chooser == "goal" and unknown.asks_model


def test_nobody_but_a_judge_has_an_expert():
    with pytest.raises(ConfigError, match="for dadu eval alone; valid here: symbolic, finetuned, rag, react, small,"):
        make_planner(PlannerSettings(policy="expert"))


def test_the_user_s_own_store_is_among_their_data(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert kept("x") == tmp_path / "dadu" / "x"
    rag, react = (PlannerSettings(policy=name, llm=ModelSettings(examples=ExampleSettings(path="own"))).llm.examples
                  for name in ("rag", "react"))
    assert rag.shown == rag.added_to == react.added_to == tmp_path / "dadu" / "examples.jsonl"
    assert react.shown is None, "which collects and shows nothing: so PARTNR made its store"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert kept("x") == Path.home() / ".local" / "share" / "dadu" / "x"


def test_what_is_shown_and_what_is_added_to_may_be_two_files(tmp_path):
    calls = [SkillCall("open", ("fridge_0",))]
    shown, kept_in = tmp_path / "shown.jsonl", tmp_path / "more.jsonl"
    ExampleStore(shown).add("open the fridge", calls)
    before = shown.read_text()
    store = open_examples(ExampleSettings(path=str(shown), keep=str(kept_in)))
    store.add("open the oven", calls)
    store.add("open the fridge", calls)
    assert shown.read_text() == before and len(store) == 1 and len(ExampleStore(kept_in)) == 2
    frozen = open_examples(ExampleSettings(path=str(shown), keep="none"))
    frozen.add("open the oven", calls)
    assert shown.read_text() == before and len(frozen) == 1
    assert open_examples(ExampleSettings(path="none")) is open_examples(ExampleSettings()) is None


def test_the_small_model_is_asked_in_the_words_that_it_was_trained_with():
    """A flag that was not given is an empty text."""
    for given in ({}, {"prompt": ""}):
        assert PlannerSettings(policy="small", llm=given).model_settings.prompt.endswith("goal/brief.yaml")
    assert PlannerSettings(policy="small", llm={"prompt": "mine.yaml"}).model_settings.prompt == "mine.yaml"
