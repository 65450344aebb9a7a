"""A Nav2 that runs already, as who drives: its action /navigate_to_pose, and whether its nodes are active."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from action_msgs.msg import GoalStatus
from dadu_nodes.support.actions.action_caller import ActionCaller
from dadu_nodes.support.convert.geometry import planar_pose
from dadu_nodes.support.node import DaduNode
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateToPose
from rclpy.clock import Clock, ClockType
from rclpy.task import Future
from std_msgs.msg import Header
from std_srvs.srv import Trigger

from dadu.core.geometry import Pose2
from dadu.navigation.nav2_codes import failure_of
from dadu.skills.outcome import Code, SkillResult

_PATIENCE = 15.0
"""wall seconds for which a Nav2 that is not there, as while it starts, is waited for"""
_ASK = 1.0
"""wall seconds between two questions whether it is active"""


@dataclass
class _Sent:
    """One goal."""

    answer: Future | None = None
    cancelled: bool = False


class Nav2Client:
    """A `dadu.navigation.external_navigator.Navigator`."""

    def __init__(self, node: DaduNode[Any], lifecycle_manager: str) -> None:
        """`lifecycle_manager` is the name of the node that brings Nav2 up; empty: there is none, nobody is asked."""
        self.feedback = NavigateToPose.Feedback()
        """Nav2's last, about the newest goal"""
        self._node = node
        self._caller = ActionCaller(node, NavigateToPose, "navigate_to_pose")
        self._sent = _Sent()
        self._active = ""
        if lifecycle_manager:
            self._manager = node.create_client(Trigger, f"{lifecycle_manager}/is_active")
            node.create_timer(_ASK, self._ask, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def problem(self) -> str:
        """Why it would not drive now, in a sentence; empty: as far as is known, it would."""
        return self._active

    def send(self, pose: Pose2) -> None:
        self.cancel()
        header = Header(frame_id=self._node.frames.outside("map"))
        goal = NavigateToPose.Goal(pose=PoseStamped(header=header, pose=planar_pose(pose)))
        sent = self._sent = _Sent()
        self.feedback = NavigateToPose.Feedback()
        executor = self._node.executor
        if executor is None:
            raise RuntimeError("nobody spins the node, so no answer would ever be heard")
        sent.answer = executor.create_task(self._caller.call, goal, lambda: sent.cancelled, _PATIENCE, self._hear)

    def result(self) -> SkillResult | None:
        answer = self._sent.answer
        if answer is None or not answer.done():
            return None
        response = answer.result()
        if response is None:
            why = self._active or "Nav2 is gone, or refused the goal"
            return SkillResult(Code.UNREACHABLE_BACKEND, f"{why}; try again when it is back")
        if response.status == GoalStatus.STATUS_SUCCEEDED:
            return SkillResult(Code.SUCCEEDED, "Nav2 has arrived")
        if response.status == GoalStatus.STATUS_CANCELED:
            return SkillResult(Code.CANCELLED, "somebody cancelled Nav2's drive; the robot stands still")
        return failure_of(response.result.error_code, response.result.error_msg)

    def cancel(self) -> None:
        self._sent.cancelled = True

    def _hear(self, message: Any) -> None:
        self.feedback = message.feedback

    def _ask(self) -> None:
        if not self._manager.service_is_ready():
            self._active = f"Nav2's {self._manager.srv_name} does not answer"
            return
        self._manager.call_async(Trigger.Request()).add_done_callback(self._told)

    def _told(self, answer: Future) -> None:
        response = answer.result()
        self._active = "" if response is not None and response.success else "Nav2's nodes are not active"
