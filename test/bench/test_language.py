"""What becomes of an instruction, counted and compared; sentences of our own in the corpora's format."""

from contextlib import closing

import pytest
from stand_in_alfred import picked, write_trial
from stand_in_server import StandInServer

from bench.corpora.__main__ import judgeable, read_trials
from bench.corpora.written import tasks as written
from bench.language import Outcome, comparison, measure, outcome_of, refuse_unread, table
from dadu.core.errors import ConfigError
from dadu.eval.results import EpisodeResult
from dadu.goals.interpreter import Refused
from dadu.imports.instructed.suites import write_suite
from dadu.planner.grammar import Grammar
from dadu.planner.settings import ModelSettings, PlannerSettings

SENTENCE = "Put the apple on the dining table."


class Shy:
    """Refuses everything."""

    name = "shy"

    def read(self, instruction, context):
        return Refused("no")


class Other(Grammar):
    """Reads as the grammar does."""


class Easy(Grammar):
    """Takes everything for something that is easily done."""

    name = "easy"

    def read(self, instruction, context):
        return super().read("Go to the fridge.", context)


@pytest.fixture
def suite(tmp_path):
    write_trial(tmp_path, 1, [SENTENCE])
    [task], _ = judgeable(read_trials(tmp_path, "train"), tmp_path)
    return write_suite("mine-test", "", [task], tmp_path / "suites")


@pytest.mark.parametrize("interpreter, outcome", [
    ("grammar", "right"), (f"{__file__}:Shy", "refused"), (f"{__file__}:Easy", "wrong")])
def test_an_instruction_is_right_refused_or_wrong(suite, tmp_path, interpreter, outcome):
    [one] = measure(suite, PlannerSettings(interpreter=interpreter), tmp_path / "out")
    assert one.outcome == outcome and one.suite == "mine-test"


@pytest.mark.parametrize("interpreter, carried", [(f"{__file__}:Other", False), (f"{__file__}:Easy", True)])
def test_what_means_the_same_is_not_carried_out_again(suite, tmp_path, interpreter, carried):
    [before] = measure(suite, PlannerSettings(interpreter="grammar"), tmp_path / "before")
    known = {(before.suite, before.id): before}
    [one] = measure(suite, PlannerSettings(interpreter=interpreter), tmp_path / "after", known)
    assert one.outcome == ("wrong" if carried else "right") and one.interpreter == interpreter
    assert (tmp_path / "after").exists() == carried


def test_a_served_model_reads(suite, tmp_path):
    """Its own frames, nobody in its place."""
    frames = [{"frame": "move", "what": [{"name": "apple"}],
               "to": [{"preposition": "on", "nouns": [{"name": "dining table"}]}]}]
    for number, (reply, outcome) in enumerate([({"frames": frames}, "right"),
                                               ({"refuse": "no"}, "refused")]):
        with closing(StandInServer(reply)) as server:
            planner = PlannerSettings(policy="vllm", llm_url=server.url, llm=ModelSettings(protocol="goal"))
            [one] = measure(suite, planner, tmp_path / str(number))
        assert one.outcome == outcome and server.requests
        assert one.calls >= 1 and f"a model: {one.calls:.1f} calls an instruction" in table([one])


def test_another_meaning_of_the_goal_is_right_as_well(tmp_path):
    write_trial(tmp_path, 1, ["Read the book under the desk lamp."], kind="look_at_obj_in_light", object="Book",
                parent="", lamp="DeskLamp", steps=[picked("Book", "CounterTop"), picked("Book", "DeskLamp")])
    [task], _ = judgeable(read_trials(tmp_path, "train"), tmp_path)
    swapped = type(task)(**{**task.__dict__, "goals": list(reversed(task.goals))})
    path = write_suite("mine-dev", "", [swapped], tmp_path / "suites")
    [one] = measure(path, PlannerSettings(), tmp_path / "out")
    assert one.outcome == "right"
    assert (tmp_path / "out/mine-dev.or").is_dir()


def outcomes(*found):
    return [Outcome("s", str(i), "kind", outcome, "", 0.0) for i, outcome in enumerate(found)]


def test_two_runs_are_compared_pair_by_pair():
    before = outcomes("right", "wrong", *["refused"] * 6)
    said = comparison(before, outcomes("wrong", "wrong", *["right"] * 6))
    assert "right: 12.5% -> 75.0%" in said and "p = 0.12" in said
    assert "refused -> right: 6" in said and "right -> wrong: 1" in said


def test_the_table_has_a_line_for_the_whole_and_for_each_kind():
    lines = table(outcomes("right", "right", "wrong", "failed")).splitlines()
    assert lines[1].split()[:3] == ["s", "4", "50%"] and lines[2].split() == ["kind", "4", "2", "0", "1", "1"]


def test_sentences_of_a_test_are_not_shown(suite):
    with pytest.raises(ConfigError, match="must stay unread"):
        refuse_unread([suite])


def _ended(**fields):
    return EpisodeResult(**{"id": "a", "seed": 0, "instruction": "", "success": True, "goal_reached": True,
                            "ended": "done", "claimed": True, "plan": [["done"]]} | fields)


@pytest.mark.parametrize("result, expected, outcome", [
    (_ended(verdict="found out: apples: 2"), {"says": r"\b2\b"}, "right"),
    (_ended(verdict="found out: apples: yes"), {"says": r"\b2\b"}, "wrong"),
    (_ended(ended="refused", plan=[], verdict="how many are 2?"), {"says": r"\b2\b"}, "refused"),
    (_ended(ended="refused", plan=[], claimed=False), {"cannot": True}, "right"),
    (_ended(), {"cannot": True}, "wrong"),
    (_ended(ended="refused", plan=[], claimed=False), {}, "refused")])
def test_what_is_said_in_the_end_counts_and_a_refusal_understands_nothing(result, expected, outcome):
    assert outcome_of(result, **expected) == outcome


@pytest.mark.parametrize("corpus", written.NAMES)
def test_each_written_sentence_is_in_one_half(corpus):
    _, halves, expected = written.halves(corpus, 1)
    ids = [task.id for tasks in halves.values() for task in tasks]
    assert len(ids) == len(set(ids)) and set(expected) <= set(ids) and all(halves.values())
