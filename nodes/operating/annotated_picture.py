"""The camera's newest picture together with what was detected in that very picture."""

from __future__ import annotations

import time
from collections import deque

from dadu_interfaces.msg import DetectionArray
from dadu_nodes.support import qos
from dadu_nodes.support.clock import SAME, seconds
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.listening.offered import SensorSubscription
from dadu_nodes.support.transforms import TransformListener
from rclpy.node import Node
from sensor_msgs.msg import Image

from dadu.core.errors import NotUsable
from dadu.incoming.pictures import color
from dadu.operator.console.sight import sight_view
from dadu.operator.console.state import SightView
from dadu.perception.upright import quarter_turns
from dadu.replay import messages
from dadu.world.detection import DetectionFrame
from dadu.world.graph import WorldGraph

_KEPT = 10
"""pictures that wait for their detections"""
_PATIENCE = 2.0
"""[s, wall] without detections after which pictures are shown without any"""


class AnnotatedPicture:
    """Subscribed for as long as this is open. `sight` is called by the web server's threads, the rest by the node's."""

    def __init__(self, node: Node) -> None:
        self._pictures: deque[Image] = deque(maxlen=_KEPT)
        self._node, self._turns = node, 0
        self._heard = -_PATIENCE
        self._shown: tuple[Image, DetectionFrame | None] | None = None
        self._made: tuple[object, SightView | None] = None, None
        """what was made of which `_shown`"""
        self._camera = SensorSubscription(node, Image, "camera/color/image_raw", self._on_image, qos.CAMERA)
        self._seen = node.create_subscription(DetectionArray, "perception/detections", self._on_detections, qos.STATE)

    def close(self) -> None:
        self._camera.close()
        self._node.destroy_subscription(self._seen)

    def turn(self, transforms: TransformListener) -> None:
        """Finds out which way up the camera is. Errors: TransformError."""
        if self._pictures:
            camera = transforms.frames.here(self._pictures[-1].header.frame_id)
            self._turns = quarter_turns(transforms.tree.lookup("map", camera)[:3, :3])

    def sight(self, after: float, graph: WorldGraph) -> SightView | None:
        """None: there is no picture, or it is that of the stamp `after`, or cannot be read."""
        shown = self._shown
        if shown is None or abs((stamp := seconds(shown[0].header.stamp)) - after) < SAME:
            return None
        of, made = self._made
        if of is not shown:
            made = None
            try:
                made = sight_view(stamp, color(shown[0]), self._turns, shown[1], graph)
            except NotUsable as unusable:
                Intake.of(self._node).refuse("camera/color/image_raw", str(unusable))
            self._made = shown, made
        return made

    def _on_image(self, message: Image) -> None:
        self._pictures.append(message)
        if time.monotonic() - self._heard > _PATIENCE:
            self._shown = message, None

    def _on_detections(self, message: DetectionArray) -> None:
        self._heard, stamp = time.monotonic(), seconds(message.header.stamp)
        for picture in self._pictures:
            if abs(seconds(picture.header.stamp) - stamp) < SAME:
                self._shown = picture, messages.detections(message)
