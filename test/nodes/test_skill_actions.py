"""Skills as goals of ROS actions."""

import math
from dataclasses import replace

import pytest
from dadu_interfaces.action import Drive
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.convert.skills import ACTIONS, drive_context, drive_goal
from geometry_msgs.msg import Point

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.planner.loop.skill_context import SkillContext
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.table import SKILLS


def test_the_actions_are_those_of_the_table():
    assert set(ACTIONS) == {spec.action for spec in SKILLS.values() if spec.action}


@pytest.mark.parametrize(("skill", "arguments", "fields"), [
    ("pick", ("mug_0",), {"object": "mug_0"}),
    ("place", ("on", "table_0"), {"relation": "on", "receptacle": "table_0", "next_to": ""}),
    ("handover", ("person",), {"relation": "to", "receptacle": "person", "next_to": ""}),
    ("place", ("in", "box_0", "next_to", "cup_0"), {"relation": "in", "receptacle": "box_0", "next_to": "cup_0"}),
    ("open", ("fridge_0",), {"receptacle": "fridge_0", "part": "door", "open": True}),
    ("close", ("fridge_0",), {"receptacle": "fridge_0", "part": "door", "open": False}),
    ("explore", ("unknown",), {"room": "unknown"}),
])
def test_goals(skill, arguments, fields):
    goal = ACTIONS[SKILLS[skill].action].goal(SkillCall(skill, arguments), SkillContext(part="door"))
    assert {name: getattr(goal, name) for name in fields} == fields


@pytest.mark.parametrize("call", [SkillCall("pick", ("mug_0",)), SkillCall("place", ("on", "table_0"))])
def test_the_way_that_was_chosen_goes_with_the_goal_and_comes_back(call):
    action = ACTIONS[SKILLS[call.skill].action]
    assert action.goal(call, SkillContext(by="octo")).by == "octo"
    ended = SkillResult(Code.EXECUTION_FAILED, "no", by="octo")
    assert action.result(call, action.type.Result(outcome=encode.result(ended))) == ended


def test_a_drive_goes_to_the_stance_that_was_chosen_and_to_nothing_else():
    action, call = ACTIONS["/drive_to_pose"], SkillCall("go_to", ("desk_0",))
    goal = action.goal(call, SkillContext(stance=Pose2(1.0, 2.0, 0.0)))
    assert (goal.pose.header.frame_id, goal.pose.pose.position.x, goal.pose.pose.position.y) == ("map", 1.0, 2.0)
    with pytest.raises(ValueError, match="stance"):
        action.goal(call, SkillContext())


@pytest.mark.parametrize(("purpose", "work", "looks", "told"), [
    ("look", (1.0, 2.0, 0.8), True, None), ("pick", (1.0, 2.0, 0.8), False, (1.0, 2.0, 0.8)),
    ("open", None, False, None)])
def test_what_a_drive_is_for_comes_along(purpose, work, looks, told):
    stance = Pose2(1.0, 2.0, 0.0)
    context = drive_context(drive_goal(SkillContext(purpose, stance=stance, work=work)), stance)
    assert (context.purpose == "look", context.work, context.stance) == (looks, told, stance)


@pytest.mark.parametrize("work", [[Point(), Point()], [Point(x=math.nan)], [Point(z=math.inf)]])
def test_of_what_is_no_place_to_work_at_nothing_is_made(work):
    with pytest.raises(NotUsable):
        drive_context(Drive.Goal(work=work), Pose2(0.0, 0.0, 0.0))


@pytest.mark.parametrize("result", [
    SkillResult(Code.SUCCEEDED, "stands at desk_0", target="desk_0"),
    SkillResult(Code.EXECUTION_FAILED, "no way leads there", Detail.PATH_BLOCKED, "desk_0"),
    SkillResult(Code.UNREACHABLE_BACKEND, "there is no map", target="desk_0"),
])
def test_what_came_of_a_drive_comes_back(result):
    told = Drive.Result(outcome=encode.result(replace(result, target="")))
    assert ACTIONS["/drive_to_pose"].result(SkillCall("go_to", ("desk_0",)), told) == result
