"""Ends a node that the others' reports on ``/diagnostics`` no longer reach, where somebody will start it again."""

from __future__ import annotations

import os

from dadu_nodes.support.polled import NeverReady
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription

from dadu.bringup.company import Company
from dadu.core.errors import DaduError

_QUEUE = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
"""one of them is enough"""


class Deaf(DaduError):
    """The node hears nobody any more."""


class CompanyWatch:
    """Of one node; costs it nothing between two looks."""

    def __init__(self, node: Node, topic: str, company: Company | None = None) -> None:
        self._node, self._company = node, company or Company()
        self._subscription: Subscription = node.create_subscription(
            DiagnosticArray, topic, _unused, _QUEUE, callback_group=NeverReady(), raw=True)

    def look(self) -> None:
        """To be called after each report of the node's own. Errors: Deaf."""
        heard, handle = 0, self._subscription.handle
        with handle:
            while heard < _QUEUE.depth and handle.take_message(DiagnosticArray, True) is not None:
                heard += 1
        if self._company.look(1, heard):
            raise Deaf(f"{self._node.get_name()} hears none of the other nodes any more, although it runs (it stood "
                       "still for a while?); it ends, to be started again")


def watched_over() -> bool:
    """Whether this process belongs to a graph whose nodes are started again when they end."""
    return "DADU_RUN_DIR" in os.environ


def _unused(message: bytes) -> None:
    """What rclpy would call."""
