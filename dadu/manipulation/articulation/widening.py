"""Moving a door by the end of its leaf, where there is no room to lead it by the bar or to push its front: the hand
points into the furniture beside it, and the base drives along.

Led by the bar, or pushed nearer to the hinge, a door needs the base beyond the hinge, where walls and beds often leave
no room; at its end it does not. The arm draws the hand back or out as the leaf turns, so that its fingers stay there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dadu.core.geometry import Pose2, inverse, transform
from dadu.core.robot import Observation
from dadu.manipulation.articulation.following import (
    DRIVE,
    Moving,
    enter,
    slowly,
    tool_now,
    values_between,
)
from dadu.manipulation.articulation.parts import TIP, leaf, leaf_direction, radius
from dadu.manipulation.carry import reach
from dadu.manipulation.room import drive_range
from dadu.motion.plan import withdraw
from dadu.robots.body import Manipulator
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.motion import Motion, move
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.world.graph import Articulation
from dadu.world.handles import LEAF_END

LEAST = 0.5
"""a door that stands less open leaves no room behind it [rad]"""
HALF = 0.025
"""half the width of closed fingers [m]"""
INNER, OUTER = 1.0, -1.0
"""sides of a leaf"""
BEHIND = {INNER: 0.11, OUTER: 0.06}
"""how far the grasp centre is behind the door's end, which slim fingers then touch, and not the palm [m]"""
ASIDE = {INNER: 0.2, OUTER: 0.03}
"""between the fingers and the door's end as the arm reaches in [m]: from the inner side it unfolds beside the door"""
THICK = 0.03
"""of a leaf [m]"""
BELOW_BAR = 0.18
"""the handle, where the hand meets the outer side [m]"""
LEFT_OPEN = 0.5
"""where a door is left whose front is pushed then [rad]"""


def widen(body: Manipulator, observation: Observation, part: Articulation, value: float) -> Moving:
    """Pushes a door that stands at `value` [rad] wider open from behind."""
    if value < LEAST:
        raise SkillFailed(Code.TOO_CLOSE, "there is no room to open it any wider; go to it again to stand better",
                          Detail.IK_FAILED)
    end = min(part.range, body.settings.door.stop)
    return (yield from _widen_by_door_end(body, observation, part, value, end, INNER))


def draw_shut(body: Manipulator, observation: Observation, part: Articulation, value: float) -> Moving:
    """Pushes a door that stands at `value` [rad] towards shut from the outside, until its front can be pushed."""
    if value <= LEFT_OPEN:
        raise SkillFailed(Code.TOO_FAR, "the arm does not reach its front from here; go to it again to stand better",
                          Detail.IK_FAILED)
    return (yield from _widen_by_door_end(body, observation, part, value, LEFT_OPEN, OUTER))


def _widen_by_door_end(body: Manipulator, observation: Observation, part: Articulation, value: float, end: float,
                side: float) -> Moving:
    """From `value` to `end` [rad]; then back to where the arm was unfolded."""
    aside = ASIDE[side]
    observation = yield from _abreast(body, observation, door_end_pose(part, value, side, aside))
    origin = observation.base_pose
    room = drive_range(body, observation, DRIVE)
    entry = enter(body, observation, origin, door_end_pose(part, value, side, aside), leaf(replace(part, value=value)))
    poses = [door_end_pose(part, v, side) for v in values_between(part, value, end)]
    sweep = _straight(body, origin, poses, entry.goal, room)
    back = withdraw(body, sweep[-1]) or sweep[-1:]

    observation = yield from reach(body, observation, entry, 0.0)
    observation = yield from move(body, observation, sweep, origin, patient=True, least=slowly(body, part, value, end))
    reached = value_at_end(part, tool_now(body, observation)[:3, 3], side)
    observation = yield from move(body, observation, [*back, replace(back[-1], drive=entry.goal.drive)], origin,
                                  patient=True)
    return observation, reached


def _abreast(body: Manipulator, observation: Observation, T_map_tool: np.ndarray) -> Motion:
    """Drives, the arm folded, to where it points at a place, as far as the laser sees room."""
    place = body.robot.drive_to(observation.base_pose, T_map_tool[:2, 3])
    low, high = drive_range(body, observation, DRIVE)
    goal = replace(body.posture(observation), drive=min(max(place, low), high))
    return (yield from move(body, observation, [goal], observation.base_pose))


def _straight(body: Manipulator, origin: Pose2, poses: Sequence[np.ndarray], seed: Posture,
              room: tuple[float, float]) -> list[Posture]:
    """Postures along `poses` (T_map_tool), as far as the arm gets with the base in `room` [m]. Errors: SkillFailed."""
    path: list[Posture] = []
    to_base = inverse(origin.matrix())
    try:
        for pose in poses:
            path.append(seed := body.solve(to_base @ pose, seed, room, near=True))
    except NoSolution:
        if not path:
            raise SkillFailed(Code.TOO_FAR, "the arm does not reach the end of the door from here; go to it again to "
                              "stand better", Detail.IK_FAILED) from None
    return path


def _length(part: Articulation) -> float:
    return radius(part) + LEAF_END


def door_end_pose(part: Articulation, value: float, side: float, aside: float = 0.0) -> np.ndarray:
    """T_map_tool (4, 4) with a closed hand pointing into the furniture, at the end of a door that stands at `value`
    [rad], on its inner or outer `side`, `aside` from it [m]."""
    normal, along, length = np.array(part.normal, float), leaf_direction(part), _length(part)
    out = length * math.sin(value) - BEHIND[side]
    # From the inner side the fingers meet the end of the leaf; from the outer one their tips meet its slanting face.
    met = length * math.cos(value) if side == INNER else (out - TIP) / math.tan(value) - THICK / math.sin(value)
    place = np.array(part.origin) + (met + side * (HALF + aside)) * along + out * normal
    z = np.array([0.0, 0.0, 1.0])
    height = part.handle[2] - (0.0 if side == INNER else BELOW_BAR)
    return transform(np.column_stack([-normal, np.cross(z, -normal), z]), np.array([*place[:2], height]))


def value_at_end(part: Articulation, place: np.ndarray, side: float) -> float:
    """Where a door stands whose `side` a hand at `place` (3,) [m, map] has moved, as `door_end_pose` has it [rad]."""
    values = np.linspace(0.05, part.range, 100)
    off = [np.linalg.norm(door_end_pose(part, float(v), side)[:2, 3] - place[:2]) for v in values]
    return float(values[int(np.argmin(off))])
