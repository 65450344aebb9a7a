"""Skills as goals of ROS actions."""

import pytest
from dadu_nodes.support.convert.navigation import drive_result, navigate_result
from dadu_nodes.support.convert.skills import ACTIONS
from nav2_msgs.action import NavigateToPose

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
    ("place", ("in", "box_0", "next_to", "cup_0"), {"relation": "in", "receptacle": "box_0", "next_to": "cup_0"}),
    ("open", ("fridge_0",), {"receptacle": "fridge_0", "part": "door", "open": True}),
    ("close", ("fridge_0",), {"receptacle": "fridge_0", "part": "door", "open": False}),
    ("explore", ("unknown",), {"room": "unknown"}),
])
def test_goals(skill, arguments, fields):
    goal = ACTIONS[SKILLS[skill].action].goal(SkillCall(skill, arguments), SkillContext(part="door"))
    assert {name: getattr(goal, name) for name in fields} == fields


def test_a_drive_goes_to_the_stance_that_was_chosen_and_to_nothing_else():
    action, call = ACTIONS["/navigate_to_pose"], SkillCall("go_to", ("desk_0",))
    goal = action.goal(call, SkillContext(stance=Pose2(1.0, 2.0, 0.0)))
    assert (goal.pose.header.frame_id, goal.pose.pose.position.x, goal.pose.pose.position.y) == ("map", 1.0, 2.0)
    with pytest.raises(ValueError, match="stance"):
        action.goal(call, SkillContext())


@pytest.mark.parametrize("result", [
    SkillResult(Code.SUCCEEDED, "stands at desk_0", target="desk_0"),
    SkillResult(Code.EXECUTION_FAILED, "no way leads there", Detail.PATH_BLOCKED, "desk_0"),
    SkillResult(Code.UNREACHABLE_BACKEND, "there is no map", target="desk_0"),
])
def test_what_came_of_a_drive_comes_back(result):
    assert drive_result(navigate_result(result), "desk_0") == result


def test_of_another_navigator_only_the_text_is_understood():
    strange = NavigateToPose.Result(error_code=9999, error_msg="planner: failed to create plan")
    assert drive_result(strange, "desk_0") == SkillResult(
        Code.EXECUTION_FAILED, "failed to create plan", "planner", "desk_0")
