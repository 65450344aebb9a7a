"""The tools that other agents get, on the oracle: same checks, same codes, one request after the other."""

import threading
import time

import pytest

from dadu.house.files import load_house
from dadu.mcp.robot import Simulated
from dadu.mcp.tools import SkillTools
from dadu.planner.policies.make import make_planner
from dadu.skills.outcome import Code, SkillResult
from dadu.stacks.oracle import OracleStack


@pytest.fixture
def tools():
    body = OracleStack(load_house("flat"), known="all")
    made = SkillTools(lambda: Simulated(body, make_planner), body.description.capabilities)
    yield made
    made.close()


def act(tools, skill, **arguments):
    return tools.act(skill, arguments).result(timeout=200)


def test_a_thing_is_fetched_skill_by_skill(tools):
    for skill, arguments in [("go_to", {"target": "lemon_0"}), ("pick", {"object": "lemon_0"}),
                             ("go_to", {"target": "desk_0"}), ("place", {"relation": "on", "receptacle": "desk_0"})]:
        outcome = act(tools, skill, **arguments)
        assert outcome.code == Code.SUCCEEDED, outcome
    assert "desk_0: lemon_0" in tools.world("lemon").result().replace("(yellow)", "")


@pytest.mark.parametrize(("skill", "arguments", "code", "says"), [
    ("pick", {"object": "lemon_0"}, Code.TOO_FAR, "go_to lemon_0"),
    ("pick", {"object": "unicorn_0"}, Code.UNKNOWN_TARGET, "takes"),
    ("pick", {"object": "milk_0"}, Code.CONTAINER_CLOSED, "fridge_0"),
    ("place", {"relation": "on", "receptacle": "desk_0"}, Code.HAND_EMPTY, "pick"),
    ("open", {"receptacle": "sofa_0"}, Code.NOT_INTERACTIVE, "fridge_0"),
    ("dance", {}, Code.UNKNOWN_ACTION, "go_to"),
    ("go_to", {"target": "../../etc/passwd"}, Code.UNKNOWN_TARGET, "kitchen"),
])
def test_what_cannot_be_done_is_refused_with_a_way_on(tools, skill, arguments, code, says):
    outcome = act(tools, skill, **arguments)
    assert outcome.code == code and says in outcome.message + outcome.then


def test_possible_follows_what_was_done(tools):
    assert "pick" not in tools.possible().result()
    act(tools, "go_to", target="lemon_0")
    assert "lemon_0" in tools.possible().result()["pick"][0]["object"]


def test_a_whole_instruction(tools):
    report = tools.execute_task("put the lemon on the desk").result(timeout=200)
    assert report.success and report.steps[1] == ["pick", "lemon_0"]
    refused = tools.execute_task("bring the unicorn").result(timeout=200)
    assert not refused.success and refused.code == Code.UNKNOWN_TARGET and not refused.steps


def test_a_question_goes_to_whoever_asked_and_without_an_answer_into_the_report():
    body = OracleStack(load_house("flat"), known="all")
    tools = SkillTools(lambda: Simulated(body, make_planner, asks=True), body.description.capabilities)
    asked = []
    report = tools.execute_task("bring the zork to the desk", answer=lambda q: asked.append(q) or "the lemon").result()
    assert report.success and len(asked) == 1 and report.steps[0] == ["ask", asked[0]] and not report.question
    report = tools.execute_task("bring the zork to the desk", answer=lambda q: None).result()
    assert not report.success and "what do you mean by 'zork'?" in report.question
    tools.close()


def test_requests_wait_for_each_other(tools):
    futures = [tools.act("go_to", {"target": t}) for t in ("kitchen", "lemon_0")] + [
        tools.act("pick", {"object": "lemon_0"})]
    assert [f.result(timeout=200).code for f in futures] == [0, 0, 0]


def test_after_a_skill_that_failed_the_robot_goes_there_for_that_skill(tools, monkeypatch):
    purposes, execute = [], tools._robot.execute

    def follow(call, purpose, cancelled):
        purposes.append(purpose)
        if call.skill == "close":
            return SkillResult(Code.TOO_FAR, "too far away", target=call.arguments[0])
        return execute(call, purpose, cancelled)
    monkeypatch.setattr(tools._robot, "execute", follow)
    for skill, name in [("go_to", "target"), ("open", "receptacle"), ("close", "receptacle"), ("go_to", "target")]:
        act(tools, skill, **{name: "fridge_0"})
    assert purposes == ["open", "", "", "close"]


@pytest.mark.parametrize("stop", [lambda t: t.stop(), lambda t: t.execute_task("stop, please"),
                                  lambda t: t.answer("wait!")])
def test_stopping_ends_what_runs_and_what_waits_and_nothing_that_comes_after(tools, monkeypatch, stop):
    begun, execute = threading.Event(), tools._robot.execute

    def drive(call, purpose, cancelled):
        begun.set()
        while not cancelled():
            time.sleep(0.001)
        return SkillResult(Code.CANCELLED, "left off")
    monkeypatch.setattr(tools._robot, "execute", drive)
    runs, waits = tools.act("go_to", {"target": "kitchen"}), tools.act("go_to", {"target": "hall"})
    begun.wait(100)
    stop(tools)
    assert [f.result(timeout=100).code for f in (runs, waits)] == 2 * [Code.CANCELLED]
    monkeypatch.setattr(tools._robot, "execute", execute)
    assert act(tools, "go_to", target="kitchen").code == Code.SUCCEEDED
    assert tools.stop().result(timeout=100).success
