"""Waits until whoever serves an action knows this client, so that its answers arrive.

A client finds a server before the server has found the client. What the server answers until then is lost, and neither
hears of it; on a busy machine that lasts for seconds. So the server is asked for something that changes nothing until
it has answered. A participant makes its endpoints known in the order in which they were made: a server that answers the
one that is asked by knows all those made before it.
"""

from __future__ import annotations

import time
import uuid

from action_msgs.msg import GoalInfo
from action_msgs.srv import CancelGoal
from dadu_nodes.support.wall import AGAIN
from rclpy.client import Client
from rclpy.node import Node
from rclpy.task import Future
from unique_identifier_msgs.msg import UUID


def servers(node: Node, action: str) -> frozenset[bytes]:
    """Who serves an action, as far as is known; one that was killed stays listed for a while."""
    topic = f"{action}/_action/status"
    return frozenset(bytes(info.endpoint_gid) for info in node.get_publishers_info_by_topic(topic))


class ActionHandshake:
    """Asks to cancel a goal that nobody ever gave: every action server answers that it knows of none."""

    def __init__(self, node: Node, action: str, cancel: Client) -> None:
        """`cancel`: a client of the action's cancel service, made after the other clients that this is for."""
        self._node, self._action, self._cancel = node, action, cancel
        self._answer: Future | None = None
        self._asked: frozenset[bytes] = frozenset()
        """who served when it was asked"""
        self._again = 0.0
        """when it is due to be asked anew [s, monotonic]"""

    def answered(self) -> bool:
        """True if who serves now has answered. To be called until it is so, and before each goal: somebody who has
        come since is asked, too."""
        now = servers(self._node, self._action)
        known = self._answer is not None and now <= self._asked
        if known and self._answer is not None and self._answer.done():
            return bool(now)
        if (not known or time.monotonic() > self._again) and self._cancel.service_is_ready():
            self._ask(now)
        return False

    def _ask(self, now: frozenset[bytes]) -> None:
        if self._answer is not None:
            self._cancel.remove_pending_request(self._answer)
        nobodys = GoalInfo(goal_id=UUID(uuid=list(uuid.uuid4().bytes)))
        self._answer = self._cancel.call_async(CancelGoal.Request(goal_info=nobodys))
        self._asked, self._again = now, time.monotonic() + AGAIN
