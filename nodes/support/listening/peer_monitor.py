"""Ends a node that no longer hears the others' reports on ``/diagnostics``, where somebody will start it again."""

from __future__ import annotations

import os

from dadu_nodes.support.incoming.intake import NodeMustEnd
from dadu_nodes.support.polled import NeverReady
from diagnostic_msgs.msg import DiagnosticArray, KeyValue
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription

from dadu.bringup.peer_liveness import PeerLiveness

_QUEUE = QoSProfile(depth=40, reliability=ReliabilityPolicy.BEST_EFFORT)
"""of one second, from twice as many nodes as a graph has"""
_KEY = "unheard"


class PeerDiscoveryError(NodeMustEnd):
    """The node does not hear others that are there."""


class PeerMonitor:
    """Of one node; costs it little between two looks."""

    def __init__(self, node: Node, topic: str, peers: PeerLiveness | None = None) -> None:
        self._node, self._peers = node, peers or PeerLiveness(node.get_name())
        self._subscription: Subscription = node.create_subscription(
            DiagnosticArray, topic, _unused, _QUEUE, callback_group=NeverReady())

    @property
    def told(self) -> KeyValue:
        """What the node's own report says of it."""
        return KeyValue(key=_KEY, value=" ".join(self._peers.unheard))

    def look(self) -> None:
        """To be called once for each report of the node's own. Errors: PeerDiscoveryError."""
        reports, strangers = self._reports()
        self._peers.look(reports, self._there, strangers)
        if self._peers.isolated:
            whom = ", ".join(self._peers.unheard) or "any of the other nodes"
            raise PeerDiscoveryError(f"{self._node.get_name()} runs, but does not hear {whom} any more (did it stand "
                                     "still for some seconds?); it ends, to be started again")

    def _reports(self) -> tuple[dict[str, tuple[str, ...]], bool]:
        """Those of DaDu's nodes: only they say whom they do not hear; and whether there were others."""
        found, heard, handle = {}, 0, self._subscription.handle
        with handle:
            while (taken := handle.take_message(DiagnosticArray, False)) is not None:
                told = {status.name: tuple(v.value.split()) for status in taken[0].status
                        for v in status.values if v.key == _KEY}
                heard += not told
                found.update(told)
        return found, heard > 0

    def _there(self) -> set[str]:
        topic = self._subscription.topic_name
        return {info.node_name for info in self._node.get_publishers_info_by_topic(topic)}


def watched_over() -> bool:
    """True if this process belongs to a graph whose nodes are started again when they end."""
    return "DADU_RUN_DIR" in os.environ


def _unused(message: DiagnosticArray) -> None:
    """What rclpy would call."""
