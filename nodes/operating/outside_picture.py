"""The simulator's picture of the robot from outside, for the operator's page."""

from __future__ import annotations

import time

from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.wall import SILENCE
from rclpy.node import Node
from rclpy.subscription import Subscription
from sensor_msgs.msg import CompressedImage

from dadu.operator.console.sight import outside_view
from dadu.operator.console.state import SightView

TOPIC = "sim/outside/compressed"


class OutsidePicture:
    """Subscribed while the page asks for it: the simulator draws no longer than that. `sight` is called by the web
    server's threads, the rest by the node's."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._asked = -SILENCE
        self._subscription: Subscription | None = None
        self._shown: SightView | None = None
        self.there = False
        """True where a simulator offers such pictures"""

    def sight(self, after: float) -> SightView | None:
        """None: there is no picture, or it is that of the stamp `after`."""
        self._asked = time.monotonic()
        shown = self._shown
        return None if shown is None or shown.stamp == after else shown

    def check(self) -> None:
        """Now and then."""
        self.there = self._node.count_publishers(TOPIC) > 0
        looking = time.monotonic() - self._asked < SILENCE
        if looking and self._subscription is None:
            self._subscription = self._node.create_subscription(CompressedImage, TOPIC, self._on_picture, qos.NEWEST)
        elif not looking and self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = self._shown = None

    def _on_picture(self, message: CompressedImage) -> None:
        self._shown = outside_view(seconds(message.header.stamp), bytes(message.data))
