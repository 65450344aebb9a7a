"""The depth camera for obstacle avoidance: depth and intrinsics put at their place in the map."""

from __future__ import annotations

from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.transforms import TransformListener
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, Image

from dadu.core.robot import CameraFrame
from dadu.core.transforms import TransformError
from dadu.incoming.camera import CameraModel, camera_model, depth_alone


class DepthListener:
    """Pictures wait until somebody asks for the newest."""

    def __init__(self, node: Node, transforms: TransformListener) -> None:
        self._frame: CameraFrame | None = None
        self._transforms = transforms
        self._of_color: CameraModel | None = None
        self._of_depth: CameraModel | None = None
        self._camera = PolledSubscriptions(node)
        self._camera.add(CameraInfo, "camera/color/camera_info", self._on_color_info, qos.SENSOR)
        self._camera.add(CameraInfo, "camera/depth/camera_info", self._on_depth_info, qos.SENSOR)
        self._camera.add(Image, "camera/depth/image_raw", self._on_depth, qos.CAMERA)

    def newest(self) -> CameraFrame | None:
        """The newest depth picture (without colour); None until camera, intrinsics and transforms are there."""
        self._camera.poll()
        return self._frame

    def _on_color_info(self, message: CameraInfo, _: int) -> None:
        self._of_color = camera_model(message)

    def _on_depth_info(self, message: CameraInfo, _: int) -> None:
        self._of_depth = camera_model(message)

    def _on_depth(self, message: Image, _: int) -> None:
        stamp = seconds(message.header.stamp)
        try:
            T_map_camera = self._transforms.tree.lookup(
                "map", self._transforms.frames.here(message.header.frame_id), stamp)
        except TransformError:
            return  # not localised at that moment
        if self._of_color is not None or self._of_depth is not None:
            self._frame = depth_alone(stamp, message, self._of_color, self._of_depth, T_map_camera)
