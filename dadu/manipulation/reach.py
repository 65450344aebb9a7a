"""The way of the arm from folded to a pose in front of it, and back: out beside the furniture, then straight in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.manipulation.clearance import Clearance
from dadu.robots import hand, ik
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.robots.motion import Motion, move, pass_through
from dadu.robots.poses import shifted

RISES = (0.0, 0.08, 0.16, 0.24, 0.32)
"""heights above the entry at which unfolding is tried [m]"""
NARROW = 0.08
"""aperture for which room to unfold is looked for [m]"""
STEP = 0.03
"""between postures on a straight way [m]"""
NEAREST = 0.3
"""of the robot's nearest reach: so far the tool is drawn in, in any case [share]"""
LONGEST = 0.6
"""a way straight back [m]"""


class Blocked(ik.NoSolution):
    """The arm could get there, but something is in its way."""


@dataclass(frozen=True)
class ReachEntry:
    """How the arm comes to a posture in front of it, all relative to base_link at `origin` (map)."""

    origin: Pose2
    folded: Posture
    """base where the arm unfolds, at the height of unfolding"""
    unfolded: Posture
    """drawn in, the hand oriented"""
    inward: tuple[Posture, ...]
    """from drawn in, the base where it will work, to the entry pose"""

    @property
    def goal(self) -> Posture:
        return self.inward[-1]


def plan_entry(body: Manipulator, observation: Observation, entry: Posture, clearance: Clearance,
               aperture: float) -> ReachEntry:
    """To the posture `entry`, straight in along the arm's direction after unfolding beside the furniture.

    Errors: NoSolution where the arm does not get out of there, Blocked where something is in the way.
    """
    outward = withdraw(body, entry)
    inward = tuple(reversed([entry, *outward]))
    if body.kinematics.touches_itself(entry.joints, 0.0) or not clearance.free(inward, aperture):
        raise Blocked("something stands in the way of the arm")
    # Where there is no room to turn the hand, as beside an open door, it turns before the base drives.
    for drive in (entry.drive, 0.0):
        for rise in RISES:
            found = _unfold(body, observation, inward[0], rise, drive, clearance)
            if found is not None:
                return ReachEntry(observation.base_pose, *found, inward)
    raise Blocked("there is no room to unfold the arm here")


def reach(body: Manipulator, observation: Observation, entry: ReachEntry, opening: float | None = None) -> Motion:
    """From folded to the entry pose; an empty hand opens to `opening` [m] on the way.

    Errors: SkillFailed (arm_stalled).
    """
    unfolding = [entry.folded], [entry.unfolded]
    if opening is None:
        return (yield from pass_through(body, observation, (*unfolding, entry.inward), entry.origin))
    # No wider than what room was looked for: beside an open door a wide hand does not turn.
    observation = yield from hand.set_opening(observation, min(opening, NARROW))
    observation = yield from pass_through(body, observation, unfolding, entry.origin)
    observation = yield from hand.set_opening(observation, opening)
    observation = yield from move(body, observation, entry.inward, entry.origin)
    return (yield from hand.open_hand(body, observation, opening))


def _unfold(body: Manipulator, observation: Observation, retracted: Posture, rise: float, drive: float,
            clearance: Clearance) -> tuple[Posture, Posture] | None:
    """Postures before and after unfolding `rise` [m] above `retracted` with the base at `drive`; None without room."""
    try:
        unfolded = replace(raised(body, retracted, rise), drive=drive)
        folded = tool_at_height(body, body.posture(observation), body.kinematics.tool(unfolded.joints)[2, 3])
    except ik.NoSolution:
        return None
    folded = replace(folded, drive=drive)
    way = [*interpolate_postures(folded, unfolded), *interpolate_postures(unfolded, retracted, 4)]
    if any(body.kinematics.touches_itself(posture.joints, 0.0) for posture in way) or not clearance.free(way, NARROW):
        return None
    return folded, unfolded


def withdraw(body: Manipulator, start: Posture, longest: float = LONGEST) -> list[Posture]:
    """Straight back against the arm's direction at the same height, as far as the arm goes; `start` left out."""
    heading = body.robot.arm_direction
    back = -np.array([np.cos(heading), np.sin(heading), 0.0])
    T, path, posture = body.kinematics.tool_at(start), [], start
    out = -float(T[:3, 3] @ back) - NEAREST * body.robot.reach[0]
    for distance in np.arange(STEP, min(longest, out) + 1e-9, STEP):
        try:
            posture = body.solve(shifted(T, distance * back), posture, near=True)
        except ik.NoSolution:
            break
        if body.kinematics.touches_itself(posture.joints, 0.0):
            break
        path.append(posture)
    return path


def raised(body: Manipulator, posture: Posture, height: float) -> Posture:
    """The same with the tool `height` [m] higher, or as much as the limits allow: an arm that is as high as it goes
    stays there."""
    T = body.kinematics.tool_at(posture)
    for share in (1.0, 0.75, 0.5, 0.25) if height else ():
        try:
            return body.solve(shifted(T, (0.0, 0.0, share * height)), posture, near=True)
        except ik.NoSolution:
            continue
    return posture


def tool_at_height(body: Manipulator, posture: Posture, height: float) -> Posture:
    """The same with the tool at `height` [m], or as near to it as the limits allow. Errors: NoSolution."""
    T = body.kinematics.tool_at(posture)
    for share in (1.0, 0.9, 0.75, 0.5):
        try:
            return body.solve(shifted(T, (0.0, 0.0, share * (height - T[2, 3]))), posture, near=True)
        except ik.NoSolution:
            continue
    raise ik.NoSolution(f"the arm cannot bring the tool to a height of {height:.2f} m")


def interpolate_postures(start: Posture, end: Posture, count: int = 12) -> list[Posture]:
    """Postures on the joint-space way from `start` to `end`, both included."""
    return [Posture({name: (1 - share) * value + share * end.joints[name] for name, value in start.joints.items()},
                    (1 - share) * start.drive + share * end.drive) for share in np.linspace(0.0, 1.0, count)]
