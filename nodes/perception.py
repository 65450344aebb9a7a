"""Node ``perception``: camera topics and tf -> /perception/detections, and for who listens /perception/points
and, where vision_msgs is installed, /detections.

A detector that takes text hears on /perception/look_for what a thing looks like: its category, and the words for it;
an empty message ends what was said for a task. One that learns by example hears on /memory/examples how
things look that somebody showed.
"""

from __future__ import annotations

import time
from functools import partial

import numpy as np
from dadu_interfaces.msg import DetectionArray, GroundTruth
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds, stamp
from dadu_nodes.support.convert import vision
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.listening.offered import SensorSubscription
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.transforms import TransformListener
from dadu_nodes.support.wall import SILENCE, STEADY
from dadu_nodes.support.work import WorkReporter
from diagnostic_msgs.msg import KeyValue
from sensor_msgs.msg import CameraInfo, Image, PointCloud2, PointField
from std_msgs.msg import Header

from dadu.bringup.environment import send_pictures
from dadu.core.config import Settings
from dadu.core.errors import NotUsable
from dadu.core.robot import CameraFrame
from dadu.incoming.camera import CameraModel, camera_model, looks_up, rgbd
from dadu.perception.backprojection import BackprojectionSettings
from dadu.perception.detector import Detector, Prompted, Teachable
from dadu.perception.detectors import DEFAULT, GROUND_TRUTH, detector_class, make_detector
from dadu.perception.frame_assembler import FrameAssembler, LossCounter
from dadu.perception.pipeline import LastLook, perceive
from dadu.perception.states import StateReader
from dadu.replay import messages
from dadu.sim.time_sync import Work
from dadu.stacks.priors import vocabulary_of
from dadu.world.graph import Kind

_COLOR, _DEPTH, _INFO = "camera/color/image_raw", "camera/depth/image_raw", "camera/color/camera_info"
_UPWARD = 10.0
"""wall seconds for which a camera may look up before it is asked whether it does"""
_LATE = 0.03
"""wall seconds after which pictures are looked for that came after the colour picture of their moment"""
_LOOKS = 10
"""at most, for each colour picture"""


class PerceptionSettings(Settings):
    detector: str = DEFAULT
    """as in `dadu.perception.detectors.detector_class`"""
    weights: str = ""
    """of a learned detector; empty: its own choice"""
    namer: str = ""
    """of what `learned` cuts out, see `dadu.perception.namers`; empty: its own"""
    house: str = ""
    """whose kinds of things a detector is told of that names things by words: a name in maps/ or a ``*.house.yaml``
    file;
    empty: the catalogue's alone"""
    states: bool = True
    """whether what is on, filled, clean or sliced is told by its look; no need where it is told as it truly is"""
    backprojection: BackprojectionSettings = BackprojectionSettings()


class PerceptionNode(DaduNode[PerceptionSettings]):
    """Detects in every picture that arrives complete."""

    live = ("backprojection",)

    def __init__(self) -> None:
        super().__init__("perception", PerceptionSettings)
        privileged = self.settings.detector == GROUND_TRUTH
        names = vocabulary_of(self.settings.house).categories_of_kind(Kind.OBJECT)
        self._detector: Detector | None = None if privileged else make_detector(
            self.settings.detector, self.settings.weights, names, self.settings.namer)
        self._states = StateReader() if self.settings.states else None
        self._last = LastLook()
        self._names: tuple[list[str], list[str]] = ([], [])
        self._cameras: dict[str, CameraModel] = {}
        """those of colour and depth, as far as they were told"""
        self._loss = LossCounter()
        transforms = TransformListener(self)
        kinds = ("rgb", "depth", "instances") if privileged else ("rgb", "depth")
        self._frames = FrameAssembler(kinds, lambda frame, stamp: transforms.tree.lookup(
            "map", self.frames.here(frame), stamp))
        self._publisher = self.create_publisher(DetectionArray, "perception/detections", qos.STATE)
        self._work = WorkReporter(self, Work.PICTURE)
        self.sim_clock.at_work(False)  # it works by the pictures' stamps
        self._points = self.create_publisher(PointCloud2, "perception/points", qos.SENSOR)
        self._types = vision.installed()
        self._boxes = self._types and self.create_publisher(self._types.Detection3DArray, "detections", qos.STATE)
        # The colour picture wakes the node, what goes with it is taken then; where it comes later, shortly after.
        self._color = SensorSubscription(self, Image, _COLOR, self._on_color, qos.CAMERA)
        self._late = self.create_timer(_LATE, self._perceive, clock=STEADY)
        self._late.cancel()
        self._seen = time.monotonic()
        self._placed = self._seen
        self.health.check(self._blind, error=False)
        self._skyward = ""
        self.health.check(lambda: self._skyward, error=False, patience=_UPWARD)
        self._looks = 0
        """since the last colour picture"""
        self._rest = PolledSubscriptions(self)
        self._rest.add(CameraInfo, _INFO, partial(self._on_info, "color"), qos.CAMERA)
        self._rest.add(CameraInfo, "camera/depth/camera_info", partial(self._on_info, "depth"), qos.CAMERA)
        self._rest.add(Image, _DEPTH, lambda m, _: self._add("depth", m), qos.CAMERA)
        if isinstance(self._detector, Prompted):
            self.create_subscription(KeyValue, "perception/look_for",
                                     partial(self._on_description, self._detector), qos.STATE)
        if isinstance(self._detector, Teachable):
            self.create_subscription(DetectionArray, "memory/examples", partial(self._on_examples, self._detector),
                                     qos.LATCHED)
        if privileged:
            self._rest.add(Image, "camera/instances/image_raw", lambda m, _: self._add("instances", m), qos.CAMERA)
            self._rest.add(GroundTruth, "sim/ground_truth", self._on_ground_truth, qos.STATE)

    def _on_info(self, kind: str, message: CameraInfo, _: int) -> None:
        self._cameras[kind] = camera_model(message)

    def _on_description(self, detector: Prompted, message: KeyValue) -> None:
        self._last.forget()
        with self.health.timed("look_for"):
            if message.key:
                detector.look_for(message.key, message.value)
            else:
                detector.forget_looks()

    def _on_examples(self, detector: Teachable, message: DetectionArray) -> None:
        self._last.forget()
        detector.show(messages.examples(message))

    def _on_ground_truth(self, message: GroundTruth, _: int) -> None:
        """Only the table of instance names is read."""
        names = (list(message.instance_names), list(message.instance_categories))
        if names != self._names:
            self._names = names
            self._detector = detector_class(GROUND_TRUTH)(names[0], dict(zip(*names)))

    def _blind(self) -> str:
        dark = time.monotonic() - self._seen
        if dark > SILENCE:
            return f"no picture for {dark:.0f} s{self.intake.why(_COLOR)}; is the camera's driver running?"
        if time.monotonic() - self._placed < SILENCE:
            return ""
        if "color" not in self._cameras:
            return f"pictures come, but nothing on {_INFO}{self.intake.why(_INFO)}"
        return ("colour pictures come, but no depth picture of their moment, or no transform to put them in map"
                f"{self.intake.why(_COLOR)}{self.intake.why(_DEPTH)}")

    def _on_color(self, message: Image) -> None:
        """A simulator waits until each picture has been looked at; a world that does not wait is seen as it is now, so
        that of the pictures of a fast camera most are passed over."""
        self._seen = time.monotonic()
        self.intake.stamped(_COLOR, seconds(message.header.stamp))
        for picture in (message, *(() if self.sim_clock.simulated else self._color.waiting())):
            self._loss.add(seconds(picture.header.stamp))
            self._add("rgb", picture)
        self.health.set("frames.received", self._loss.received)
        self.health.set("frames.lost", self._loss.lost)
        self._looks = 0
        self._perceive()
        # What is not complete or not placed by now others owe.
        self._work.until(seconds(message.header.stamp))

    def _add(self, kind: str, message: Image) -> None:
        self._frames.add(kind, seconds(message.header.stamp), message.header.frame_id, message)

    def _perceive(self) -> None:
        """Detects in what is complete, and waits for what is not."""
        self._rest.poll()
        if self._detector is None or "color" not in self._cameras:
            return
        for frame_stamp, pictures, pose in (self._frames.take() if self.sim_clock.simulated
                                            else self._frames.take_newest()):
            with self.health.timed("perceive"):
                try:
                    frame = rgbd(frame_stamp, pictures["rgb"], pictures["depth"], self._cameras["color"],
                                 self._cameras.get("depth"), pose, pictures.get("instances"))
                    seen = perceive(frame, self._detector, self.settings.backprojection, self._states, self._last)
                except NotUsable as unusable:  # of these pictures; the next may be as good as ever
                    self.intake.refuse(_COLOR, str(unusable))
                    continue
                self._placed, self._skyward = time.monotonic(), looks_up(pose, pictures["rgb"].header.frame_id)
                self._publisher.publish(self.frames.sent(encode.detections(seen)))
            if self._boxes is not None and self._boxes.get_subscription_count():
                self._boxes.publish(self.frames.sent(vision.detections_3d(seen, self._types)))
            if self._points.get_subscription_count():
                self._points.publish(self.frames.sent(cloud_message(frame)))
        self.health.set("frames.incomplete", self._frames.incomplete)
        self.health.set("frames.unplaced", self._frames.unplaced)
        self.health.set("frames.passed_over", self._frames.passed_over)
        self._looks += 1
        if self._frames.waiting and self._looks < _LOOKS:
            self._late.reset()
        else:
            self._late.cancel()


_STEP = 4
"""pixels between two points: 19,200 of a 640x480 picture"""
_FAR = 8.0
"""[m]: depth beyond it is not trusted"""


def cloud_message(frame: CameraFrame) -> PointCloud2:
    """What the camera sees, thinned, in map: x, y, z [m] and colour."""
    depth = frame.depth[::_STEP, ::_STEP]
    seen = np.isfinite(depth) & (depth > 0) & (depth < _FAR)
    v, u = np.nonzero(seen)
    z = depth[seen].astype(float)
    x = (u * _STEP - frame.K[0, 2]) * z / frame.K[0, 0]
    y = (v * _STEP - frame.K[1, 2]) * z / frame.K[1, 1]
    points = np.stack([x, y, z], axis=1) @ frame.T_map_camera[:3, :3].T + frame.T_map_camera[:3, 3]
    rgb = frame.rgb[::_STEP, ::_STEP][seen].astype(np.uint32)
    table = np.empty((len(points), 4), np.float32)
    table[:, :3] = points
    table[:, 3] = (rgb[:, 0] << 16 | rgb[:, 1] << 8 | rgb[:, 2]).view(np.float32)  # as PCL and RViz pack it
    fields = [PointField(name=name, offset=4 * i, datatype=PointField.FLOAT32, count=1)
              for i, name in enumerate(("x", "y", "z", "rgb"))]
    cloud = PointCloud2(header=Header(stamp=stamp(frame.stamp), frame_id="map"), height=1, width=len(points),
                        fields=fields, is_bigendian=False, point_step=16, row_step=16 * len(points), is_dense=True)
    cloud.data = table.tobytes()
    return cloud


def main() -> None:
    send_pictures()
    run(PerceptionNode)
