"""Turning the head: ahead while driving, over what lies before the arm on arrival, all round while exploring."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from dadu.core.robot import Command, JointTrajectory, Observation, RobotDescription, Twist
from dadu.navigation.posture import PATIENCE, stow
from dadu.robots import hand
from dadu.robots.gaze import look_joints
from dadu.robots.kinematics import Kinematics
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, SkillResult

_DWELL = 0.4  # at each direction: two pictures at 5 Hz [s]
_TOLERANCE = 0.05  # [rad]
_SPREAD = 0.6  # between neighbouring directions: the picture is 0.73 rad wide [rad]


def head_joints_ahead(robot: RobotDescription) -> dict[str, float]:
    """The head as at home [rad], where camera and depth see the way; empty without one."""
    return {name: robot.home.get(name, 0.0) for name in robot.head_joints}


def points_facing_arm(robot: RobotDescription) -> list[np.ndarray]:
    """Points (3,) [m] in base_link over the width of what the robot stands before, the one nearest to ahead first."""
    angles = robot.arm_direction - math.copysign(_SPREAD, robot.arm_direction) * np.array([1.0, 0.0, -1.0])
    return [_point(float(angle)) for angle in angles]


def head_joints_towards(kinematics: Kinematics, joints: Mapping[str, float], points: Sequence[np.ndarray]
                        ) -> dict[str, float]:
    """The head turned to the first of `points` (each (3,) [m] in base_link), without any to where the arm points [rad];
    empty where the arm carries the camera."""
    if kinematics.camera_on_arm:
        return {}
    return look_joints(kinematics, joints, points[0] if points else _point(kinematics.robot.arm_direction))


def _point(angle: float) -> np.ndarray:
    return np.array([0.75 * math.cos(angle), 0.75 * math.sin(angle), 0.75])


ALL_ROUND = tuple(float(turn) for turn in np.arange(-4.0, 1.8, _SPREAD)[::-1])
"""[rad] from the base's x axis: as far as a neck turns, beginning where it is nearer to looking ahead"""


def look_all_round(turns: Sequence[float] = ALL_ROUND) -> list[np.ndarray]:
    """Points (3,) [m] in base_link round the robot."""
    return [np.array([1.8 * math.cos(a), 1.8 * math.sin(a), 0.7]) for a in turns]


def glance(robot: RobotDescription, kinematics: Kinematics, observation: Observation, points: Sequence[np.ndarray]
           ) -> Skill:
    """Looks at `points` (each (3,) [m] in base_link) one after another, standing still. An arm that carries the camera
    looks with an empty hand only, and is folded again; a camera that is fixed looks where it does."""
    by_arm = kinematics.camera_on_arm
    if by_arm and hand.holding(observation, robot):
        return SkillResult(Code.SUCCEEDED, "the arm keeps still with what it holds")
    for point in points if by_arm or robot.head_joints else points[:1]:
        goal = look_joints(kinematics, observation.joints, point)
        sent = observation.stamp
        turn = JointTrajectory.single_goal(goal, _duration(goal, observation))
        observation = yield Command(base=Twist(), joints=turn)
        while _error(goal, observation) > _TOLERANCE and observation.stamp < sent + PATIENCE:
            observation = yield Command(base=Twist())
        there = observation.stamp
        while observation.stamp < there + _DWELL:
            observation = yield Command(base=Twist())
    if by_arm and points:
        yield from stow(robot, observation, holding=False)
    return SkillResult(Code.SUCCEEDED, "looked around")


def _error(goal: dict[str, float], observation: Observation) -> float:
    return max((abs(value - observation.joints.get(name, value)) for name, value in goal.items()), default=0.0)


def _duration(goal: dict[str, float], observation: Observation) -> float:
    return 0.2 + _error(goal, observation) / 2.0
