"""A model's evaluation is the model's: who chose the turns is counted and said first; nobody takes them silently."""

import json
import re
from dataclasses import replace

import pytest
import yaml
from stand_in_server import StandInServer, action

from dadu.cli.eval.arguments import How
from dadu.cli.eval.execution import execute
from dadu.cli.eval.tables import show_levels
from dadu.core.config import load
from dadu.core.paths import shared
from dadu.eval.compare.ablate import markdown
from dadu.eval.options import EvalOptions
from dadu.eval.report.page import write_report
from dadu.eval.results import EpisodeResult, read_results, write_results
from dadu.eval.run import Run, RunConfig
from dadu.eval.summary import summarise
from dadu.eval.turns import model_cells, turns_line
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.settings import ModelSettings, PlannerSettings
from dadu.skills.outcome import Code
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite

NOBODY = "http://127.0.0.1:9/v1"
FETCH = [action("go_to", target="fridge_0"), action("open", receptacle="fridge_0"), action("go_to", target="milk_0"),
         action("pick", object="milk_0"), action("go_to", target="dining_table_0"),
         action("place", relation="on", receptacle="dining_table_0"), action("done")]
"""What a model says that gets the milk; the door stays open"""


@pytest.fixture(scope="module")
def episodes(tmp_path_factory):
    path = tmp_path_factory.mktemp("suite") / "milk.suite.yaml"
    path.write_text(yaml.safe_dump({"suite": "milk", "episodes": [
        {"id": "milk", "instruction": "put the milk on the dining table", "house": "flat", "known": "all",
         "goal": {"propositions": [{"is_on_top": [["milk_0"], ["dining_table_0"]]}]}}]}))
    return prepare_all(*load_suite(path))


def run_of(episodes, out, url=NOBODY, verify="none", **options):
    planner = PlannerSettings(policy="vllm", llm_url=url, verify=verify,
                              llm=ModelSettings(retries=0, protocol="react"))
    return Run("milk", "milk.suite.yaml", episodes, EvalOptions(skills="oracle", planner=planner, **options), out)


def test_without_its_server_a_run_ends_before_the_first_episode(episodes, tmp_path):
    run = run_of(episodes, tmp_path / "none")
    with pytest.raises(PolicyUnavailable, match=f"^the model server at {NOBODY} cannot be used: no connection"):
        run.execute()
    assert not run.out.exists()
    planner = PlannerSettings(policy="vllm", llm_url=NOBODY, llm=ModelSettings(retries=0))
    with pytest.raises(PolicyUnavailable, match="cannot be used"):  # the ROS graph would ask the same server
        replace(run, ros=True, options=EvalOptions(planner=planner)).execute()


@pytest.fixture
def serve():
    servers = []

    def start(*replies):
        servers.append(StandInServer(*replies))
        return servers[-1]
    yield start
    for server in servers:
        server.close()


def test_who_chose_is_counted_and_said_first(episodes, tmp_path, serve):
    run = run_of(episodes, tmp_path / "model", serve(*FETCH).url)
    (result,) = run.execute()
    assert result.success and result.turns == {"vllm": 6, "symbolic": 0} and result.fallback_turns == 0
    assert result.outcome == Code.UNCERTAIN and not result.claimed, "only the ground truth knows that it is right"
    summary = json.loads((run.out / "summary.json").read_text())
    assert list(summary)[:4] == ["planner", "fallback", "turns", "fallback_turns"]
    page = write_report(run.out, episodes).read_text()
    line = "turns chosen by: vllm 6, symbolic 0"
    assert turns_line(summary) == line and page.index(line) < page.index("100 %</b>")
    assert "6 by vllm, 0 by symbolic" in page


def test_what_closes_up_after_a_check_is_not_the_model(episodes, tmp_path, serve):
    run = run_of(episodes, tmp_path / "checked", serve(*FETCH).url, verify="grammar")
    (result,) = run.execute()
    assert result.success and result.turns == {"vllm": 6, "symbolic": 0, "closing_up": 2}
    assert result.plan[-2:] == [["go_to", "fridge_0"], ["close", "fridge_0"]], "which no model was asked about"
    assert result.outcome == Code.SUCCEEDED and result.claimed and result.checked_by == "grammar"
    assert "check of done <b>grammar</b>" in write_report(run.out, episodes).read_text()


def test_a_wrong_done_is_no_claim_and_no_success(episodes, tmp_path, serve):
    run = run_of(episodes, tmp_path / "wrong", serve(action("done")).url)
    (result,) = run.execute()
    assert result.ended == "done" and not result.success and not result.claimed
    assert json.loads((run.out / "summary.json").read_text())["claims"] == {"made": 0, "wrong": 0}


@pytest.mark.parametrize("fallback, ended, success, turns, instead", [
    (False, "crashed", False, {"vllm": 2, "symbolic": 0}, 0), (True, "done", True, {"vllm": 2, "symbolic": 6}, 6)])
def test_a_turn_that_fails_is_nobody_else_s_unless_asked(episodes, tmp_path, serve, fallback, ended, success, turns,
                                                        instead):
    (result,) = run_of(episodes, tmp_path / "r", serve(*FETCH[:2], 503).url, fallback=fallback).execute()
    assert (result.ended, result.success, result.turns, result.fallback_turns) == (ended, success, turns, instead)
    assert result.outcome == (Code.SUCCEEDED if fallback else Code.UNREACHABLE_BACKEND)
    assert fallback or result.explanation.startswith("the model server at"), "not what its goal still lacked"
    assert "cannot be used" in result.verdict


def test_with_fallback_the_server_may_be_missing_and_all_say_so(episodes, tmp_path, capsys):
    run = run_of(episodes, tmp_path / "alone", fallback=True)
    results = execute(run, [run], Run.execute)
    write_report(run.out, run.episodes)
    show_levels(results, run.suite)
    shown, line = capsys.readouterr().out, "turns chosen by: vllm 0, symbolic 8 (as fallback)"
    assert shown.startswith(f"the model server at {NOBODY} cannot be used") and f"milk: {line}" in shown
    page = (run.out / "report.html").read_text()
    assert line in page and "fallback <b>on</b>" in page
    assert '<header class="unsure">' in page, "no colour of success"


def test_a_run_that_is_done_needs_no_server(episodes, tmp_path, serve):
    server = serve(*FETCH)
    run = run_of(episodes, tmp_path / "done", server.url)
    first = run.execute()
    server.close()
    assert run.execute() == first


def test_records_without_the_count_are_read_and_told_apart(tmp_path):
    old = {"id": "a", "seed": -1, "instruction": "x", "success": True}
    (tmp_path / "episodes.jsonl").write_text(json.dumps(old) + "\n")
    (result,) = read_results(tmp_path)
    assert result.turns is None
    assert turns_line(summarise([result])) == "turns chosen by: not recorded in 1 episode"
    new = EpisodeResult(**{**old, "id": "b"}, turns={"symbolic": 3})
    write_results(tmp_path, [result, new])
    assert read_results(tmp_path) == [result, new]
    assert turns_line(summarise([result, new])) == "turns chosen by: symbolic 3, not recorded in 1 episode"


def test_an_old_run_can_be_taken_up(episodes, tmp_path):
    run = Run("milk", "milk.suite.yaml", episodes, EvalOptions(skills="oracle"), tmp_path / "old")
    run.execute()
    config = yaml.safe_load((run.out / "config.yaml").read_text())
    del config["options"]["fallback"]
    (run.out / "config.yaml").write_text(yaml.safe_dump(config))
    assert load(RunConfig, run.out / "config.yaml").options == run.options
    assert run.execute()[0].turns == {"symbolic": 6, "closing_up": 2}


def test_every_table_says_what_the_model_was_asked_and_who_chose(episodes, tmp_path, serve, capsys):
    run = run_of(episodes, tmp_path / "told", serve(*FETCH).url)
    results = run.execute()
    (result,) = results
    assert result.llm_calls == 7 and result.llm_seconds > 0
    summary = json.loads((run.out / "summary.json").read_text())
    calls, tokens, latency, chosen = model_cells(summary["levels"][""])
    assert (calls, tokens, chosen) == ("7.0", "2800+140", "vllm 6") and float(latency) >= 0
    page = re.sub(' data-th="[^"]*"', "", write_report(run.out, episodes).read_text())  # shown on phones
    assert "".join(f'<td class="num">{cell}</td>' for cell in (calls, tokens, latency, chosen)) in page
    show_levels(results, "told")
    assert "2800+140" in capsys.readouterr().out
    assert "2800+140" in markdown({"base": {"summary": summary, "against_base": []}})
    assert model_cells(summarise([EpisodeResult(id="b", seed=0, instruction="x", success=True, turns={"symbolic": 3})])
                       ) == ("–", "–", "–", "symbolic 3")


def test_the_flags_of_a_model_reach_its_server(episodes, tmp_path, serve):
    words = tmp_path / "words.yaml"
    words.write_text(shared("config", "prompts", "react.yaml").read_text().replace("You control", "You are"))
    examples = tmp_path / "examples.jsonl"
    examples.write_text('{"instruction": "put the milk on the desk", "plan": [["pick", "milk_0"]]}\n')
    server = serve(*FETCH)
    options = How(planner="vllm", llm_url=server.url, model="mine", protocol="react", prompt=str(words),
                  examples=str(examples), temperature=0.7, max_tokens=77, skills="oracle").options()
    run = Run("milk", "milk.suite.yaml", episodes, options, tmp_path / "flags")
    run.execute()
    request = server.requests[0]
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("mine", 0.7, 77)
    assert request["messages"][0]["content"].startswith("You are")
    assert "Example: put the milk on the desk" in request["messages"][1]["content"]


def test_steps_to_a_goal_that_a_model_wrote_are_counted_as_such(episodes, tmp_path, serve):
    written = {"frames": [{"frame": "move", "what": [{"name": "milk_0"}],
                           "to": [{"preposition": "on", "nouns": [{"name": "dining_table_0"}]}]}]}
    server = serve(written)
    options = How(planner="vllm", llm_url=server.url, protocol="goal", skills="oracle").options()
    (result,) = Run("milk", "milk.suite.yaml", episodes, options, tmp_path / "goal").execute()
    assert result.success and result.llm_calls == 1 == len(server.requests)
    assert result.turns == {"goal": 6, "symbolic": 0, "closing_up": 2}


def test_who_takes_a_model_s_turns_is_written_down_once(episodes, tmp_path):
    run = run_of(episodes, tmp_path / "once", fallback=True)
    run.execute()
    text = (run.out / "config.yaml").read_text()
    assert text.count("fallback:") == 1 and "fallback: true" in text
    assert load(RunConfig, run.out / "config.yaml").options.resolved_planner == run.options.resolved_planner
