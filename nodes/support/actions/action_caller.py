"""Calls an action and always gets an answer: also when its server is gone, dies on the way, or is started anew."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.actions.handshake import servers
from dadu_nodes.support.waiting import wait_until
from dadu_nodes.support.wall import ANSWER, LOOK, SILENCE
from rclpy.node import Node
from rclpy.task import Future
from rclpy.time import Time


class ActionCaller:
    """One action, one goal at a time."""

    def __init__(self, node: Node, action: Any, name: str) -> None:
        self.name = name
        self._node = node
        self._client = ActionClient(node, action, name)
        self._before: Time | None = None
        """goals until then are of whoever was here before; None while nobody has told the time"""

    async def call(self, goal: Any, cancelled: Callable[[], bool], patience: float,
                   feedback: Callable[[Any], None] | None = None) -> Any | None:
        """The response with `status` and `result`, or None where the server is gone.

        While `cancelled()` the goal is cancelled, and its result is that of the cancelled goal. `patience` [s, wall] is
        how long a server that is missing or does not answer is waited for. `feedback` gets the server's messages about
        the goal.
        """
        if not await self._ready(patience, cancelled):
            return None
        serving = Serving(self._node, self.name)
        accepted = self._client.send_goal_async(goal, feedback_callback=feedback)
        if not await self._wait(accepted, serving, time.monotonic() + ANSWER):
            accepted.add_done_callback(_cancelled)
            return None
        if not accepted.result().accepted:
            return None
        handle = accepted.result()
        result = handle.get_result_async()
        deadline = float("inf")

        def over() -> bool:
            nonlocal deadline
            if not result.done() and cancelled() and deadline == float("inf"):
                handle.cancel_goal_async()
                deadline = time.monotonic() + SILENCE
            return result.done() or serving.gone() or time.monotonic() > deadline

        await wait_until(self._node, over, LOOK, result)
        return result.result() if result.done() else None

    def cancel_orphans(self) -> bool:
        """Cancels every goal that the server had when this was called first, whoever sent it; False while no server
        answers. A server may be found late, and who has sent it a goal meanwhile is to keep that."""
        now = self._node.get_clock().now()
        if self._before is None and now.nanoseconds:  # until zero would mean those to come, too
            self._before = now
        if self._before is None or not self._client.server_is_ready():
            return False
        return self._client.cancel_all(self._before)

    async def _ready(self, patience: float, cancelled: Callable[[], bool]) -> bool:
        deadline, ready = time.monotonic() + patience, False

        def over() -> bool:
            nonlocal ready
            ready = self._client.server_is_ready()
            return ready or cancelled() or time.monotonic() > deadline

        await wait_until(self._node, over, LOOK)
        return ready

    async def _wait(self, future: Future, serving: Serving, deadline: float) -> bool:
        await wait_until(self._node, lambda: future.done() or time.monotonic() > deadline or serving.gone(), LOOK,
                    future)
        return future.done()


def _cancelled(accepted: Future) -> None:
    """A goal that was taken after nobody waited for it any more would be carried out unwatched."""
    if not accepted.cancelled() and accepted.result().accepted:
        accepted.result().cancel_goal_async()


class Serving:
    """Who serves an action when this is made.

    A server that is killed stays listed for a while, and its successor knows nothing of the goal: a newcomer tells that
    the server died. That one more leaves the list tells nothing: it may have died before this was made.
    """

    def __init__(self, node: Node, action: str) -> None:
        self._node, self._action = node, action
        self._then = servers(node, action)

    def gone(self) -> bool:
        """True if a goal sent since then has nobody to answer for it any more."""
        now = servers(self._node, self._action)
        return not now or not now <= self._then
