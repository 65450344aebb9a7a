"""The way of the arm from folded to a pose in front of it, and back: out beside the furniture, then straight in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dadu.geometry import Pose2
from dadu.manipulation import ik
from dadu.manipulation.body import Body
from dadu.manipulation.clearance import Clearance
from dadu.manipulation.kinematics import Posture
from dadu.manipulation.poses import shifted
from dadu.robot import Observation

RISES = (0.0, 0.08, 0.16, 0.24, 0.32)
"""heights above the entry at which unfolding is tried [m]"""
STEP = 0.03
"""between postures on a straight way [m]"""
LONGEST = 0.6
"""a way straight back [m]"""


class Blocked(ik.NoSolution):
    """The arm could get there, but something is in its way."""


@dataclass(frozen=True)
class Entry:
    """How the arm comes to a posture in front of it, all relative to base_link at `origin` (map)."""

    origin: Pose2
    folded: Posture
    """base where it will work, arm still folded, at the height of unfolding"""
    unfolded: Posture
    """drawn in, the hand oriented"""
    inward: tuple[Posture, ...]
    """from drawn in to the entry pose"""

    @property
    def goal(self) -> Posture:
        return self.inward[-1]

    @property
    def postures(self) -> list[Posture]:
        return [self.folded, self.unfolded, *self.inward]


def plan_entry(body: Body, observation: Observation, entry: Posture, clearance: Clearance, aperture: float) -> Entry:
    """To the posture `entry`, straight in along the arm's direction after unfolding beside the furniture.

    Errors: NoSolution where the arm does not get out of there, Blocked where something is in the way.
    """
    now = body.posture(observation)
    outward = withdraw(body, entry)
    inward = tuple(reversed([entry, *outward]))
    if not clearance.free(inward, aperture):
        raise Blocked("something stands in the way of the arm")
    for rise in RISES:
        try:
            unfolded = raised(body, inward[0], rise)
            folded = at_height(body, now, body.kinematics.tool(unfolded.joints)[2, 3])
        except ik.NoSolution:
            break
        folded = Posture(folded.joints, entry.drive)
        if clearance.free(between(folded, unfolded), min(aperture, 0.08)):
            return Entry(observation.base_pose, folded, unfolded, inward)
    raise Blocked("there is no room to unfold the arm here")


def withdraw(body: Body, start: Posture, longest: float = LONGEST) -> list[Posture]:
    """Straight back against the arm's direction at the same height, as far as the arm goes; `start` left out."""
    heading = body.robot.arm_direction
    back = -np.array([np.cos(heading), np.sin(heading), 0.0])
    T, path, posture = body.kinematics.tool_at(start), [], start
    for distance in np.arange(STEP, longest + 1e-9, STEP):
        try:
            posture = body.solve(shifted(T, distance * back), posture, near=True)
        except ik.NoSolution:
            break
        path.append(posture)
    return path


def raised(body: Body, posture: Posture, height: float) -> Posture:
    """The same with the tool `height` [m] higher. Errors: NoSolution."""
    if height == 0.0:
        return posture
    return body.solve(shifted(body.kinematics.tool_at(posture), (0.0, 0.0, height)), posture, near=True)


def at_height(body: Body, posture: Posture, height: float) -> Posture:
    """The same with the tool at `height` [m], or as near to it as the limits allow. Errors: NoSolution."""
    T = body.kinematics.tool_at(posture)
    for share in (1.0, 0.9, 0.75, 0.5):
        try:
            return body.solve(shifted(T, (0.0, 0.0, share * (height - T[2, 3]))), posture, near=True)
        except ik.NoSolution:
            continue
    raise ik.NoSolution(f"the arm cannot bring the tool to a height of {height:.2f} m")


def between(start: Posture, end: Posture, count: int = 8) -> list[Posture]:
    """Postures on the joint-space way from `start` to `end`, both included."""
    return [Posture({name: (1 - share) * value + share * end.joints[name] for name, value in start.joints.items()},
                    (1 - share) * start.drive + share * end.drive) for share in np.linspace(0.0, 1.0, count)]
