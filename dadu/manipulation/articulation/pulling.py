"""Moving a part by hand: gripping its bar and leading it open, pushing it shut with closed fingers.

The hand follows the part exactly as it turns: the arm covers the depth, the base drives for the width, and the
gripper's heading keeps to the part's normal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dadu.core.geometry import Pose2, inverse
from dadu.core.robot import Command, Observation
from dadu.manipulation.articulation.following import (
    DRIVE,
    ROOM,
    Moving,
    complete_path,
    enter,
    follow_bar,
    slowly,
    sweep_along,
    tool_now,
    values_between,
)
from dadu.manipulation.articulation.parts import handle_pose, leaf, push_pose, value_at
from dadu.manipulation.carry import reach
from dadu.manipulation.room import room_to_fold
from dadu.motion.plan import ReachEntry
from dadu.navigation.standing.base_poses import wrist_offset
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.robots.motion import move
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.world.graph import Articulation

BACK = 0.10
"""before the bar, where the hand opens [m]"""
AROUND_BAR = 0.1
"""between fingers that go about a door's bar: that of the next door is as far away [m]"""
PAST_BAR = (0.12, 0.09, 0.06)
"""before a front, where the hand passes a bar that stands out of it: the farthest where the arm gets [m]"""
WIDENED = 0.7
"""a door that is pulled so far open can be opened wider from behind [rad]"""
CLEAR = 0.07
"""way back from the bar that frees the fingers [m]"""
LETTING_GO = 0.08
"""between fingers that let a handle go, more than the bar is thick [m]"""
OVER = 0.03
"""a push ends this much past shut, a seal wants it [rad or m]"""
_PUSH_RADIUS = 0.4
"""from the hinge, where the closed gripper pushes the door shut [m]"""


def pull(body: Manipulator, observation: Observation, part: Articulation, value: float) -> Moving:
    """Grips the bar and leads it open as far as the arm goes, then lets go and backs off."""
    origin = observation.base_pose
    entry = enter(body, observation, origin, handle_pose(part, value, BACK))
    onto = complete_path(body, origin, [handle_pose(part, value, out) for out in (0.05, 0.0)], entry.goal)
    observation = yield Command()
    end = min(part.range, body.settings.door.stop) if part.kind == "hinge" else part.range
    values = values_between(part, value, end)
    drives = _drives(body, observation, origin, part, values, onto[-1], opening=True)
    sweep, back = _sweep_and_leave(body, origin, part, values, drives, onto[-1])

    around = min(AROUND_BAR, body.robot.aperture_max) if part.kind == "hinge" else body.robot.aperture_max
    observation = yield from reach(body, observation, entry, around)
    observation = yield from move(body, observation, onto, origin)
    observation = yield from hand.close_hand(body, observation)
    if not _grips(body, observation):
        raise SkillFailed(Code.EXECUTION_FAILED, "the fingers did not find the handle; go to it again and retry",
                          Detail.NO_GRASP)
    least = slowly(body, part, value, end)
    observation = yield from move(body, observation, sweep, origin, patient=True, least=least,
                                  until=lambda seen: not _grips(body, seen))
    slipped = not _grips(body, observation)
    reached = value_at(part, tool_now(body, observation)[:3, 3])
    wide = body.robot.aperture_max if body.kinematics.holds_any_pose else LETTING_GO
    observation = yield from hand.open_hand(body, observation, wide)
    observation = yield from move(body, observation, [] if slipped else [back], origin, patient=True)
    observation = yield from hand.set_opening(observation, body.settings.gripper.squeeze)
    if slipped:
        raise SkillFailed(Code.EXECUTION_FAILED, "the handle slipped from the fingers at "
                          f"{100 * reached / part.range:.0f} % open; try again", Detail.GRASP_SLIPPED)
    return observation, reached


def push(body: Manipulator, observation: Observation, part: Articulation, value: float) -> Moving:
    """Sweeps the closed fingertips against the front until it is shut."""
    origin, radius = observation.base_pose, _PUSH_RADIUS
    # A door is met beside its bar, which the hand has to pass first; a drawer at its bar.
    start, ways = (value + 0.10, PAST_BAR) if part.kind == "hinge" else (value + 0.01, (0.02,))
    entry, before = _enter_before(body, observation, part, start, ways)
    observation = yield Command()
    onto = complete_path(body, origin, [push_pose(part, start, radius, out) for out in (0.5 * before, 0.0)], entry.goal)
    values = values_between(part, start, -OVER)
    sweep, _ = sweep_along(body, origin, [push_pose(part, v, radius) for v in values], onto[-1],
                           _drives(body, observation, origin, part, values, onto[-1], opening=False))
    observation = yield from reach(body, observation, entry, 0.0)
    observation = yield from move(body, observation, onto, origin, patient=True)
    observation = yield from move(body, observation, sweep, origin, patient=True,
                                  least=slowly(body, part, start, 0.0))
    tip = tool_now(body, observation)[:3, 3]
    shut = push_pose(part, 0.0, radius)[:3, 3]
    left = float(np.linalg.norm(tip - shut))
    return observation, max(0.0, left if part.kind == "slide" else left / radius)


def _enter_before(body: Manipulator, observation: Observation, part: Articulation, value: float,
                  ways: Sequence[float]) -> tuple[ReachEntry, float]:
    """To before the front of a part that stands at `value` [rad or m], where the arm gets there by the first of `ways`
    [m]; and that one. Errors: SkillFailed (ik_failed)."""
    own = leaf(replace(part, value=value)) if part.kind == "hinge" else None
    for before in ways:
        pose = push_pose(part, value, _PUSH_RADIUS, before)
        try:
            return enter(body, observation, observation.base_pose, pose, ignoring=own), before
        except SkillFailed:
            if before == ways[-1]:
                raise
    raise ValueError("there has to be a way")


def _drives(body: Manipulator, observation: Observation, origin: Pose2, part: Articulation, values: np.ndarray,
            start: Posture, opening: bool) -> list[tuple[float, float]]:
    """Where the base may be at each of `values` [m]: as it opens, where the arm can be folded afterwards; as it closes,
    it is the part itself that the laser sees in the way. An arm that could do without the base keeps it beside the
    wrist, as its stance was chosen: out of the way of the door."""
    if not body.kinematics.holds_any_pose:
        return [room_to_fold(body, observation, DRIVE) if opening else (-DRIVE, DRIVE)] * len(values)
    ahead = body.robot.drive_to(Pose2(0.0, 0.0, origin.yaw), (-part.normal[1], part.normal[0]))
    aside = np.zeros(len(values))
    if part.kind == "hinge":
        aside = np.array([wrist_offset(part, float(value), opening) for value in values])
    return [(place - ROOM, place + ROOM) for place in start.drive + ahead * (aside - aside[0])]


def _sweep_and_leave(body: Manipulator, origin: Pose2, part: Articulation, values: np.ndarray,
                     drives: Sequence[tuple[float, float]], seed: Posture) -> tuple[list[Posture], Posture]:
    """Postures that lead the bar through `values`, as far as the arm goes and can still back off the bar from there,
    and the posture backed off. Errors: SkillFailed (ik_failed)."""
    sweep, _ = sweep_along(body, origin, [handle_pose(part, v) for v in values], seed, drives)
    to_base = inverse(origin.matrix())
    for last in range(len(sweep) - 1, 0, -1):
        if last <= len(sweep) // 2 and values[last] < WIDENED:
            break
        back = follow_bar(body, to_base @ handle_pose(part, values[last], CLEAR), sweep[last], drives[last])
        if back is not None:
            return sweep[:last + 1], back
    raise SkillFailed(Code.TOO_CLOSE, "there is no room to pull it open and let go; go to it again to stand better",
                      Detail.IK_FAILED)


def _grips(body: Manipulator, observation: Observation) -> bool:
    return hand.holding(observation, body.robot, body.settings.gripper)
