"""Opening a door wider from behind: the hand reaches past its outer end and pushes its inner face.

Led by the bar, a hand ends up beyond the hinge, where walls and beds often leave the base no room; from behind it ends
before the hinge. The arm draws the hand back as the leaf turns, so that its fingers stay at the leaf's end.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dadu.core.geometry import transform
from dadu.core.robot import Observation
from dadu.manipulation.articulation.following import (
    DRIVE,
    Moving,
    enter,
    slowly,
    sweep_along,
    tool_now,
    values_between,
)
from dadu.manipulation.articulation.parts import along_leaf, leaf, radius
from dadu.manipulation.reach import reach, withdraw
from dadu.manipulation.room import drive_range
from dadu.robots.body import Manipulator, SkillFailed
from dadu.robots.motion import Motion, move
from dadu.skills.outcome import Code, Detail
from dadu.world.graph import Articulation

LEAST = 0.5
"""a door that stands less open leaves no room behind it [rad]"""
BEYOND = 0.06
"""how far a door reaches beyond its handle [m]"""
BEHIND = 0.11
"""how far the grasp centre is behind the door's end, which slim fingers then touch, and not the palm [m]"""
HALF = 0.025
"""half the width of closed fingers [m]"""
ASIDE = 0.2
"""between the fingers and the door's end as the arm unfolds [m]"""


def widen(body: Manipulator, observation: Observation, part: Articulation, value: float) -> Moving:
    """Pushes a door that stands at `value` [rad] open, and drives back to where the arm can be folded."""
    if value < LEAST or body.six_axes:
        raise SkillFailed(Code.TOO_CLOSE, "there is no room to open it any wider; go to it again to stand better",
                          Detail.IK_FAILED)
    observation = yield from _abreast(body, observation, behind(part, value, ASIDE))
    origin, end = observation.base_pose, min(part.range, body.settings.door.stop)
    entry = enter(body, observation, origin, behind(part, value, ASIDE), leaf(replace(part, value=value)))
    values = values_between(part, value, end)
    sweep, _ = sweep_along(body, origin, [behind(part, v) for v in values], entry.goal,
                           [drive_range(body, observation, DRIVE)] * len(values))
    back = withdraw(body, sweep[-1]) or sweep[-1:]

    observation = yield from reach(body, observation, entry, 0.0)
    observation = yield from move(body, observation, sweep, origin, patient=True, least=slowly(body, part, value, end))
    lever = float(along_leaf(part) @ (tool_now(body, observation)[:3, 3] - part.origin)) - HALF
    observation = yield from move(body, observation, [*back, replace(back[-1], drive=entry.goal.drive)], origin,
                                  patient=True)
    return observation, math.acos(min(1.0, max(-1.0, lever / _length(part))))


def _abreast(body: Manipulator, observation: Observation, T_map_tool: np.ndarray) -> Motion:
    """Drives, the arm folded, to where it points at a place, as far as the laser sees room."""
    place = observation.base_pose.inverse().apply(T_map_tool[:2, 3])
    low, high = drive_range(body, observation, DRIVE)
    drive = min(max(float(place[0]), low), high)
    goal = replace(body.posture(observation), drive=drive)
    return (yield from move(body, observation, [goal], observation.base_pose))


def _length(part: Articulation) -> float:
    return radius(part) + BEYOND


def behind(part: Articulation, value: float, aside: float = 0.0) -> np.ndarray:
    """T_map_tool (4, 4) with a closed hand pointing into the furniture, behind the end of a door that stands at `value`
    [rad], and `aside` from it [m]."""
    normal, along = np.array(part.normal, float), along_leaf(part)
    place = np.array(part.origin) + (_length(part) * math.cos(value) + HALF + aside) * along
    place = place + (_length(part) * math.sin(value) - BEHIND) * normal
    z = np.array([0.0, 0.0, 1.0])
    return transform(np.column_stack([-normal, np.cross(z, -normal), z]), np.array([*place[:2], part.handle[2]]))
