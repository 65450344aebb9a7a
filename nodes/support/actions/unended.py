"""The goal that an action's server had when it died: whoever serves next answers for it.

A server that is killed takes its goals along, and who has sent one waits for ever. So the goal in progress is noted in
a file; the next server takes it again, under the same id, and ends it at once: its status is published, its result is
there for whoever asks. (What was asked of the dead one nobody else can answer: a client has to ask again.)
"""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from rclpy.action import ActionClient
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from unique_identifier_msgs.msg import UUID


class UnendedGoal:
    """Of an action whose goals have an `instruction`; one goal at a time."""

    def __init__(self, node: Node, action: Any, name: str, file: Path) -> None:
        self._node, self._action, self._name, self._file = node, action, name, file
        self._left = bytes.fromhex(file.read_text()) if file.exists() else b""
        self._mark = uuid.uuid4().hex
        """the instruction of the goal that is taken again: none that anybody else could give"""
        self._client: ActionClient | None = None

    def begun(self, handle: ServerGoalHandle) -> None:
        """Notes a goal."""
        self._file.write_text(bytes(handle.goal_id.uuid).hex())

    def over(self) -> None:
        """The goal that was noted has ended."""
        self._file.unlink(missing_ok=True)

    def is_meant(self, goal: Any) -> bool:
        """True if this is the goal that was left, taken again: to be ended at once."""
        return bool(goal.instruction == self._mark)

    def take_again(self) -> None:
        """To be called now and then once the server is there, until a goal that was left has been sent to it again."""
        if not self._left:
            return
        if self._client is None:
            self._client = ActionClient(self._node, self._action, self._name)
        if self._client.server_is_ready():
            self.over()
            self._client.send_goal_async(self._action.Goal(instruction=self._mark),
                                         goal_uuid=UUID(uuid=list(self._left)))
            self._left = b""
