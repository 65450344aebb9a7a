"""The colour camera for a policy that sees."""

from __future__ import annotations

import numpy as np
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.transforms import TransformListener
from rclpy.node import Node
from sensor_msgs.msg import Image

from dadu.core.errors import DaduError
from dadu.incoming.pictures import color
from dadu.perception.upright import quarter_turns, turned


class CameraListener:
    """Pictures wait in the middleware; `look` takes the newest, any thread may read it."""

    def __init__(self, node: Node) -> None:
        self.picture: np.ndarray | None = None
        """uint8 (H, W, 3), red first, turned upright"""
        self.stamp = -1.0
        """of `picture` [s]"""
        self._intake = Intake.of(node)
        self._message: Image | None = None
        self._transforms = TransformListener(node)
        self._camera = PolledSubscriptions(node)
        self._camera.add(Image, "camera/color/image_raw", self._on_image, qos.CAMERA)

    def look(self) -> None:
        """Takes over the newest picture; one that cannot be read is left out, with a warning."""
        self._camera.poll()
        message, self._message = self._message, None
        if message is None:
            return
        try:
            stamp = seconds(message.header.stamp)
            T_map_camera = self._transforms.tree.lookup(
                "map", self._transforms.frames.here(message.header.frame_id))
            self.picture, self.stamp = turned(color(message), quarter_turns(T_map_camera[:3, :3])), stamp
        except DaduError as error:
            self._intake.refuse("camera/color/image_raw", f"no picture for the policy: {error}")

    def _on_image(self, message: Image, _: int) -> None:
        self._message = message
