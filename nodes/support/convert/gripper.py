"""What a gripper's action reports: position is the gap between the fingertips [m], effort a finger's force [N]."""

from __future__ import annotations

from typing import TypeVar

from control_msgs.action import GripperCommand

from dadu.sim.mujoco.robot.driver_goals import Ended, GoalVerdict
from dadu.sim.mujoco.robot.gripper_drive import GripperState

Report = TypeVar("Report", GripperCommand.Result, GripperCommand.Feedback)


def grip_report(message: Report, state: GripperState, verdict: GoalVerdict | None = None) -> Report:
    """`message`, filled in. `verdict`: None while the goal goes on, or where it was cancelled or replaced."""
    message.position, message.effort = state.aperture, state.effort
    message.stalled = verdict is not None and verdict.ended is Ended.STALLED
    message.reached_goal = verdict is not None and verdict.ended is Ended.REACHED
    return message
