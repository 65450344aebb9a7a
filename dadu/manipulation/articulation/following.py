"""Postures that bring a hand to a part and lead it along with it, where the base may help."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from dadu.core.geometry import Pose2, apply, inverse
from dadu.core.robot import Command, Observation
from dadu.manipulation.room import room_to_fold
from dadu.motion.model import body_model
from dadu.motion.plan import ReachEntry, plan_entry
from dadu.motion.scene import CollisionScene
from dadu.robots.body import Manipulator
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.poses import shifted, turned
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.world.graph import Articulation

Moving: TypeAlias = Generator[Command, Observation, tuple[Observation, float]]
"""Moves a part; returns where the hand left it [rad or m]. Errors: SkillFailed."""

DRIVE = 1.0
"""of the base while a door turns, at most [m]"""
ROOM = 0.03
"""that the base keeps to while an arm that needs no help from it follows a door [m]"""
LAGGING = 0.7
"""share of the speed at which such an arm leads a part: it lags behind, and leaves a door less open"""
DEEPER = 0.014
"""how much farther in the pads may hold the bar where the wrist has no room left [m]"""
GIVE = (0.0, 0.12, 0.24, 0.36, 0.5)
"""by how much the gripper may lag behind a turning bar where the wrist ends [rad]"""


def enter(body: Manipulator, observation: Observation, origin: Pose2, T_map_entry: np.ndarray,
          past: np.ndarray | None = None, ignoring: np.ndarray | None = None) -> ReachEntry:
    """From folded to T_map_entry (4, 4), or turned a little from it; with a closed hand `past` what there is, points
    (N, 3) [m, map]. What of the laser's points is `ignoring` (N, 3) [m, map] does not keep the base from driving.
    Errors: SkillFailed (ik_failed)."""
    to_base = inverse(origin.matrix())
    T = to_base @ T_map_entry
    scene = CollisionScene(body_model(body.kinematics), points=None if past is None else apply(to_base, past))
    aperture = body.robot.aperture_max if past is None else 0.0
    drive = (-ROOM, ROOM) if body.kinematics.holds_any_pose else room_to_fold(
        body, observation, body.settings.pick.max_drive, ignoring)
    for give in (0.0, *(sign * give for give in GIVE[1:] for sign in (1.0, -1.0))):
        try:
            entry = body.solve(turned(T, give), body.ready(observation), drive)
            return plan_entry(body, body.posture(observation), observation.base_pose, entry, scene, aperture)
        except NoSolution:
            continue
    raise SkillFailed(Code.TOO_FAR, "the handle is out of the arm's reach from here; go to it again to stand better",
                      Detail.IK_FAILED)


def complete_path(body: Manipulator, origin: Pose2, poses: Sequence[np.ndarray], seed: Posture) -> list[Posture]:
    """Postures along all of `poses` (T_map_tool). Errors: SkillFailed (ik_failed)."""
    path, complete = sweep_along(body, origin, poses, seed)
    if not complete:
        raise SkillFailed(Code.TOO_FAR, "the arm cannot follow the handle from here; go to it again to stand better",
                          Detail.IK_FAILED)
    return path


def sweep_along(body: Manipulator, origin: Pose2, poses: Sequence[np.ndarray], seed: Posture,
                drives: Sequence[tuple[float, float]] = ()) -> tuple[list[Posture], bool]:
    """Postures along `poses` (T_map_tool) as far as the arm goes, and whether that is all the way; the base within
    `drives` [m] where they are given.

    Where the wrist ends, the gripper's heading lags: a bar turns between the pads. Errors: SkillFailed (ik_failed).
    """
    path: list[Posture] = []
    to_base = inverse(origin.matrix())
    for i, pose in enumerate(poses):
        found = follow_bar(body, to_base @ pose, seed, drives[i] if drives else (-DRIVE, DRIVE))
        if found is None:
            break
        path.append(seed := found)
    if not path:
        raise SkillFailed(Code.TOO_FAR, "the arm cannot follow the handle from here; go to it again to stand better",
                          Detail.IK_FAILED)
    return path, len(path) == len(poses)


def follow_bar(body: Manipulator, T_base_tool: np.ndarray, seed: Posture,
               drive: tuple[float, float]) -> Posture | None:
    """With the tool at T_base_tool (4, 4), or nearly: turned a little about an upright bar. None where the arm does not
    get there."""
    upright = abs(T_base_tool[2, 2]) > 0.7
    deeper = shifted(T_base_tool, DEEPER * T_base_tool[:3, 0])
    for give in GIVE if upright else GIVE[:1]:
        for T, sign in product((T_base_tool, deeper), (1.0, -1.0) if give else (1.0,)):
            try:
                return body.solve(turned(T, sign * give), seed, drive, near=True)
            except NoSolution:
                continue
    return None


def values_between(part: Articulation, start: float, end: float) -> np.ndarray:
    """(N,) [rad or m] from `start` to `end`, at which postures are planned."""
    step = 0.06 if part.kind == "hinge" else 0.04
    return np.linspace(start, end, max(2, int(np.ceil(abs(end - start) / step)) + 1))


def slowly(body: Manipulator, part: Articulation, start: float, end: float) -> float:
    """How long the part takes at its set speed [s]."""
    speed = body.settings.door.sweep if part.kind == "hinge" else body.settings.door.slide
    return abs(end - start) / (speed * (LAGGING if body.kinematics.holds_any_pose else 1.0))


def tool_now(body: Manipulator, observation: Observation) -> np.ndarray:
    """T_map_tool (4, 4) as measured."""
    return observation.base_pose.matrix() @ body.kinematics.tool(observation.joints)
