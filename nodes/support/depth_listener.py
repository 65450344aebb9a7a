"""The depth camera for obstacle avoidance: depth and intrinsics put at their place in the map."""

from __future__ import annotations

import numpy as np
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert import images
from dadu_nodes.support.transforms import TransformListener
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, Image

from dadu.robot import CameraFrame
from dadu.transforms import TransformError


class DepthListener:
    """`frame` is the newest depth picture (without colour), None until camera, intrinsics and transforms are there."""

    def __init__(self, node: Node, transforms: TransformListener) -> None:
        self.frame: CameraFrame | None = None
        self._transforms = transforms
        self._K: np.ndarray | None = None
        node.create_subscription(CameraInfo, "/camera/color/camera_info", self._on_info, qos.SENSOR)
        node.create_subscription(Image, "/camera/depth/image_raw", self._on_depth, qos.CAMERA)

    def _on_info(self, message: CameraInfo) -> None:
        self._K = images.intrinsics(message)

    def _on_depth(self, message: Image) -> None:
        stamp = seconds(message.header.stamp)
        try:
            T_map_camera = self._transforms.tree.lookup("map", message.header.frame_id, stamp)
        except TransformError:
            return  # not localised at that moment
        if self._K is not None:
            depth = images.depth(message)
            self.frame = CameraFrame(stamp, np.zeros((*depth.shape, 0), np.uint8), depth, self._K, T_map_camera)
