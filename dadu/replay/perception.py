"""Replays perception: recorded pictures and transforms through a detector, against the recorded detections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from dadu.core.robot import CameraFrame
from dadu.perception.detector import Detector
from dadu.perception.detectors import GROUND_TRUTH, detector_class
from dadu.perception.frame_assembler import FrameAssembler
from dadu.perception.pipeline import perceive
from dadu.replay import messages
from dadu.replay.bag import Bag, Message
from dadu.replay.pictures import depth, picture, rgb
from dadu.replay.report import ReplayReport
from dadu.replay.transforms import ROLES as TF
from dadu.replay.transforms import Frames
from dadu.world.detection import Detection, DetectionFrame

MOVED = 0.03
"""a detection whose centre is off by more counts as different [m]; pictures are recorded in millimetres"""
APART = 0.3
"""detections of one label farther apart are different things [m]"""


class ReplayedPerception:
    """The perception node without ROS: takes a bag's messages, gives what is seen."""

    def __init__(self, bag: Bag, detector: str = "") -> None:
        """`detector`: as in `dadu.perception.detectors.detector_class`; by default the simulator's instances where the
        bag has them. Errors: UnusableBag, ConfigError, MissingExtra."""
        self.name = detector or (GROUND_TRUTH if "instances" in bag.topics else "yolo")
        privileged = self.name == GROUND_TRUTH
        kinds = ("color", "depth", "instances") if privileged else ("color", "depth")
        self.roles = (*TF, "camera_info", *kinds, *(("truth",) if privileged else ()))
        bag.require([role for role in self.roles if role != "tf_static"], "perception")
        self.frames = Frames()
        self.pictures = FrameAssembler(kinds, self.frames.camera)
        self._detector: Detector | None = None if privileged else detector_class(self.name)()
        self._names: tuple[list[str], list[str]] = ([], [])
        self._K: np.ndarray | None = None

    def take(self, message: Message) -> Iterator[DetectionFrame]:
        """One message of `roles`; what has become complete by it."""
        if message.role in TF:
            self.frames.take(message)
        elif message.role == "truth":
            self._name(message.data)
        elif message.role == "camera_info":
            self._K = np.array(message.data.k, float).reshape(3, 3)
        else:
            header = message.data.header
            self.pictures.add(message.role, messages.seconds(header.stamp), header.frame_id, message.data)
        if self._detector is not None and self._K is not None and message.role not in TF:
            for stamp, pictures, pose in self.pictures.take():
                yield perceive(_frame(stamp, pictures, self._K, pose), self._detector)

    def _name(self, truth: Any) -> None:
        """Only the table of instance names is read."""
        names = (list(truth.instance_names), list(truth.instance_categories))
        if names != self._names:
            self._names = names
            self._detector = detector_class(GROUND_TRUTH)(names[0], dict(zip(*names)))


def _frame(stamp: float, pictures: Mapping[str, Any], K: np.ndarray, pose: np.ndarray) -> CameraFrame:
    instances = picture(pictures["instances"]).astype(np.int32) if "instances" in pictures else None
    return CameraFrame(stamp, rgb(pictures["color"]), depth(pictures["depth"]), K, pose, instances)


def replay_perception(bag: Bag, detector: str = "", limit: float = float("inf")) -> ReplayReport:
    """Detects anew in every recorded picture of the first `limit` [s]. Errors: UnusableBag."""
    eyes = ReplayedPerception(bag, detector)
    report = ReplayReport("perception", "pictures")
    recorded: dict[float, DetectionFrame] = {}
    replayed: dict[float, DetectionFrame] = {}
    offsets: list[float] = []
    for message in _first(bag.messages({*eyes.roles, "detections"}), limit):
        if message.role == "detections":
            frame = messages.detections(message.data)
            recorded[round(frame.stamp, 6)] = frame
        else:
            replayed.update((round(frame.stamp, 6), frame) for frame in eyes.take(message))
        for stamp in recorded.keys() & replayed.keys():
            report.compared += 1
            offsets += _compare(recorded.pop(stamp), replayed.pop(stamp), report)
    report.figures = {"pictures seen": report.compared + len(replayed)}
    if offsets:
        report.figures |= {"median offset [m]": float(np.median(offsets)), "largest offset [m]": max(offsets)}
    report.notes += _notes(eyes, len(recorded), report)
    return report


def _notes(eyes: ReplayedPerception, unmatched: int, report: ReplayReport) -> list[str]:
    notes = [f"detector {eyes.name}"]
    if unmatched:
        notes.append(f"{unmatched} recorded detections without their picture: the recorder had not heard it")
    if eyes.pictures.unplaced or eyes.pictures.incomplete:
        notes.append(f"{eyes.pictures.incomplete} pictures incomplete, {eyes.pictures.unplaced} without transform")
    if not report.compared:
        notes.append("no recorded detections to compare with")
    return notes


def _first(stream: Iterator[Message], limit: float) -> Iterator[Message]:
    start = None
    for message in stream:
        start = message.received if start is None else start
        if message.received - start > limit:
            return
        yield message


def _compare(recorded: DetectionFrame, replayed: DetectionFrame, report: ReplayReport) -> list[float]:
    """Adds the differences of one picture; the offsets of what both saw [m]."""
    offsets: list[float] = []
    for label in sorted({d.label for d in (*recorded.detections, *replayed.detections)}):
        old = [d for d in recorded.detections if d.label == label]
        new = [d for d in replayed.detections if d.label == label]
        pairs = _pairs(old, new)
        for a, b in pairs:
            offset = float(np.linalg.norm(a.centroid - b.centroid))
            offsets.append(offset)
            if offset > MOVED:
                report.add(recorded.stamp, "moved", label, _place(a), _place(b))
            if a.attributes != b.attributes:
                report.add(recorded.stamp, "attributes", label, a.attributes, b.attributes)
        for d in _without(old, [a for a, _ in pairs]):
            report.add(recorded.stamp, "missing", label, f"{_place(d)}, {d.pixels} pixels", "nothing")
        for d in _without(new, [b for _, b in pairs]):
            report.add(recorded.stamp, "extra", label, "nothing", f"{_place(d)}, {d.pixels} pixels")
    return offsets


def _pairs(old: list[Detection], new: list[Detection]) -> list[tuple[Detection, Detection]]:
    if not old or not new:
        return []
    distance = np.array([[np.linalg.norm(a.centroid - b.centroid) for b in new] for a in old])
    rows, columns = linear_sum_assignment(distance)
    return [(old[r], new[c]) for r, c in zip(rows, columns, strict=True) if distance[r, c] <= APART]


def _without(all_of: list[Detection], some: list[Detection]) -> list[Detection]:
    return [d for d in all_of if not any(d is s for s in some)]


def _place(d: Detection) -> str:
    return "at ({:.2f}, {:.2f}, {:.2f})".format(*d.centroid)


