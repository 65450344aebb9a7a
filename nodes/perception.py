"""Node ``perception``: camera topics and tf -> /perception/detections.

A detector that takes text hears on /perception/look_for what a thing looks like: its category, and the words for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from dadu_interfaces.msg import DetectionArray, GroundTruth
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert import detections, images
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.transforms import TransformListener
from diagnostic_msgs.msg import KeyValue
from sensor_msgs.msg import CameraInfo, Image

from dadu.core.config import Settings
from dadu.core.robot import CameraFrame
from dadu.perception.backprojection import BackprojectionSettings
from dadu.perception.detector import Detector, Prompted
from dadu.perception.detectors import DEFAULT, GROUND_TRUTH, detector_class
from dadu.perception.frame_assembler import FrameAssembler, LossCounter
from dadu.perception.pipeline import perceive


class PerceptionSettings(Settings):
    """Parameters of the node."""

    detector: str = DEFAULT
    """as in `dadu.perception.detectors.detector_class`"""
    weights: str = ""
    """of a learned detector; empty: its own choice"""
    backprojection: BackprojectionSettings = BackprojectionSettings()


class PerceptionNode(DaduNode[PerceptionSettings]):
    """Detects in every picture that arrives complete."""

    def __init__(self) -> None:
        super().__init__("perception", PerceptionSettings)
        make_detector = detector_class(self.settings.detector)
        privileged = self.settings.detector == GROUND_TRUTH
        weights = (self.settings.weights,) if self.settings.weights else ()
        self._detector: Detector | None = None if privileged else make_detector(*weights)
        self._names: tuple[list[str], list[str]] = ([], [])
        self._info: CameraInfo | None = None
        self._loss = LossCounter()
        transforms = TransformListener(self)
        kinds = ("rgb", "depth", "instances") if privileged else ("rgb", "depth")
        self._frames = FrameAssembler(kinds, lambda frame, stamp: transforms.tree.lookup("map", frame, stamp))
        self._publisher = self.create_publisher(DetectionArray, "/perception/detections", qos.STATE)
        self.create_subscription(CameraInfo, "/camera/color/camera_info", self._on_info, qos.CAMERA)
        self.create_subscription(Image, "/camera/color/image_raw", lambda m: self._on_image("rgb", m), qos.CAMERA)
        self.create_subscription(Image, "/camera/depth/image_raw", lambda m: self._on_image("depth", m), qos.CAMERA)
        if isinstance(self._detector, Prompted):
            self.create_subscription(KeyValue, "/perception/look_for",
                                     partial(self._on_description, self._detector), qos.STATE)
        if privileged:
            self.create_subscription(Image, "/camera/instances/image_raw",
                                     lambda m: self._on_image("instances", m), qos.CAMERA)
            self.create_subscription(GroundTruth, "/sim/ground_truth", self._on_ground_truth, qos.STATE)

    def _on_info(self, message: CameraInfo) -> None:
        self._info = message

    def _on_description(self, detector: Prompted, message: KeyValue) -> None:
        with self.health.timed("look_for"):
            detector.look_for(message.key, message.value)

    def _on_ground_truth(self, message: GroundTruth) -> None:
        """Only the table of instance names is read."""
        names = (list(message.instance_names), list(message.instance_categories))
        if names != self._names:
            self._names = names
            self._detector = detector_class(GROUND_TRUTH)(names[0], dict(zip(*names)))

    def _on_image(self, kind: str, message: Image) -> None:
        stamp = seconds(message.header.stamp)
        if kind == "rgb":
            self._loss.add(stamp)
            self.health.set("frames.received", self._loss.received)
            self.health.set("frames.lost", self._loss.lost)
        self._frames.add(kind, stamp, message.header.frame_id, message)
        if self._detector is None or self._info is None:
            return
        for frame_stamp, pictures, pose in self._frames.take():
            with self.health.timed("perceive"):
                frame = _camera_frame(frame_stamp, pictures, images.intrinsics(self._info), pose)
                seen = perceive(frame, self._detector, self.settings.backprojection)
                self._publisher.publish(detections.frame_message(seen))
        self.health.set("frames.incomplete", self._frames.incomplete)
        self.health.set("frames.unplaced", self._frames.unplaced)


def _camera_frame(stamp: float, pictures: Mapping[str, Image], K: np.ndarray, T_map_camera: np.ndarray) -> CameraFrame:
    instances = pictures.get("instances")
    return CameraFrame(stamp, images.rgb(pictures["rgb"]), images.depth(pictures["depth"]), K, T_map_camera,
                       None if instances is None else images.image(instances))


def main() -> None:
    """Entry point."""
    run(PerceptionNode)


if __name__ == "__main__":
    main()
