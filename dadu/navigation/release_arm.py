"""An arm that is not free to be folded: a hand that was left at a handle lets go of it; where the base stands badly, as
behind an open door, it moves a little, and it is tried again."""

from __future__ import annotations

import math

import numpy as np

from dadu.core.geometry import apply
from dadu.core.robot import Command, JointTrajectory, Observation, RobotDescription, Twist
from dadu.navigation.costmap import Costmap
from dadu.navigation.posture import stow, stow_stages
from dadu.navigation.recovery import RecoverySettings, hold
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.motion import Motion
from dadu.robots.poses import heading_of
from dadu.skills.generator import Skill
from dadu.skills.scene import Scene
from dadu.world.handles import AT_HANDLE, distance_to_handle

_OUT, _SLOWLY = 0.15, 2.5  # how far a hand backs out that has let go of a handle [m], and for how long [s]
_BAR = 0.06  # fingers about a handle's bar are nearer to each other [m]
_MOVES = ((1.0, 0.0, 1.0), (-1.0, 0.0, 2.0), (0.0, 1.0, 1.0), (0.0, -1.0, 2.0))
"""ahead, then back past where it stood, then turned to either side: shares of the speed, for how long [s]"""


def let_go(robot: RobotDescription, scene: Scene, costmap: Costmap, observation: Observation) -> Motion:
    """Opens a hand that has hold of a handle, and of no thing as far as memory knows, and backs it out: a skill that
    broke off has left it there. Along its own direction: drawn in along the arm's, a turned hand hooks the door."""
    body = Manipulator.from_description(robot)
    T_base_tool = body.kinematics.tool(observation.joints)
    fingers = apply(observation.base_pose.matrix() @ T_base_tool, np.zeros(3))
    grips = hand.holding(observation, robot) and observation.aperture < _BAR
    if not grips or scene.graph.held() is not None or distance_to_handle(scene.graph, fingers) > AT_HANDLE:
        return observation
    observation = yield from hand.open_hand(body, observation, robot.aperture_max)
    ahead, drawn = _share(robot, heading_of(T_base_tool))
    reach = {joint: observation.joints[joint] - robot.stow[joint] for joint in stow_stages(robot)[0]}
    total = sum(reach.values())
    if total > 0:
        left = max(0.0, 1.0 - _OUT * drawn / total)
        goal = {joint: robot.stow[joint] + left * length for joint, length in reach.items()}
        observation = yield Command(joints=JointTrajectory.single_goal(goal, _SLOWLY))
    yield from hold(costmap, Twist(vx=_OUT * ahead / _SLOWLY), _SLOWLY)
    return (yield Command(base=Twist()))


def _share(robot: RobotDescription, heading: float) -> tuple[float, float]:
    """How far the base has to drive ahead, and the arm to be drawn in, for the hand to go back by one along `heading`
    [rad, base_link]. An arm that points along the base leaves all to the base."""
    along, across = math.cos(robot.arm_direction), math.sin(robot.arm_direction)
    drawn = max(0.0, math.sin(heading) / across) if abs(across) > 0.5 else 0.0
    return -math.cos(heading) + drawn * along, drawn


def stow_elsewhere(robot: RobotDescription, costmap: Costmap, holding: bool, *, lift: str = "") -> Skill:
    """As `dadu.navigation.posture.stow`, from a little ahead, behind or aside, where `costmap` has room for it."""
    top, speed = robot.max_speed, RecoverySettings().speed
    for ahead, turn, seconds in _MOVES:
        yield from hold(costmap, Twist(ahead * speed * top.vx, turn * speed * top.wz), seconds)
        observation = yield Command(base=Twist())
        folded = yield from stow(robot, observation, holding, lift=lift)
        if folded.ok:
            break
    return folded
