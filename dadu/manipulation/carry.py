"""The arm out to where a reach begins, and between reaches drawn in and folded over the base, what is held kept as
level as it was grasped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.robot import Observation
from dadu.motion.model import body_model
from dadu.motion.plan import NARROW, ReachEntry, raised, tool_at_height, withdraw
from dadu.motion.scene import CollisionScene
from dadu.robots import hand, ik
from dadu.robots.body import Manipulator
from dadu.robots.gaze import looking
from dadu.robots.kinematics import Posture
from dadu.robots.motion import Motion, move, pass_through
from dadu.robots.poses import heading_of, turned
from dadu.skills.outcome import Code, Detail, SkillFailed


def reach(body: Manipulator, observation: Observation, entry: ReachEntry, opening: float | None = None) -> Motion:
    """From folded to the entry pose; an empty hand opens to `opening` [m] on the way.

    Errors: SkillFailed (arm_stalled).
    """
    unfolding = [[posture] for posture in entry.unfolding]
    if opening is None:
        return (yield from pass_through(body, observation, (*unfolding, entry.inward), entry.origin))
    # No wider than what room was looked for: beside an open door a wide hand does not turn.
    observation = yield from hand.set_opening(observation, min(opening, NARROW))
    observation = yield from pass_through(body, observation, unfolding, entry.origin)
    observation = yield from hand.set_opening(observation, opening)
    observation = yield from move(body, observation, entry.inward, entry.origin)
    return (yield from hand.open_hand(body, observation, opening))


FOLD = 0.85
"""share of the stow's fold: what is held needs room beside the mast"""


def folded(body: Manipulator, posture: Posture, fold: float = FOLD) -> Posture:
    """The arm drawn in and turned back over the base, clear of it, the hand's tilt and roll as they are. Errors:
    NoSolution."""
    robot, stow = body.robot, stowed(body, posture)
    T_stow, T = body.kinematics.tool(stow.joints), body.kinematics.tool(posture.joints)
    heading = robot.arm_direction + fold * ((heading_of(T_stow) - robot.arm_direction) % (2 * np.pi))
    T = turned(T, heading - heading_of(T))
    T[2, 3] = robot.carry_height
    itself = CollisionScene(body_model(body.kinematics))
    return ik.solve(body.kinematics, T, stow, rows=ik.HEIGHT_AND_ROTATION, settings=body.settings.ik,
                    accept=lambda posture: itself.contact(posture, NARROW) is None)


def stowed(body: Manipulator, posture: Posture) -> Posture:
    """The arm as for driving with an empty hand."""
    return Posture({**posture.joints, **body.robot.stow}, posture.drive)


def retract(body: Manipulator, observation: Observation, lift: float = 0.0, entry: ReachEntry | None = None,
            over: float = 0.0, look: ArrayLike | None = None) -> Motion:
    """Up by `lift` [m], straight back, folded, down to the carrying height: the way from any reach to driving. A lift
    stays up: a drive lowers it under way, and at the next reach here it is where it is wanted.
    What is held stays as level as it is; an empty hand is stowed. It folds where it unfolded for `entry`, as high
    or `over` [m] higher: over an armrest. Meanwhile a head turns to `look` (3,) [m] in map.

    Errors: SkillFailed (arm_stalled, ik_failed).
    """
    origin, now = observation.base_pose, body.posture(observation)
    holding = hand.holding(observation, body.robot, body.settings.gripper)
    fold = folded if holding else stowed
    try:
        up = raised(body, now, lift)
        back = [up, *withdraw(body, up)]
        if entry is not None:
            aside = entry.folded.drive - body.robot.drive_to(entry.origin, origin[:2])
            rise = _height(body, entry.unfolded) + over - _height(body, back[-1])
            back.append(raised(body, replace(back[-1], drive=aside), max(0.0, rise)))
        carried = body.robot.carry_height
        high = tool_at_height(body, fold(body, back[-1]), max(carried, _height(body, back[-1])))
        if body.kinematics.lift:
            low = high
        else:
            low = tool_at_height(body, high, carried) if holding else stowed(body, high)
    except ik.NoSolution as error:
        raise SkillFailed(Code.EXECUTION_FAILED, f"the arm cannot be folded: {error}", Detail.IK_FAILED) from None
    if look is not None:
        high, low = looking(body, high, origin, look), looking(body, low, origin, look)
    if not holding and observation.aperture > NARROW:  # room to fold was looked for with fingers no wider
        observation = yield from pass_through(body, observation, (back,), origin)
        observation = yield from hand.set_opening(observation, NARROW)
        back = []
    return (yield from pass_through(body, observation, (back, [high], [low]), origin))


def _height(body: Manipulator, posture: Posture) -> float:
    """Of the tool [m]."""
    return float(body.kinematics.tool(posture.joints)[2, 3])


def is_folded(body: Manipulator, observation: Observation) -> bool:
    """True if the hand is over the base, as after `retract` or stowed."""
    tool = body.kinematics.tool(observation.joints)[:2, 3]
    heading = body.robot.arm_direction
    return bool(tool @ (np.cos(heading), np.sin(heading)) < 0.6 * body.robot.reach[0])
