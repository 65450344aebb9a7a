"""The way of the arm from folded to a pose in front of it: out beside the furniture, then straight in; and where that
is blocked, whatever way RRT-Connect finds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dadu.core.geometry import Pose2
from dadu.motion.model import body_model
from dadu.motion.rrt import connect
from dadu.motion.scene import CollisionScene
from dadu.robots import ik
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.robots.poses import shifted

RISES = (0.0, 0.08, 0.16, 0.24, 0.32)
"""heights above the entry at which unfolding is tried [m]"""
NARROW = 0.08
"""aperture for which room to unfold is looked for [m]"""
STEP = 0.03
"""between postures on a straight way [m]"""
NEAREST = 0.3
"""of the robot's nearest reach: so far the tool is drawn in, in any case [share]"""
SHARES = (1.0, 0.9, 0.75, 0.5, 0.25)
"""of a change of height, that an arm tries"""
LEAST = 0.002
"""a change of height by less is none [m]"""
LONGEST = 0.6
"""a way straight back [m]"""
FINE = 0.06, 0.02
"""between postures that are checked [rad], and along sliding joints and the base's way [m]"""


class Blocked(ik.NoSolution):
    """The arm could get there, but something is in its way; the text names it."""


@dataclass(frozen=True)
class ReachEntry:
    """How the arm comes to a posture in front of it, all relative to base_link at `origin` (map)."""

    origin: Pose2
    unfolding: tuple[Posture, ...]
    """from folded to drawn in, the hand oriented"""
    inward: tuple[Posture, ...]
    """from drawn in, the base where it will work, to the entry pose"""

    @property
    def folded(self) -> Posture:
        """Base where the arm unfolds, at the height of unfolding."""
        return self.unfolding[0]

    @property
    def unfolded(self) -> Posture:
        return self.unfolding[-1]

    @property
    def goal(self) -> Posture:
        return self.inward[-1]


def plan_entry(body: Manipulator, now: Posture, origin: Pose2, entry: Posture, scene: CollisionScene, aperture: float,
               *, search: bool = False) -> ReachEntry:
    """From the folded posture `now` to the posture `entry`, the base at `origin`: straight in along the arm's direction
    after unfolding beside the furniture; with `search`, where there is no room for that, any way to where it goes
    straight in.

    Errors: NoSolution where the arm does not get out of there, Blocked where something is in the way.
    """
    inward = tuple(reversed([entry, *withdraw(body, entry, aperture=aperture)]))
    if hit := scene.blocked(inward, aperture):
        raise Blocked(f"{hit.other} is in the way of the arm")
    # Where there is no room to turn the hand, as beside an open door, it turns before the base drives.
    for drive in (entry.drive, 0.0):
        for rise in RISES:
            found = _unfold(body, now, inward[0], rise, drive, scene)
            if found is not None:
                return ReachEntry(origin, found, inward)
    if search and (way := joint_way(body, now, inward[0], scene, NARROW)):
        return ReachEntry(origin, tuple(way), inward)
    hit = scene.blocked(interpolate_postures(now, inward[0]), NARROW)
    raise Blocked(f"{hit.other if hit else 'something'} leaves no room to unfold the arm")


def joint_way(body: Manipulator, start: Posture, goal: Posture, scene: CollisionScene, aperture: float, *,
              seed: int = 0, iterations: int = 200) -> list[Posture] | None:
    """Corners of a free way between two postures, arm and base moving as they like within limits and the range of the
    two drives; None where none is found."""
    names = body.robot.arm_joints
    turns, slides = FINE
    unit = np.array([slides if body.kinematics.slides(name) else turns for name in names] + [slides])
    limits = [body.robot.joints[name] for name in names]
    drives = sorted((start.drive, goal.drive))
    low, high = (np.array([getattr(limit, end) for limit in limits] + [drive]) / unit
                 for end, drive in zip(("lower", "upper"), drives, strict=True))

    def vector(posture: Posture) -> np.ndarray:
        return np.array([posture.joints[name] for name in names] + [posture.drive]) / unit

    def posture(x: np.ndarray) -> Posture:
        values = x * unit
        return Posture({**goal.joints, **dict(zip(names, map(float, values[:-1]), strict=True))}, float(values[-1]))

    def free(x: np.ndarray) -> bool:
        return scene.contact(posture(x), aperture) is None

    ends = vector(start), vector(goal)
    if not all(map(free, ends)):
        return None
    way = connect(free, *ends, low, high, seed=seed, iterations=iterations)
    return None if way is None else [posture(x) for x in way]


def _unfold(body: Manipulator, now: Posture, retracted: Posture, rise: float, drive: float, scene: CollisionScene
            ) -> tuple[Posture, Posture] | None:
    """Postures before and after unfolding `rise` [m] above `retracted` with the base at `drive`; None without room."""
    try:
        unfolded = replace(raised(body, retracted, rise), drive=drive)
        folded = tool_at_height(body, replace(now, drive=0.0), body.kinematics.tool(unfolded.joints)[2, 3])
    except ik.NoSolution:
        return None
    folded = replace(folded, drive=drive)
    way = [*interpolate_postures(folded, unfolded), *interpolate_postures(unfolded, retracted, 4)]
    return (folded, unfolded) if scene.free(way, NARROW) else None


def withdraw(body: Manipulator, start: Posture, longest: float = LONGEST, aperture: float = 0.0) -> list[Posture]:
    """Straight back against the arm's direction at the same height, as far as the arm goes without running into its own
    body, the fingers `aperture` apart [m]; `start` left out."""
    heading = body.robot.arm_direction
    back = -np.array([np.cos(heading), np.sin(heading), 0.0])
    T, path, posture = body.kinematics.tool_at(start), [], start
    itself = CollisionScene(body_model(body.kinematics))
    out = -float(T[:3, 3] @ back) - NEAREST * body.robot.reach[0]
    for distance in np.arange(STEP, min(longest, out) + 1e-9, STEP):
        try:
            posture = body.solve(shifted(T, distance * back), posture, near=True)
        except ik.NoSolution:
            break
        if itself.contact(posture, aperture):
            break
        path.append(posture)
    return path


def raised(body: Manipulator, posture: Posture, height: float) -> Posture:
    """The same with the tool `height` [m] higher, by the lift as far as that goes and by the arm for the rest; by less
    where the limits allow no more: an arm that is as high as it goes stays there."""
    if lift := body.kinematics.lift:
        moved = body.robot.joints[lift].within(posture.joints[lift] + height)
        height -= moved - posture.joints[lift]
        posture = posture.with_joints({lift: moved})
    T = body.kinematics.tool_at(posture)
    for share in SHARES if abs(height) > LEAST else ():
        try:
            return body.solve(shifted(T, (0.0, 0.0, share * height)), posture, near=True)
        except ik.NoSolution:
            continue
    return posture


def tool_at_height(body: Manipulator, posture: Posture, height: float) -> Posture:
    """The same with the tool at `height` [m], or more than half of the way to it. Errors: NoSolution."""
    start = body.kinematics.tool_at(posture)[2, 3]
    moved = raised(body, posture, height - start)
    if abs(body.kinematics.tool_at(moved)[2, 3] - start) < 0.5 * abs(height - start) - LEAST:
        raise ik.NoSolution(f"the arm cannot bring the tool to a height of {height:.2f} m")
    return moved


def interpolate_postures(start: Posture, end: Posture, count: int = 12) -> list[Posture]:
    """Postures on the joint-space way from `start` to `end`, both included."""
    return [Posture({name: (1 - share) * value + share * end.joints[name] for name, value in start.joints.items()},
                    (1 - share) * start.drive + share * end.drive) for share in np.linspace(0.0, 1.0, count)]
