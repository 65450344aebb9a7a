"""Where a skill begins after another was broken off with the hand closed: by a cancel, a person, a server that died."""

from __future__ import annotations

import numpy as np

from dadu.core.geometry import apply
from dadu.core.robot import Command, Observation, RobotDescription
from dadu.manipulation.carry import draw_in, is_folded
from dadu.robots import hand
from dadu.robots.body import Manipulator, SkillFailed
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.robots.motion import Motion
from dadu.skills.generator import Skill
from dadu.skills.scene import Scene
from dadu.world.handles import AT_HANDLE, to_handle

LIFT = 0.03
"""off what it may still touch, before what is held is drawn in [m]"""
OPENING = 0.06
"""between fingers that let a handle go, more than the bar is thick [m]"""


def resumed(robot: RobotDescription, scene: Scene, skill: Skill, settings: ManipulationSettings | None = None,
            *, drives: bool = False) -> Skill:
    """`skill`, once the hand has let go of a handle that nobody pulls any more, and, before it `drives`, what is held
    is drawn in over the base. An arm at rest loses no time."""
    observation = yield Command()
    if hand.holding(observation, robot, settings.gripper if settings is not None else None):
        body = Manipulator.of(robot, settings)
        try:
            if scene.graph.held() is None and _at_handle(body, observation, scene):
                scene.phase = "let go"
                yield from _off_handle(body, observation)
            elif drives and not is_folded(body, observation):
                scene.phase = "fold"
                yield from draw_in(body, observation, lift=LIFT)
        except SkillFailed:
            yield Command.stop()  # the skill itself says what it cannot do from here
    return (yield from skill)


def _at_handle(body: Manipulator, observation: Observation, scene: Scene) -> bool:
    grasp = body.kinematics.tool(observation.joints)[:3, 3]
    return to_handle(scene.graph, np.asarray(apply(observation.base_pose.matrix(), grasp))) <= AT_HANDLE


def _off_handle(body: Manipulator, observation: Observation) -> Motion:
    """Opens the fingers, backs out, and closes them, so that they feel nothing."""
    observation = yield from hand.open_hand(body, observation, OPENING)
    observation = yield from draw_in(body, observation)
    return (yield from hand.close_hand(body, observation))
