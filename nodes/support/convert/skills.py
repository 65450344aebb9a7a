"""Skill calls as goals of the ROS actions that the table of skills names, and what came of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dadu_interfaces.action import Articulate, Drive, Explore, Pick, Place
from dadu_nodes.support.convert.geometry import planar_pose, point, xyz
from geometry_msgs.msg import PoseStamped

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.planner.loop.skill_context import SkillContext
from dadu.replay import messages
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult


@dataclass(frozen=True)
class SkillAction:
    """How skills go over one action."""

    type: Any
    """the generated class"""
    goal: Callable[[SkillCall, SkillContext], Any]
    result: Callable[[SkillCall, Any], SkillResult] = lambda call, result: messages.result(result.outcome)


def drive_goal(skill_context: SkillContext) -> Drive.Goal:
    """Errors: ValueError where no stance has been chosen."""
    if skill_context.stance is None:
        raise ValueError("a drive goes to the stance that base placement chose")
    pose = PoseStamped(pose=planar_pose(skill_context.stance))
    pose.header.frame_id = "map"
    looks, work = skill_context.purpose == "look", skill_context.work
    return Drive.Goal(pose=pose, look=looks, work=[] if looks or work is None else [point(work)])


def drive_context(goal: Drive.Goal, stance: Pose2) -> SkillContext:
    """The inverse, `stance` in map. Errors: NotUsable."""
    points = [xyz(p) for p in goal.work]
    if len(points) > 1 or not all(map(math.isfinite, sum(points, ()))):
        raise NotUsable("work is one point at most, and finite")
    return SkillContext("look" if goal.look else "", stance=stance, work=points[0] if points else None)


def _driven(call: SkillCall, message: Any) -> SkillResult:
    """Whoever drives knows poses; what stands there the planner knows."""
    result, target = messages.result(message.outcome), call.arguments[0]
    return replace(result, target=target, message=f"stands at {target}" if result.ok else result.message)


SWITCH = "switch"
"""the part that is pressed so that a thing is on (open) or off"""
_SWITCHED = {"power_on": True, "power_off": False}

ACTIONS: Mapping[str, SkillAction] = {
    "/drive_to_pose": SkillAction(Drive, lambda call, skill_context: drive_goal(skill_context), _driven),
    "/explore": SkillAction(Explore, lambda call, _: Explore.Goal(room=call.arguments[0])),
    "/pick": SkillAction(Pick, lambda call, skill_context: Pick.Goal(
        object=call.arguments[0], by=skill_context.by)),
    "/place": SkillAction(Place, lambda call, skill_context: Place.Goal(
        relation=call.arguments[0], receptacle=call.arguments[1], next_to="".join(call.arguments[3:4]),
        by=skill_context.by) if call.skill == "place" else Place.Goal(
            relation="to", receptacle=call.arguments[0], by=skill_context.by)),
    "/articulate": SkillAction(Articulate, lambda call, skill_context: Articulate.Goal(
        receptacle=call.arguments[0], part=SWITCH, open=_SWITCHED[call.skill]) if call.skill in _SWITCHED else
        Articulate.Goal(receptacle=call.arguments[0], part=skill_context.part, open=call.skill == "open")),
}
"""By name; those of the table."""
