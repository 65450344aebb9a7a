"""Watches whether the planner has a task, so that nobody else commands the robot meanwhile."""

from __future__ import annotations

from action_msgs.msg import GoalStatus, GoalStatusArray
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_caller import Serving
from rclpy.node import Node

_RUNNING = (GoalStatus.STATUS_ACCEPTED, GoalStatus.STATUS_EXECUTING, GoalStatus.STATUS_CANCELING)


class TaskMonitor:
    """Follows the status of an action, by default the planner's."""

    def __init__(self, node: Node, action: str = "execute_task") -> None:
        self._node, self._action = node, action
        self._running: Serving | None = None
        node.create_subscription(GoalStatusArray, f"{action}/_action/status", self._on_status, qos.LATCHED)

    @property
    def busy(self) -> bool:
        """True if a goal runs; one whose server has died since does not."""
        return self._running is not None and not self._running.gone()

    def _on_status(self, message: GoalStatusArray) -> None:
        running = any(goal.status in _RUNNING for goal in message.status_list)
        self._running = Serving(self._node, self._action) if running else None
