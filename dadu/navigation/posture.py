"""The arm while driving: folded, or drawn in with what it holds; and the footprint that results."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.spatial import ConvexHull

from dadu.core.robot import Command, JointTrajectory, Observation, RobotDescription
from dadu.robots.kinematics import Kinematics
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillResult

_SPEED = 0.7  # share of the joints' top speed
THERE = 0.03  # [m or rad]
NEARLY = 0.1  # [m or rad]: what leans against something is free once the base has moved
PATIENCE = 2.0  # beyond the planned duration [s]
_TOOL_RADIUS = 0.06  # of the hand with what it holds, about the grasp centre [m]


def stow(robot: RobotDescription, observation: Observation, holding: bool, *, lift: str = "") -> Skill:
    """Folds the arm for driving, from the outside in; with something in the hand it only draws the telescopes in. The
    joint `lift` is left where it is."""
    telescopes, *others = stow_stages(robot)
    for stage in (telescopes,) if holding else (telescopes, *others):
        goal = {joint: value for joint, value in stage.items() if joint != lift}
        error = _error(goal, observation.joints)
        if error <= THERE:
            continue  # as always where there are no telescopes
        duration = max(_duration(robot, joint, abs(value - observation.joints.get(joint, value)))
                       for joint, value in goal.items())
        deadline = observation.stamp + duration + PATIENCE
        observation = yield Command(joints=JointTrajectory.single_goal(goal, duration))
        while _error(goal, observation.joints) > THERE:
            if observation.stamp > deadline and _error(goal, observation.joints) <= NEARLY:
                break
            if observation.stamp > deadline:
                return SkillResult(Code.EXECUTION_FAILED, "the arm could not be folded for driving; something is in "
                                   "its way, or it is still holding on to something", Detail.ARM_STALLED)
            observation = yield Command()
    return SkillResult(Code.SUCCEEDED, "the arm is folded")


def stow_stages(robot: RobotDescription) -> list[dict[str, float]]:
    """Goals to be reached one after another: telescopes (joints that stow at an end of their range and so draw the
    tool in), then what is beyond the last of them, then what carries them."""
    def telescope(joint: str) -> bool:
        limit = robot.joints[joint]
        return min(abs(robot.stow[joint] - limit.lower), abs(robot.stow[joint] - limit.upper)) < 1e-6

    arm = [joint for joint in robot.arm_joints if joint in robot.stow]
    telescopes = [joint for joint in arm if telescope(joint)]
    last = arm.index(telescopes[-1]) if telescopes else -1
    beyond, before = arm[last + 1:], [joint for joint in arm[:last + 1] if joint not in telescopes]
    stages = (telescopes, beyond, before)
    return [{joint: robot.stow[joint] for joint in stage} for stage in stages if stage or stage is telescopes]


def lowered(kinematics: Kinematics, joints: Mapping[str, float], holding: bool) -> dict[str, float]:
    """Where a lift belongs while driving: as stowed, or what is held at the height for carrying. Empty without one."""
    robot, lift = kinematics.robot, kinematics.lift
    if not lift or lift not in robot.stow or lift not in joints:
        return {}
    if not holding:
        return {lift: robot.stow[lift]}
    return raised_to(kinematics, joints, robot.carry_height)


def raised_to(kinematics: Kinematics, joints: Mapping[str, float], height: float) -> dict[str, float]:
    """Where a lift has the tool at `height` [m], or as near to it as it goes. Empty without one."""
    lift = kinematics.lift
    if not lift or lift not in joints:
        return {}
    limit = kinematics.robot.joints[lift]
    wanted = joints[lift] + height - float(kinematics.tool(joints)[2, 3])
    return {lift: min(max(wanted, limit.lower), limit.upper)}


def driving_footprint(kinematics: Kinematics, joints: Mapping[str, float]) -> np.ndarray:
    """(N, 2) [m], base_link, counter-clockwise: the description's footprint, and the hand where it sticks out."""
    tool = kinematics.tool(joints)[:2, 3]
    box = tool + _TOOL_RADIUS * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    points = np.concatenate([kinematics.robot.footprint, box])
    return points[ConvexHull(points).vertices]


def _error(goal: Mapping[str, float], joints: Mapping[str, float]) -> float:
    """Largest deviation of the joints that the robot reports."""
    return max((abs(value - joints[joint]) for joint, value in goal.items() if joint in joints), default=0.0)


def _duration(robot: RobotDescription, joint: str, distance: float) -> float:
    limit = robot.joints[joint]
    return distance / (_SPEED * limit.velocity) + limit.velocity / limit.acceleration + 0.1
