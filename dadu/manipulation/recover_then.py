"""Where a skill begins after another was broken off with the hand closed, or about a handle: by a cancel, a person, a
server that died."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from dadu.core.geometry import apply
from dadu.core.robot import Command, Observation, RobotDescription
from dadu.manipulation.carry import is_folded, retract
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.ik import NoSolution
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.robots.motion import Motion, move
from dadu.robots.poses import shifted
from dadu.skills.generator import Skill
from dadu.skills.outcome import SkillFailed
from dadu.skills.scene import Scene
from dadu.world.handles import AT_HANDLE, distance_to_handle

LIFT = 0.03
"""off what it may still touch, before what is held is drawn in [m]"""
OPENING = 0.04
"""of fingers that let go, beyond what they hold [m]: a bar, or the two of a pair of doors"""
BACK = 0.08
"""the way that a hand came, out of which it clears the bar between its fingers [m]"""
NEAR = 0.05
"""to where a hand at rest is [m]"""
ASIDE = (-0.1, 0.1)
"""of the base meanwhile [m]"""


def recover_then(robot: RobotDescription, scene: Scene, skill: Skill, settings: ManipulationSettings | None = None,
            *, drives: bool = False) -> Skill:
    """`skill`, once the hand has let go of a handle that nobody pulls any more and is clear of it, and, before it
    `drives`, what is held is drawn in over the base. An arm at rest loses no time."""
    observation = yield Command()
    body = Manipulator.from_description(robot, settings)
    held = hand.holding(observation, robot, body.settings.gripper)
    try:
        empty = scene.graph.held() is None
        if empty and (held or _is_extended(body, observation)) and _hand_is_at_handle(body, observation, scene):
            scene.phase = "let go"
            yield from _back_off_handle(body, observation, held)
        elif held and drives and not is_folded(body, observation):
            scene.phase = "fold"
            yield from retract(body, observation, lift=LIFT)
    except SkillFailed:
        yield Command.stop()  # the skill itself says what it cannot do from here
    return (yield from skill)


def _is_extended(body: Manipulator, observation: Observation) -> bool:
    """True if an empty hand is elsewhere than an arm at rest has it: a door that stands open leads it near the base."""
    joints = observation.joints
    here, rest = body.kinematics.tool(joints), body.kinematics.tool({**joints, **body.robot.stow})
    return bool(np.linalg.norm(here[:2, 3] - rest[:2, 3]) > NEAR)


def _hand_is_at_handle(body: Manipulator, observation: Observation, scene: Scene) -> bool:
    grasp = body.kinematics.tool(observation.joints)[:3, 3]
    return distance_to_handle(scene.graph, np.asarray(apply(observation.base_pose.matrix(), grasp))) <= AT_HANDLE


def _back_off_handle(body: Manipulator, observation: Observation, held: bool) -> Motion:
    """Opens the fingers, backs out the way the hand points, which a door has turned, then straight; and closes them, so
    that they feel nothing."""
    wide = observation.aperture + OPENING
    if held and wide < body.robot.aperture_max:
        observation = yield from hand.open_hand(body, observation, wide)
    elif held:  # open as they are they push outward, against what they stand between
        observation = yield from hand.relax(observation)
    here = body.posture(observation)
    T = body.kinematics.tool_at(here)
    with suppress(NoSolution):  # at the end of the arm's range there is the straight way alone
        clear = body.solve(shifted(T, -BACK * T[:3, 0]), here, ASIDE, near=True)
        observation = yield from move(body, observation, [clear], observation.base_pose, patient=True)
    observation = yield from retract(body, observation)
    return (yield from hand.close_hand(body, observation))
