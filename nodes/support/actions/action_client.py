"""rclpy's client of an action, ready only once its server knows it, too, and told all before the end."""

from __future__ import annotations

from typing import Any

import rclpy.action
from action_msgs.msg import GoalInfo
from action_msgs.srv import CancelGoal
from dadu_nodes.support.actions.handshake import ActionHandshake
from rclpy.node import Node
from rclpy.time import Time


class ActionClient(rclpy.action.ActionClient):
    """What is sent once `server_is_ready` is answered."""

    def __init__(self, node: Node, action: Any, name: str) -> None:
        super().__init__(node, action, name)
        self._cancels = node.create_client(CancelGoal, f"{name}/_action/cancel_goal")
        self._handshake = ActionHandshake(node, name, self._cancels)

    def server_is_ready(self) -> bool:
        """To be called until it is so, and before each goal: a server that has just come is greeted first."""
        return bool(super().server_is_ready()) and self._handshake.answered()

    async def execute(self, taken_data: dict[str, Any]) -> None:
        """rclpy takes one message at a time, and hears no more of a goal whose result is there: so a client that was
        held up would miss the last ones."""
        if "result" in taken_data:
            told = taken_data.pop("feedback", None) or self._told()
            while told is not None:
                await super().execute({"feedback": told})
                told = self._told()
        await super().execute(taken_data)

    def cancel_all(self, until: Time | None = None) -> bool:
        """Asks to cancel every goal, whoever sent it, that was accepted `until` then; None: at any time. False where no
        server is there; one that has not answered yet is asked all the same."""
        if not self._cancels.service_is_ready():
            return False
        request = CancelGoal.Request()  # zero id: all goals
        if until is not None:
            request.goal_info = GoalInfo(stamp=until.to_msg())
        self._cancels.call_async(request)
        return True

    def _told(self) -> Any | None:
        return self._client_handle.take_feedback(self._action_type.Impl.FeedbackMessage)
