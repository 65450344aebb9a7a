"""What an arm's action reports."""

from __future__ import annotations

from control_msgs.action import FollowJointTrajectory

from dadu.sim.mujoco.robot.driver_goals import Ended, GoalVerdict

_RESULT = FollowJointTrajectory.Result
_CODES = {Ended.REACHED: _RESULT.SUCCESSFUL, Ended.PATH_TOLERANCE: _RESULT.PATH_TOLERANCE_VIOLATED,
          Ended.GOAL_TOLERANCE: _RESULT.GOAL_TOLERANCE_VIOLATED}


def arm_report(verdict: GoalVerdict | None) -> FollowJointTrajectory.Result:
    """`verdict`: None where the goal was cancelled or replaced."""
    if verdict is None:
        return _RESULT(error_code=_RESULT.INVALID_GOAL, error_string="cancelled, or replaced by a newer goal")
    return _RESULT(error_code=_CODES[verdict.ended], error_string=verdict.message)
