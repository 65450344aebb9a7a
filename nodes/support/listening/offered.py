"""Subscriptions of sensors that hear every driver: reliable where it is, best effort where it offers no more.

A reliable subscription hears nothing of a publisher that is best effort, as many cameras' and lasers' drivers are; a
best-effort one loses pictures of those that are reliable. So what is offered decides.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from dadu_nodes.support.wall import STEADY
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription


def offered_qos(node: Node, topic: str, wanted: QoSProfile) -> QoSProfile:
    """`wanted`, or best effort where a publisher of `topic` is."""
    offers = {info.qos_profile.reliability for info in
              node.get_publishers_info_by_topic(node.resolve_topic_name(topic))}
    if wanted.reliability == ReliabilityPolicy.BEST_EFFORT or ReliabilityPolicy.BEST_EFFORT not in offers:
        return wanted
    lenient = copy.copy(wanted)
    lenient.reliability = ReliabilityPolicy.BEST_EFFORT
    return lenient


def is_volatile(node: Node, topic: str) -> bool:
    """True where a publisher of `topic` keeps nothing for those who come later."""
    return any(info.qos_profile.durability == DurabilityPolicy.VOLATILE for info in
               node.get_publishers_info_by_topic(node.resolve_topic_name(topic)))


class SensorSubscription:
    """Hears `topic` as `wanted`, and anew, with less, once a publisher turns up that offers less."""

    def __init__(self, node: Node, kind: type, topic: str, callback: Callable[[Any], None], wanted: QoSProfile) -> None:
        self._node, self._kind, self._topic, self._callback, self._wanted = node, kind, topic, callback, wanted
        self._subscription = self._subscribe()

    def waiting(self) -> Iterator[Any]:
        """What has arrived beyond the message that the callback was given, oldest first; taken herewith."""
        handle = self._subscription.handle
        with handle:
            while (taken := handle.take_message(self._kind, False)) is not None:
                yield taken[0]

    def close(self) -> None:
        self._node.destroy_subscription(self._subscription)

    def _subscribe(self) -> Subscription:
        events = SubscriptionEventCallbacks(incompatible_qos=self._mismatched)
        profile = offered_qos(self._node, self._topic, self._wanted)
        return self._node.create_subscription(self._kind, self._topic, self._callback, profile, event_callbacks=events)

    def _mismatched(self, _: Any) -> None:
        """Not within the callback of the subscription that goes."""
        def renew() -> None:
            self._node.destroy_timer(timer)
            self.close()
            self._subscription = self._subscribe()

        timer = self._node.create_timer(0.0, renew, clock=STEADY)
