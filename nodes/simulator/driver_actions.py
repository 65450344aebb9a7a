"""The two actions of a robot's drivers, whatever moves arm and fingers: what is refused of their goals, the rest in the
library's terms, and what is reported of how they end."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.simulator.goal_server import Driver, GoalServer
from rclpy.node import Node

from dadu.core.robot import GripperCommand as Grip
from dadu.core.robot import RobotDescription
from dadu.replay import messages
from dadu.sim.mujoco.robot.driver_goals import Ended, GoalVerdict
from dadu.sim.mujoco.robot.gripper_drive import GripperState
from dadu.sim.mujoco.robot.joint_drive import InvalidTrajectory, JointDrive

Report = TypeVar("Report", GripperCommand.Result, GripperCommand.Feedback)
_RESULT = FollowJointTrajectory.Result
_CODES = {Ended.REACHED: _RESULT.SUCCESSFUL, Ended.PATH_TOLERANCE: _RESULT.PATH_TOLERANCE_VIOLATED,
          Ended.GOAL_TOLERANCE: _RESULT.GOAL_TOLERANCE_VIOLATED}


def serve_arm(node: Node, start: Callable[[Any], Any], verdict: Callable[[Any], GoalVerdict | None],
              hold: Callable[[], None], feedback: Callable[[Any], FollowJointTrajectory.Feedback],
              check: Callable[[Any], str]) -> GoalServer:
    """``arm_controller/follow_joint_trajectory``; see `Driver` and `GoalServer`."""
    return GoalServer(node, FollowJointTrajectory, "arm_controller/follow_joint_trajectory",
                      Driver(start, verdict, hold, _arm_report, feedback), check)


def serve_gripper(node: Node, start: Callable[[Any], Any], verdict: Callable[[Any], GoalVerdict | None],
                  fingers: Callable[[], GripperState], check: Callable[[Any], str]) -> GoalServer:
    """``gripper_controller/gripper_cmd``: position is the gap between the fingertips [m], effort a finger's force [N].
    A cancelled grip keeps its grip: letting go could drop something."""
    return GoalServer(node, GripperCommand, "gripper_controller/gripper_cmd", Driver(
        start, verdict, lambda: None, lambda ended: _grip_report(GripperCommand.Result(), fingers(), ended),
        lambda goal: _grip_report(GripperCommand.Feedback(), fingers(), None)), check)


def arm_refusal(request: FollowJointTrajectory.Goal, limits: JointDrive) -> str:
    """Why this trajectory is not followed; empty: it is."""
    names = request.trajectory.joint_names
    if twice := sorted({name for name in names if names.count(name) > 1}):
        return f"a trajectory names each joint once, not {', '.join(twice)} twice"
    if any(len(point.positions) != len(names) for point in request.trajectory.points):
        return "a trajectory point must have one position for each joint"
    try:
        limits.check(messages.trajectory(request.trajectory))
    except InvalidTrajectory as error:
        return str(error)
    return ""


def grip_refusal(request: GripperCommand.Goal) -> str:
    """Why the fingers are not moved; empty: they are."""
    finite = math.isfinite(request.command.position) and math.isfinite(request.command.max_effort)
    return "" if finite else "position and max_effort must be finite numbers"


def grip(request: GripperCommand.Goal, robot: RobotDescription) -> Grip:
    """No wider than the fingers open: such a goal would never end."""
    return Grip(min(request.command.position, robot.aperture_max), request.command.max_effort)


def _arm_report(verdict: GoalVerdict | None) -> FollowJointTrajectory.Result:
    """`verdict`: None where the goal was cancelled or replaced."""
    if verdict is None:
        return _RESULT(error_code=_RESULT.INVALID_GOAL, error_string="cancelled, or replaced by a newer goal")
    return _RESULT(error_code=_CODES[verdict.ended], error_string=verdict.message)


def _grip_report(message: Report, state: GripperState, verdict: GoalVerdict | None) -> Report:
    """`message`, filled in. `verdict`: None while the goal goes on, or where it was cancelled or replaced."""
    message.position, message.effort = state.aperture, state.effort
    message.stalled = verdict is not None and verdict.ended is Ended.STALLED
    message.reached_goal = verdict is not None and verdict.ended is Ended.REACHED
    return message
