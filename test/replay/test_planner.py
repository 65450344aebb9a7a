"""The planner replays to the same decisions, and a changed decision, prompt or schema is found."""

import json
from dataclasses import replace

import pytest
from episodes import record_task
from typer.testing import CliRunner

from dadu.cli.verbs import app_of
from dadu.planner.cost import ModelCall
from dadu.planner.interpreters import make_interpreter
from dadu.planner.model.client import Completion
from dadu.planner.model.goal.interpreter import ModelInterpreter
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.policies.written_goal import WrittenGoalPolicy
from dadu.planner.settings import ModelSettings
from dadu.replay.bag import Bag, UnusableBag
from dadu.replay.planner import RecordedGoals, recorded_tasks, replay_planner
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.skills.table import BASE_CAPABILITIES

app = app_of("dadu.cli", "replay")


def replay(path):
    with Bag(path) as bag:
        return replay_planner(bag)


def test_the_same_planner_decides_the_same_after_failures_too(tmp_path):
    ended = record_task(tmp_path / "bag")
    assert ended.success and any(not s.result.ok for s in ended.steps)
    report = replay(tmp_path / "bag")
    assert report.compared == len(ended.steps) and not report.differences
    assert "SUCCEEDED" in report.notes[0]


def test_a_decision_that_was_made_otherwise_is_found_and_the_rest_still_compared(tmp_path):
    def change(step):
        if step.index != 2:
            return step
        return replace(step, decision=replace(step.decision, call=SkillCall("wait"), reasoning="tired"))

    ended = record_task(tmp_path / "bag", change=change)
    report = replay(tmp_path / "bag")
    assert report.compared >= len(ended.steps)
    first = report.differences[0]
    assert first.what == "decision" and first.subject == "step 2" and first.recorded.startswith("wait() (tired")
    assert first.replayed.startswith(str(ended.steps[1].call))


class Talker:
    """A model's server that makes the given calls, as the schema wants them written."""

    def __init__(self, calls):
        self.calls = list(calls)

    def ask(self, messages, schema, deadline, kind="step"):
        call = self.calls.pop(0)
        for variant in schema["anyOf"]:
            fields, names = variant["properties"], variant["properties"]["arguments"]["properties"]
            fits = fields["action"]["enum"] == [call.skill] and len(names) == len(call.arguments)
            if fits and all(a in e["enum"] for a, e in zip(call.arguments, names.values())):
                reply = {"reasoning": "because", "action": call.skill, "arguments": dict(zip(names, call.arguments))}
                if "plan" in fields:
                    reply["plan"] = fields["plan"]["items"]["enum"][:1]
                return Completion(json.dumps(reply), True, ModelCall(kind, 10, 5))
        raise AssertionError(f"{call} is not in the schema")


def model_episode(path, change=lambda step: step, verify=""):
    """The apple task, chosen by a model."""
    calls = [s.call for s in record_task(path.with_name("symbolic")).steps]
    policy = ModelPolicy(ModelSettings())
    policy._client = Talker([*calls, SkillCall("done")])
    return record_task(path, TaskPlanner(policy, check=make_interpreter(verify) if verify else None), change)


def test_a_model_replays_from_its_recorded_replies(tmp_path):
    ended = model_episode(tmp_path / "bag")
    assert ended.outcome.code is Code.UNCERTAIN
    assert all(s.decision.policy == "vllm" and s.decision.schema for s in ended.steps)
    report = replay(tmp_path / "bag")
    assert report.compared == len(ended.steps) and not report.differences, report.text()
    assert "UNCERTAIN" in report.notes[0]


def test_a_check_that_was_asked_for_then_is_asked_for_again(tmp_path):
    ended = model_episode(tmp_path / "bag", verify="grammar")
    assert ended.success and ended.checked_by == "grammar"
    (tmp_path / "arguments.yaml").write_text("planner: vllm\nverify: grammar\n")
    report = replay(tmp_path / "bag")
    assert not report.differences and "SUCCEEDED" in report.notes[-1], report.text()


def test_changed_prompts_schemas_and_readings_are_told_apart(tmp_path):
    def change(step):
        decision = step.decision
        if step.index == 1:
            decision = replace(decision, prompt=decision.prompt.replace("apple", "pear"))
        if step.index == 2:
            decision = replace(decision, schema='{"anyOf": []}')
        if step.index == 3:
            decision = replace(decision, reply="no JSON")
        return replace(step, decision=decision)

    model_episode(tmp_path / "bag", change)
    found = {(d.what, d.subject) for d in replay(tmp_path / "bag").differences}
    assert {("prompt", "step 1"), ("schema", "step 2"), ("decision", "step 3")} <= found
    assert not {("decision", "step 1"), ("decision", "step 2"), ("schema", "step 1"), ("prompt", "step 2")} & found


def test_tasks_and_steps_are_read_in_order(tmp_path):
    ended = record_task(tmp_path / "bag")
    with Bag(tmp_path / "bag") as bag:
        (steps,) = recorded_tasks(bag).values()
    assert [s.call for s in steps] == [s.call for s in ended.steps]
    assert [s.result.code for s in steps] == [s.result.code for s in ended.steps]


def test_a_bag_without_a_plan_is_refused(tmp_path):
    from episodes import record_table
    record_table(tmp_path / "bag", scenes=[[]])
    with Bag(tmp_path / "bag") as bag, pytest.raises(UnusableBag, match="lacks plan for the planner"):
        replay_planner(bag)


def test_the_command_says_what_differs_by_its_status(tmp_path):
    record_task(tmp_path / "bag")
    out = tmp_path / "report.json"
    same = CliRunner().invoke(app, [str(tmp_path / "bag"), "--node", "planner", "--out", str(out)])
    assert same.exit_code == 0 and "no difference" in same.output
    assert json.loads(out.read_text())[0]["node"] == "planner"
    record_task(tmp_path / "other", change=lambda s: replace(s, decision=replace(s.decision, call=SkillCall("wait"))))
    assert CliRunner().invoke(app, [str(tmp_path / "other"), "--node", "planner"]).exit_code == 1


def test_a_goal_that_a_model_wrote_replays_from_its_recorded_reply(tmp_path):
    frames = {"frames": [{"frame": "move", "what": [{"name": "apple"}], "to": [
        {"preposition": "on", "nouns": [{"name": "table"}]}]}]}
    reader = ModelInterpreter(ModelSettings(protocol="goal"), model=RecordedGoals([json.dumps(frames)]))
    ended = record_task(tmp_path / "bag", TaskPlanner(WrittenGoalPolicy(reader, BASE_CAPABILITIES), reader))
    assert ended.success and {s.decision.policy for s in ended.steps} <= {"goal", "closing_up", "looking_again"}
    report = replay(tmp_path / "bag")
    assert report.compared and not report.differences and "SUCCEEDED" in report.notes[0]


def test_what_was_asked_and_answered_is_replayed(tmp_path):
    ended = record_task(tmp_path / "bag", instruction="put the zork on the dining table",
                        answer=lambda question: "the red apple")
    assert ended.success and ended.steps[0].call.skill == "ask"
    report = replay(tmp_path / "bag")
    assert report.compared == len(ended.steps) - 1 and not report.differences and "SUCCEEDED" in report.notes[0]
