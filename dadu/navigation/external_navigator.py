"""go_to where somebody else drives: the arm is folded before and the head looks afterwards, as on drives of our own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, RobotDescription
from dadu.navigation.arm_while_driving import ArmMotionWhileDriving
from dadu.navigation.costmap import Costmap
from dadu.navigation.head_motion import glance, points_facing_arm
from dadu.navigation.posture import stow
from dadu.navigation.release_arm import let_go
from dadu.robots import hand
from dadu.robots.body import SkillFailed
from dadu.robots.kinematics import Kinematics
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.scene import Scene

_FAR = 0.5
"""[m] from the goal at which nobody has arrived, whatever he says"""


class Navigator(Protocol):
    """Who drives: one goal at a time, and none of these calls waits."""

    def send(self, pose: Pose2) -> None:
        """Begins a drive of base_link to `pose` in map."""

    def result(self) -> SkillResult | None:
        """What became of the drive; None while it is under way."""

    def cancel(self) -> None:
        """Ends the drive; after its end, nothing."""


def go_to_by(navigator: Navigator, robot: RobotDescription, scene: Scene, pose: Pose2,
             look: Sequence[np.ndarray] | None = None) -> Skill:
    """Has `navigator` drive base_link to `pose` in map, then looks as `go_to` does. A skill that ends before the drive
    cancels it.

    Fails as the navigator does, with EXECUTION_FAILED (arm_stalled) where the arm cannot be folded, and with
    EXECUTION_FAILED where the robot is said to have arrived and stands half a metre off.
    """
    observation = yield Command()
    scene.phase = "fold"
    if scene.map is not None:
        observation = yield from let_go(robot, scene, Costmap(scene.map, robot), observation)
    holding = scene.graph.held() is not None or hand.holding(observation, robot)
    folded = yield from stow(robot, observation, holding)
    if not folded.ok:
        return folded
    observation = yield Command()
    arm_motion = ArmMotionWhileDriving(Kinematics(robot), pose, look or (), None, holding)
    observation = yield Command(joints=arm_motion.set_off(observation))
    try:
        while arm_motion.lift_moves(observation):
            observation = yield Command()
    except SkillFailed as failure:
        return failure.result
    scene.phase = "drive"
    navigator.send(pose)
    try:
        while (result := navigator.result()) is None:
            yield Command()
    finally:
        navigator.cancel()
    if not result.ok:
        return result
    observation = yield Command()
    off = math.dist(observation.base_pose[:2], pose[:2])
    if off > _FAR:
        return SkillResult(Code.EXECUTION_FAILED, f"the navigator says that it has arrived, {off:.1f} m from the goal; "
                           "try again, or another target")
    scene.phase = "look"
    yield from glance(robot, Kinematics(robot), observation, points_facing_arm(robot) if look is None else look)
    return SkillResult(Code.SUCCEEDED, f"arrived, {off:.2f} m from the goal")
