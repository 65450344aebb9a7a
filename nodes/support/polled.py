"""Subscriptions that do not wake the node: their messages wait in the middleware until somebody asks for them.

An executor of rclpy builds its wait set anew for every message, which costs more than most callbacks do. A node that
only stores messages, or needs nothing but the newest of them at its own pace, takes them in batches instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription


class PolledSubscriptions:
    """Any number of them on one node. A queue that overflows between two polls drops its oldest (KEEP_LAST)."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._group = NeverReady()
        self._subscriptions: list[tuple[Subscription, Callable[[Any, int], None]]] = []

    def add(self, kind: type, topic: str, callback: Callable[[Any, int], None], qos: QoSProfile, *,
            raw: bool = False) -> None:
        """`callback` takes the message (its serialized bytes where `raw`) and when it was received [ns, wall]."""
        subscription = self._node.create_subscription(kind, topic, _unused, qos, callback_group=self._group, raw=raw)
        self._subscriptions.append((subscription, callback))

    def poll(self) -> None:
        """Calls back for everything that has arrived, topic by topic."""
        for subscription, callback in self._subscriptions:
            with subscription.handle:
                while (taken := subscription.handle.take_message(subscription.msg_type, subscription.raw)) is not None:
                    message, info = taken
                    callback(message, info["received_timestamp"])

    def close(self) -> None:
        """Unsubscribes everything."""
        while self._subscriptions:
            self._node.destroy_subscription(self._subscriptions.pop()[0])


def _unused(message: Any) -> None:
    """What rclpy would call; `poll` calls the subscriber's own."""


class NeverReady(CallbackGroup):
    """Keeps its entities out of the executor's wait set."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        """Never called: nothing begins."""
