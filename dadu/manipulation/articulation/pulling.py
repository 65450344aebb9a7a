"""Moving a part by hand: gripping its bar and leading it open, pushing it shut with closed fingers.

The hand follows the part exactly as it turns: the arm covers the depth, the base drives for the width, and the
gripper's heading keeps to the part's normal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeAlias

import numpy as np

from dadu.core.geometry import Pose2, inverse
from dadu.core.robot import Command, Observation
from dadu.manipulation.articulation.parts import handle_pose, push_pose, value_at
from dadu.manipulation.clearance import Clearance
from dadu.manipulation.reach import ReachEntry, plan_entry, reach
from dadu.manipulation.room import room_to_fold
from dadu.navigation.standing.stances import wrist_offset
from dadu.robots import hand
from dadu.robots.body import Manipulator, SkillFailed
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.motion import move
from dadu.robots.poses import shifted, turned
from dadu.skills.outcome import Code, Detail
from dadu.world.graph import Articulation

Way: TypeAlias = Callable[[Manipulator, Observation, Articulation, float],
                          Generator[Command, Observation, tuple[Observation, float]]]
"""Moves a part that stands at a value [rad or m]; returns where the hand left it. Errors: SkillFailed."""

BACK = 0.10
"""before the bar, where the hand opens [m]"""
PAST_BAR = (0.12, 0.09, 0.06)
"""before a front, where the hand passes a bar that stands out of it: the farthest where the arm gets [m]"""
CLEAR = 0.07
"""way back from the bar that frees the fingers [m]"""
LETTING_GO = 0.08
"""between fingers that let a handle go, more than the bar is thick [m]"""
SIX_AXES = 0.7
"""share of the speed at which an arm of six axes leads a part: it lags behind, and leaves a door less open"""
OVER = 0.03
"""a push ends this much past shut, a seal wants it [rad or m]"""
DRIVE = 1.0
"""of the base while a door turns, at most [m]"""
ROOM = 0.03
"""that the base keeps to while an arm that needs no help from it follows a door [m]"""
DEEPER = 0.014
"""how much farther in the pads may hold the bar where the wrist has no room left [m]"""
GIVE = (0.0, 0.12, 0.24, 0.36, 0.5)
"""by how much the gripper may lag behind a turning bar where the wrist ends [rad]"""


def ways_to_open(part: Articulation) -> Sequence[Way]:
    """What to try, in turn: a second pull starts from where the first one left the part."""
    return (pull, pull)


def ways_to_close(part: Articulation) -> Sequence[Way]:
    return (push, push)


def pull(body: Manipulator, observation: Observation, part: Articulation, value: float,
         ) -> Generator[Command, Observation, tuple[Observation, float]]:
    """Grips the bar and leads it open as far as the arm goes, then lets go and backs off."""
    origin = observation.base_pose
    entry = _enter(body, observation, origin, handle_pose(part, value, BACK))
    onto = _path(body, origin, [handle_pose(part, value, out) for out in (0.05, 0.0)], entry.goal)
    observation = yield Command()
    end = min(part.range, body.settings.door.stop) if part.kind == "hinge" else part.range
    values = _values(part, value, end)
    drives = _drives(body, observation, origin, part, values, onto[-1], opening=True)
    sweep, back = _sweep_and_leave(body, origin, part, values, drives, onto[-1])

    observation = yield from reach(body, observation, entry, body.robot.aperture_max)
    observation = yield from move(body, observation, onto, origin)
    observation = yield from hand.close_hand(body, observation)
    if not _grips(body, observation):
        raise SkillFailed(Code.EXECUTION_FAILED, "the fingers did not find the handle; go to it again and retry",
                          Detail.NO_GRASP)
    least = _slowly(body, part, value, end)
    observation = yield from move(body, observation, sweep, origin, patient=True, least=least,
                                  until=lambda seen: not _grips(body, seen))
    slipped = not _grips(body, observation)
    reached = value_at(part, _tool(body, observation)[:3, 3])
    observation = yield from hand.open_hand(body, observation, body.robot.aperture_max if body.six_axes else LETTING_GO)
    observation = yield from move(body, observation, [] if slipped else [back], origin, patient=True)
    observation = yield from hand.set_opening(observation, body.settings.gripper.squeeze)
    if slipped:
        raise SkillFailed(Code.EXECUTION_FAILED, "the handle slipped from the fingers at "
                          f"{100 * reached / part.range:.0f} % open; try again", Detail.GRASP_SLIPPED)
    return observation, reached


def push(body: Manipulator, observation: Observation, part: Articulation, value: float,
         ) -> Generator[Command, Observation, tuple[Observation, float]]:
    """Sweeps the closed fingertips against the front until it is shut."""
    origin, radius = observation.base_pose, body.settings.door.push_radius
    # A door is met beside its bar, which the hand has to pass first; a drawer at its bar.
    start, ways = (value + 0.10, PAST_BAR) if part.kind == "hinge" else (value + 0.01, (0.02,))
    entry, before = _enter_before(body, observation, part, start, ways)
    observation = yield Command()
    onto = _path(body, origin, [push_pose(part, start, radius, out) for out in (0.5 * before, 0.0)], entry.goal)
    values = _values(part, start, -OVER)
    sweep, _ = _sweep(body, origin, [push_pose(part, v, radius) for v in values], onto[-1],
                      _drives(body, observation, origin, part, values, onto[-1], opening=False))
    observation = yield from reach(body, observation, entry, 0.0)
    observation = yield from move(body, observation, onto, origin, patient=True)
    observation = yield from move(body, observation, sweep, origin, patient=True,
                                  least=_slowly(body, part, start, 0.0))
    tip = _tool(body, observation)[:3, 3]
    shut = push_pose(part, 0.0, radius)[:3, 3]
    left = float(np.linalg.norm(tip - shut))
    return observation, max(0.0, left if part.kind == "slide" else left / radius)


def _enter_before(body: Manipulator, observation: Observation, part: Articulation, value: float,
                  ways: Sequence[float]) -> tuple[ReachEntry, float]:
    """To before the front of a part that stands at `value` [rad or m], where the arm gets there by the first of `ways`
    [m]; and that one. Errors: SkillFailed (ik_failed)."""
    for before in ways:
        pose = push_pose(part, value, body.settings.door.push_radius, before)
        try:
            return _enter(body, observation, observation.base_pose, pose), before
        except SkillFailed:
            if before == ways[-1]:
                raise
    raise ValueError("there has to be a way")


def _enter(body: Manipulator, observation: Observation, origin: Pose2, T_map_entry: np.ndarray) -> ReachEntry:
    T = inverse(origin.matrix()) @ T_map_entry
    nothing = Clearance(body.kinematics, np.zeros((0, 3)))
    most = ROOM if body.six_axes else body.settings.pick.max_drive
    for give in (0.0, *(sign * give for give in GIVE[1:] for sign in (1.0, -1.0))):
        try:
            entry = body.solve(turned(T, give), body.ready(observation), (-most, most))
            return plan_entry(body, observation, entry, nothing, body.robot.aperture_max)
        except NoSolution:
            continue
    raise SkillFailed(Code.TOO_FAR, "the handle is out of the arm's reach from here; go to it again to stand better",
                      Detail.IK_FAILED)


def _path(body: Manipulator, origin: Pose2, poses: Sequence[np.ndarray], seed: Posture) -> list[Posture]:
    """Errors: SkillFailed (ik_failed)."""
    path, complete = _sweep(body, origin, poses, seed)
    if not complete:
        raise SkillFailed(Code.TOO_FAR, "the arm cannot follow the handle from here; go to it again to stand better",
                          Detail.IK_FAILED)
    return path


def _drives(body: Manipulator, observation: Observation, origin: Pose2, part: Articulation, values: np.ndarray,
            start: Posture, opening: bool) -> list[tuple[float, float]]:
    """Where the base may be at each of `values` [m]: as it opens, where the arm can be folded afterwards; as it closes,
    it is the part itself that the laser sees in the way. An arm that could do without the base keeps it beside the
    wrist, as its stance was chosen: out of the way of the door."""
    if not body.six_axes:
        return [room_to_fold(body, observation, DRIVE) if opening else (-DRIVE, DRIVE)] * len(values)
    ahead = np.array([np.cos(origin.yaw), np.sin(origin.yaw)]) @ (-part.normal[1], part.normal[0])
    aside = np.zeros(len(values))
    if part.kind == "hinge":
        aside = np.array([wrist_offset(part, float(value), opening) for value in values])
    return [(place - ROOM, place + ROOM) for place in start.drive + ahead * (aside - aside[0])]


def _sweep(body: Manipulator, origin: Pose2, poses: Sequence[np.ndarray], seed: Posture,
           drives: Sequence[tuple[float, float]] = ()) -> tuple[list[Posture], bool]:
    """Postures along `poses` (T_map_tool) as far as the arm goes, and whether that is all the way; the base within
    `drives` [m] where they are given.

    Where the wrist ends, the gripper's heading lags: a bar turns between the pads. Errors: SkillFailed (ik_failed).
    """
    path: list[Posture] = []
    to_base = inverse(origin.matrix())
    for i, pose in enumerate(poses):
        found = _follow_bar(body, to_base @ pose, seed, drives[i] if drives else (-DRIVE, DRIVE))
        if found is None:
            break
        path.append(seed := found)
    if not path:
        raise SkillFailed(Code.TOO_FAR, "the arm cannot follow the handle from here; go to it again to stand better",
                          Detail.IK_FAILED)
    return path, len(path) == len(poses)


def _sweep_and_leave(body: Manipulator, origin: Pose2, part: Articulation, values: np.ndarray,
                     drives: Sequence[tuple[float, float]], seed: Posture) -> tuple[list[Posture], Posture]:
    """Postures that lead the bar through `values`, as far as the arm goes and can still back off the bar from there,
    and the posture backed off. Errors: SkillFailed (ik_failed)."""
    sweep, _ = _sweep(body, origin, [handle_pose(part, v) for v in values], seed, drives)
    to_base = inverse(origin.matrix())
    for last in range(len(sweep) - 1, len(sweep) // 2, -1):
        back = _follow_bar(body, to_base @ handle_pose(part, values[last], CLEAR), sweep[last], drives[last])
        if back is not None:
            return sweep[:last + 1], back
    raise SkillFailed(Code.TOO_CLOSE, "there is no room to pull it open and let go; go to it again to stand better",
                      Detail.IK_FAILED)


def _follow_bar(body: Manipulator, T_base_tool: np.ndarray, seed: Posture,
                drive: tuple[float, float]) -> Posture | None:
    """At the bar, or nearly: turned a little about it where it is upright. None where the arm does not get there."""
    upright = abs(T_base_tool[2, 2]) > 0.7
    deeper = shifted(T_base_tool, DEEPER * T_base_tool[:3, 0])
    for give in GIVE if upright else GIVE[:1]:
        for T in (T_base_tool, deeper):
            for sign in ((1.0,) if give == 0.0 else (1.0, -1.0)):
                try:
                    return body.solve(turned(T, sign * give), seed, drive, near=True)
                except NoSolution:
                    continue
    return None


def _values(part: Articulation, start: float, end: float) -> np.ndarray:
    step = 0.06 if part.kind == "hinge" else 0.04
    return np.linspace(start, end, max(2, int(np.ceil(abs(end - start) / step)) + 1))


def _slowly(body: Manipulator, part: Articulation, start: float, end: float) -> float:
    """How long the part takes at its set speed [s]."""
    speed = body.settings.door.sweep if part.kind == "hinge" else body.settings.door.slide
    return abs(end - start) / (speed * (SIX_AXES if body.six_axes else 1.0))


def _grips(body: Manipulator, observation: Observation) -> bool:
    return hand.holding(observation, body.robot, body.settings.gripper)


def _tool(body: Manipulator, observation: Observation) -> np.ndarray:
    """T_map_tool (4, 4) as measured."""
    return observation.base_pose.matrix() @ body.kinematics.tool(observation.joints)
