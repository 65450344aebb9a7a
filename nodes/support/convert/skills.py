"""Skill calls as goals of the ROS actions that the table of skills names, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dadu_interfaces.action import Articulate, Explore, Pick, Place
from dadu_nodes.support.convert.geometry import planar_pose
from dadu_nodes.support.convert.navigation import drive_result
from dadu_nodes.support.convert.outcome import result as result_of
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateToPose

from dadu.core.geometry import Pose2
from dadu.planner.loop.skill_context import SkillContext
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult


@dataclass(frozen=True)
class SkillAction:
    """How skills go over one action."""

    type: Any
    """the generated class"""
    goal: Callable[[SkillCall, SkillContext], Any]
    result: Callable[[SkillCall, Any], SkillResult] = lambda call, result: result_of(result.outcome)


def _stamped(pose: Pose2 | None) -> PoseStamped:
    if pose is None:
        raise ValueError("a drive goes to the stance that base placement chose")
    message = PoseStamped(pose=planar_pose(pose))
    message.header.frame_id = "map"
    return message


ACTIONS: Mapping[str, SkillAction] = {
    "/navigate_to_pose": SkillAction(
        NavigateToPose, lambda call, skill_context: NavigateToPose.Goal(pose=_stamped(skill_context.stance)),
        lambda call, result: drive_result(result, call.arguments[0])),
    "/explore": SkillAction(Explore, lambda call, _: Explore.Goal(room=call.arguments[0])),
    "/pick": SkillAction(Pick, lambda call, _: Pick.Goal(object=call.arguments[0])),
    "/place": SkillAction(Place, lambda call, _: Place.Goal(
        relation=call.arguments[0], receptacle=call.arguments[1], next_to="".join(call.arguments[3:4]))),
    "/articulate": SkillAction(Articulate, lambda call, skill_context: Articulate.Goal(
        receptacle=call.arguments[0], part=skill_context.part, open=call.skill == "open")),
}
"""By name; those of the table."""
