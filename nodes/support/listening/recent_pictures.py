"""The colour pictures of the last moments, for who wants to look again at what was detected in one of them."""

from __future__ import annotations

import struct
from collections import deque

import numpy as np
from dadu_nodes.support import qos
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.polled import PolledSubscriptions
from rclpy.node import Node
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import Image

from dadu.core.errors import NotUsable
from dadu.incoming.pictures import color

_SAME = 1e-4
"""stamps this close are one [s]"""


class RecentPictures:
    """They wait in the middleware until asked for, and are unpacked only where one is wanted."""

    def __init__(self, node: Node) -> None:
        self._kept: deque[tuple[float, bytes]] = deque(maxlen=qos.CAMERA.depth)
        self._intake = Intake.of(node)
        self._camera = PolledSubscriptions(node)
        self._camera.add(Image, "camera/color/image_raw", self._on_image, qos.CAMERA, raw=True)

    def at(self, stamp: float) -> np.ndarray | None:
        """uint8 (H, W, 3), red first, as the camera gave it, of that stamp [s]; None where it is not here (any more),
        or cannot be read."""
        self._camera.poll()
        found = next((data for then, data in self._kept if abs(then - stamp) < _SAME), None)
        if found is None:
            return None
        try:
            return color(deserialize_message(found, Image))
        except NotUsable as unusable:
            self._intake.refuse("camera/color/image_raw", f"no picture of things: {unusable}")
            return None

    def _on_image(self, data: bytes, _: int) -> None:
        """A message begins, after four bytes that say in which order bytes are, with its stamp."""
        seconds, nanoseconds = struct.unpack_from("<iI" if data[1] & 1 else ">iI", data, 4)
        self._kept.append((seconds + nanoseconds * 1e-9, data))
