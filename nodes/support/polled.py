"""Subscriptions that do not wake the node: their messages wait in the middleware until somebody asks for them.

An executor of rclpy builds its wait set anew for every message, which costs more than most callbacks do. A node that
only stores messages, or needs nothing but the newest of them at its own pace, takes them in batches instead.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from typing import Any

from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.listening.offered import is_volatile, offered_qos
from dadu_nodes.support.wall import DISCOVERY
from rclpy.callback_groups import CallbackGroup
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.subscription import Subscription


class PolledSubscriptions:
    """Any number of them on one node. A queue that overflows between two polls drops its oldest (KEEP_LAST)."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._group = NeverReady()
        self._subscriptions: list[tuple[Subscription, Callable[[Any, int], None]]] = []
        self._unheard: dict[int, QoSProfile] = {}
        """subscriptions of which nothing has come yet: number to what is wanted"""
        self._looked = time.monotonic()

    def add(self, kind: type, topic: str, callback: Callable[[Any, int], None], qos: QoSProfile, *,
            raw: bool = False) -> None:
        """`callback` takes the message (its serialized bytes where `raw`) and when it was received [ns, wall].

        A reliable subscription becomes best effort where that is what is offered; a latched one gets a volatile one
        beside it, for what a publisher that keeps nothing sends from then on.
        """
        self._unheard[len(self._subscriptions)] = qos
        guarded = Intake.of(self._node).guarded(topic, callback)
        self._subscriptions.append((self._heard_as(qos, kind, topic, raw, guarded), guarded))

    def _heard_as(self, qos: QoSProfile, kind: Any, topic: str, raw: bool, callback: Callable[[Any, int], None]
                  ) -> Subscription:
        events = None
        if qos.durability == DurabilityPolicy.TRANSIENT_LOCAL:
            beside: list[Subscription] = []

            def hear_volatile(_: Any) -> None:
                if beside or not is_volatile(self._node, topic):
                    return
                loose = copy.copy(offered_qos(self._node, topic, qos))
                loose.durability = DurabilityPolicy.VOLATILE
                beside.append(self._heard_as(loose, kind, topic, raw, callback))
                self._subscriptions.append((beside[0], callback))
            events = SubscriptionEventCallbacks(incompatible_qos=hear_volatile)
        return self._node.create_subscription(kind, topic, _unused, qos, callback_group=self._group, raw=raw,
                                              event_callbacks=events)

    def poll(self) -> None:
        """Calls back for everything that has arrived, topic by topic; also when ROS has been shut down meanwhile."""
        if self._unheard and time.monotonic() - self._looked > DISCOVERY and self._node.context.ok():
            self._match()
        for number, (subscription, callback) in enumerate(self._subscriptions):
            with subscription.handle:
                while (taken := self._take(subscription)) is not None:
                    message, info = taken
                    self._unheard.pop(number, None)
                    callback(message, info["received_timestamp"])

    def _take(self, subscription: Subscription) -> Any:
        """Message and information of the next that can be unpacked: a string may be no UTF-8."""
        while True:
            try:
                return subscription.handle.take_message(subscription.msg_type, subscription.raw)
            except UnicodeDecodeError as error:
                Intake.of(self._node).refuse(subscription.topic_name, f"it cannot be unpacked: {error}")

    def _match(self) -> None:
        """Hears those that offer less than was wanted."""
        self._looked = time.monotonic()
        for number, wanted in tuple(self._unheard.items()):
            subscription, callback = self._subscriptions[number]
            offered = offered_qos(self._node, subscription.topic_name, wanted)
            if offered is wanted:
                continue
            del self._unheard[number]
            renewed = self._heard_as(offered, subscription.msg_type, subscription.topic_name, subscription.raw,
                                     callback)
            self._subscriptions[number] = (renewed, callback)
            self._node.destroy_subscription(subscription)

    def close(self) -> None:
        self._unheard.clear()
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
