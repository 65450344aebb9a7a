"""PARTNR's planners behind one flag: each runs, and is named wherever its results are; examples give nothing away."""

import json

import pytest
import yaml
from stand_in_server import StandInServer, action

from dadu.cli.eval.arguments import How
from dadu.core.config import load
from dadu.core.errors import ConfigError
from dadu.core.paths import kept
from dadu.eval.episode.graph_trial import check
from dadu.eval.report.page import write_report
from dadu.eval.run import Run, RunConfig
from dadu.planner.model.examples import ExampleStore, read_examples
from dadu.skills.call import SkillCall
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite

MILK = "put the milk on the dining table"
FETCH = [action("go_to", target="fridge_0"), action("open", receptacle="fridge_0"), action("go_to", target="milk_0"),
         action("pick", object="milk_0"), action("go_to", target="dining_table_0"),
         action("place", relation="on", receptacle="dining_table_0"), action("done")]
PICK = [SkillCall("pick", ("lemon_0",))]


@pytest.fixture
def episodes(tmp_path):
    def write(**more):
        path = tmp_path / "milk.suite.yaml"
        path.write_text(yaml.safe_dump({"suite": "milk", "episodes": [
            {"id": "milk", "instruction": MILK, "house": "flat", "known": "all",
             "goal": {"propositions": [{"is_on_top": [["milk_0"], ["dining_table_0"]]}]}, **more}]}))
        return prepare_all(*load_suite(path))
    return write


@pytest.fixture
def run(episodes, tmp_path):
    """A run of one episode by a planner; the server that it asks, if it asks one."""
    servers = []

    def start(name, out="run", replies=FETCH, of=None, **how):
        servers.append(StandInServer(*replies))
        url = "" if name == "expert" else servers[-1].url
        options = How(planner=name, llm_url=url, skills="oracle", **how).options()
        run = Run("milk", "milk.suite.yaml", of or episodes(), options, tmp_path / out, command="dadu eval milk")
        return run, servers[-1]
    yield start
    for server in servers:
        server.close()


def asked(server):
    return server.requests[0]["messages"][1]["content"]


@pytest.mark.parametrize("name, how", [("react", {}), ("rag", {}), ("finetuned", {"model": "mine"}), ("expert", {})])
def test_each_is_named_by_record_summary_report_and_last_line(run, name, how):
    run, server = run(name, **how)
    (result,) = run.execute()
    turns = 6 + 2 * (name == "expert")  # which closes what it opened
    assert result.success and result.turns[name] == turns and next(iter(result.turns)) == name
    summary = json.loads((run.out / "summary.json").read_text())
    (line,) = summary["ledger"]
    assert summary["planner"] == name and f"; planner: {name}" in line == result.ledger
    page = write_report(run.out, run.episodes).read_text()
    assert f"planner <b>{name}</b>" in page and f"turns chosen by: {name} {turns}" in page
    saved = load(RunConfig, run.out / "config.yaml")
    assert saved.options == run.options and saved.options.planner.policy == name
    assert bool(server.requests) is (name != "expert")


def test_rag_shows_what_the_user_s_store_holds_and_react_does_not(run):
    ExampleStore(kept("examples.jsonl")).add("put the milk on the desk", PICK)
    (rag, with_rag), (react, with_react) = run("rag", "a"), run("react", "b")
    assert rag.check().startswith(f"1 example of {kept('examples.jsonl')}, the same for the whole run")
    assert react.check() == ""
    (result,), _ = rag.execute(), react.execute()
    assert "Example: put the milk on the desk: pick lemon_0; done" in asked(with_rag)
    assert "Example" not in asked(with_react) and result.ledger.endswith("planner: rag (1 example)")


def test_a_run_is_shown_nothing_of_its_own_and_the_same_to_its_end(run, tmp_path):
    store = ExampleStore(tmp_path / "mine.jsonl")
    store.add("Put the milk, on the dining table!", PICK)
    store.add("put the milk on the desk", PICK)
    run_, server = run("rag", examples=str(tmp_path / "mine.jsonl"), verify="grammar")
    assert "1 of this run's own instructions are left out" in run_.check()
    before = (tmp_path / "mine.jsonl").read_text()
    (result,) = run_.execute()
    assert result.claimed and "on the desk" in asked(server) and "dining table!" not in asked(server)
    assert (tmp_path / "mine.jsonl").read_text() == before, "frozen, though the task was confirmed"
    store.add("put the milk on the bed", PICK)
    assert list(read_examples(run_.out / "examples.jsonl")) == ["put the milk on the desk"]
    run_.execute()  # taken up again
    assert list(read_examples(run_.out / "examples.jsonl")) == ["put the milk on the desk"]


@pytest.mark.parametrize("name", ["react", "rag"])
def test_what_was_confirmed_is_learned_where_that_is_asked_for(run, tmp_path, name):
    file = tmp_path / "mine.jsonl"
    run_, server = run(name, learn=True, verify="grammar", examples=str(file))
    run_.execute()
    assert "Example" not in asked(server) and list(read_examples(file)) == [MILK]
    again, server = run("rag", "again", examples=str(file))
    again.execute()
    assert "Example" not in asked(server), "the run's own"


@pytest.mark.parametrize("name, how, says", [
    ("react", {"protocol": "goal"}, "planner react is protocol react"),
    ("react", {"examples": "x.jsonl"}, "planner react is shown no examples"),
    ("finetuned", {}, "planner finetuned needs the name"),
    ("symbolic", {"learn": True}, "--learn keeps what a model did and somebody confirmed"),
    ("react", {"learn": True}, "give --verify grammar with --planner vllm, react, rag, finetuned, small, or --pro")])
def test_options_that_contradict_one_another_are_refused(name, how, says):
    with pytest.raises(ConfigError, match=says):
        How(planner=name, skills="oracle", **how).options()


def test_the_expert_plans_anew_where_something_went_wrong(run, episodes):
    moved = episodes(events=[{"after_step": 3, "close": "fridge_0"}])
    (result,) = run("expert", of=moved)[0].execute()
    assert result.success and [["open", "fridge_0"]] * 2 == [s for s in result.plan if s[0] == "open"]


def test_the_expert_waits_for_the_person(run, episodes):
    cleaned = {"propositions": [{"is_clean": [["mug_0"]]}, {"is_on_top": [["mug_0"], ["desk_0"]]}],
               "constraints": [{"temporal": [[0, 1]]}, {"terminal": [0, 1]}]}
    (result,) = run("expert", of=episodes(instruction="wash the mug and put it on the desk", goal=cleaned,
                                          person=True))[0].execute()
    assert result.success and {a.agent for a in result.actions} == {"robot", "person"}


def test_the_expert_needs_a_robot_that_calls_things_by_their_names(run):
    expert = run("expert")[0]
    physical = Run(expert.suite, expert.file, expert.episodes,
                   How(planner="expert").options(), expert.out)
    with pytest.raises(ConfigError, match="--skills oracle; valid under physics: symbolic, finetuned, rag"):
        physical.check()


@pytest.mark.parametrize(("how", "says"), [
    ({"protocol": "goal"}, "on the graph protocol are as config/planner.yaml says; leave out --protocol or --ros"),
    ({"max_tokens": 9}, "--max-tokens or --ros")])
def test_what_the_graph_reads_from_its_file_is_not_taken_silently(episodes, how, says):
    with pytest.raises(ConfigError, match=says):
        check(episodes()[0], How(planner="vllm", **how).options())
    check(episodes()[0], How(planner="react").options())
    with pytest.raises(ConfigError, match="valid with it: --planner symbolic"):
        check(episodes()[0], How(planner="rag").options())
