"""The two actions of a robot's drivers, whatever moves arm and fingers: what is refused of their goals, the rest in the
library's terms, and what is reported of how they end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.support.wall import PERIOD, POLL, STEADY
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from rclpy.task import Future

from dadu.core.robot import GripperCommand as Grip
from dadu.core.robot import RobotDescription
from dadu.replay import messages
from dadu.sim.mujoco.robot.driver_goals import Ended, GoalVerdict
from dadu.sim.mujoco.robot.gripper_drive import GripperState
from dadu.sim.mujoco.robot.joint_drive import InvalidTrajectory, JointDrive


@dataclass(frozen=True)
class Driver:
    """What an action does, without ROS."""

    start: Callable[[Any], Any]
    """goal message to a goal under way. Errors: DaduError refuses it"""
    verdict: Callable[[Any], GoalVerdict | None]
    """of a goal under way; None: not ended"""
    hold: Callable[[], None]
    """after a cancel or a violated tolerance"""
    result: Callable[[GoalVerdict | None], Any]
    """result message; None: cancelled or replaced"""
    feedback: Callable[[Any], Any]
    """feedback message of a goal under way"""


@dataclass
class _Active:
    handle: ServerGoalHandle
    goal: Any
    done: Future
    told: float = -math.inf
    """when feedback was given last [s, monotonic]"""


class GoalServer:
    """Serves `driver` as `action` called `name`."""

    def __init__(self, node: Node, action: type, name: str, driver: Driver, check: Callable[[Any], str]) -> None:
        """`check`: a sentence for a goal that is refused, else empty."""
        self._node, self._driver, self._check = node, driver, check
        self._active: _Active | None = None
        self._timer = node.create_timer(POLL, self._poll, clock=STEADY)
        self._timer.cancel()
        self._server = ActionServer(node, action, name, self._execute, goal_callback=self._accept,
                                    cancel_callback=lambda handle: CancelResponse.ACCEPT)

    def _accept(self, request: Any) -> GoalResponse:
        reason = self._check(request)
        if not reason:
            return GoalResponse.ACCEPT
        self._node.get_logger().warning(f"goal refused: {reason}")
        return GoalResponse.REJECT

    async def _execute(self, handle: ServerGoalHandle) -> Any:
        self._finish(None)
        active = _Active(handle, self._driver.start(handle.request), Future(executor=self._node.executor))
        self._active = active
        self._timer.reset()
        verdict = await active.done
        if handle.is_cancel_requested:
            handle.canceled()
        elif verdict is not None and verdict.ended in (Ended.REACHED, Ended.STALLED):
            handle.succeed()
        else:
            handle.abort()
        return self._driver.result(verdict)

    def _poll(self) -> None:
        active = self._active
        if active is None:
            self._timer.cancel()
            return
        if active.handle.is_cancel_requested:
            self._driver.hold()
            self._finish(None)
            return
        verdict = self._driver.verdict(active.goal)
        if verdict is None:
            if time.monotonic() < active.told + PERIOD:
                return
            active.told = time.monotonic()
            active.handle.publish_feedback(self._driver.feedback(active.goal))
            return
        if verdict.ended in (Ended.PATH_TOLERANCE, Ended.GOAL_TOLERANCE):
            self._driver.hold()
        self._finish(verdict)

    def _finish(self, verdict: GoalVerdict | None) -> None:
        """Ends the goal under way, if any; None: it was cancelled or replaced."""
        active, self._active = self._active, None
        if active is not None:
            active.done.set_result(verdict)


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
