"""Instructions in a house of which nothing is known at first: the robot looks around before it refuses."""

import pytest

from dadu.planner.settings import LoopSettings
from dadu.skills.outcome import Code
from dadu.stacks.oracle import OracleStack


@pytest.fixture
def unknown(flat):
    return OracleStack(flat, known="nothing")


def skills(report):
    return [step.call.skill for step in report.steps]


def test_what_is_not_seen_yet_is_looked_for(unknown):
    assert "desk_0" not in unknown.graph()
    report = unknown.do("move the lemon to the desk")
    assert report.success, report.summary
    assert skills(report)[0] == "explore"
    assert unknown.world.things["lemon_0"].support.holder == "desk_0"


@pytest.mark.parametrize("instruction", ["bring me an apple", "something rich in vitamin C", "I am thirsty"])
def test_a_thing_is_looked_for_where_the_map_ends(unknown, instruction):
    report = unknown.do(instruction)
    assert report.success, report.summary
    plan = [call.skill for call in report.steps[0].decision.plan]
    assert plan[0] == "explore" and plan[-1] == "done", "as if it were found there"


def test_what_is_nowhere_is_refused_after_everything_was_seen(unknown, flat):
    report = unknown.do("put the lemon on the washing machine")
    assert not report.success and report.outcome.detail == "refused"
    assert report.outcome.code is Code.UNKNOWN_TARGET
    assert "washing machine" in report.summary and "looked at" in report.summary
    rooms = [step.result.target for step in report.steps]
    assert set(rooms) == {room.name for room in flat.rooms}


def test_nonsense_is_refused_at_once(unknown):
    report = unknown.do("put the gronk on the frobnicator")
    assert report.outcome.detail == "refused" and not report.steps


def test_a_room_that_is_not_known_yet_is_looked_for(unknown):
    report = unknown.do("go to the bedroom")
    assert report.success, report.summary


def test_a_plan_is_made_once_there_is_something_to_plan_with(unknown):
    report = unknown.do("move the apple to the desk", settings=LoopSettings(replan=False))
    assert "place" in skills(report)


def test_where_the_layout_is_told_nothing_is_explored_for_a_name(flat):
    report = OracleStack(flat, known="layout").do("put the lemon on the washing machine")
    assert report.outcome.detail == "refused" and not report.steps
