"""Replays perception: recorded pictures and transforms through a detector, against the recorded detections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
from scipy.optimize import linear_sum_assignment

from dadu.core.errors import NotUsable
from dadu.perception.detector import Detector
from dadu.perception.detectors import DEFAULT, GROUND_TRUTH, detector_class
from dadu.perception.pipeline import LastLook, perceive
from dadu.replay import messages
from dadu.replay.bag import Bag, Message, UnusableBag
from dadu.replay.pictures import KINDS, RecordedPictures, microseconds
from dadu.replay.report import ReplayReport
from dadu.replay.transforms import ROLES as TF
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import LIGHTNESS

MOVED = 0.03
"""a detection whose centre is off by more counts as different [m]; pictures are recorded in millimetres"""
COLOUR = "color"
"""the attribute that a colour's name is"""
APART = 0.3
"""detections of one label farther apart are different things [m]"""


class ReplayedPerception:
    """The perception node without ROS: takes a bag's messages, gives what is seen."""

    def __init__(self, bag: Bag, detector: str = "", poses: Mapping[int, np.ndarray] | None = None) -> None:
        """`detector`: as in `dadu.perception.detectors.detector_class`; by default the simulator's instances where the
        bag has them. `poses`: T_map_camera (4, 4) by stamp, microseconds, of pictures that need no tf for that.
        Errors: UnusableBag, ConfigError, MissingExtra."""
        self.name = detector or (GROUND_TRUTH if "instances" in bag.topics else DEFAULT)
        self.pictures = RecordedPictures((*KINDS, "instances") if self.name == GROUND_TRUTH else KINDS, poses)
        self.roles = (*self.pictures.roles, *(("truth",) if self.name == GROUND_TRUTH else ()))
        bag.require([role for role in self.roles if role != "tf_static"], "perception")
        self._detector: Detector | None = None if self.name == GROUND_TRUTH else detector_class(self.name)()
        self._last = LastLook()
        self._names: tuple[list[str], list[str]] = ([], [])

    def take(self, message: Message) -> Iterator[DetectionFrame]:
        """One message of `roles`; what has become complete by it."""
        if message.role == "truth":
            # Only the table of instance names is read.
            names = (list(message.data.instance_names), list(message.data.instance_categories))
            if names != self._names:
                self._names = names
                self._detector = detector_class(GROUND_TRUTH)(names[0], dict(zip(*names)))
        else:
            self.pictures.add(message)
        if self._detector is None or message.role in TF:
            return
        for frame in self.pictures.frames():
            try:
                seen = perceive(frame, self._detector, last=self._last)
            except NotUsable as why:
                self.pictures.leave_out(why)
                continue
            yield seen


def replay_perception(bag: Bag, detector: str = "", limit: float = float("inf")) -> ReplayReport:
    """Detects anew in every recorded picture of the first `limit` [s]. Errors: UnusableBag."""
    # Which transforms had come by then is no decision of perception's: its own picture of where it was is given again.
    seen = (messages.detections(message.data) for message in _first(bag.messages({"detections"}), limit))
    eyes = ReplayedPerception(bag, detector, {microseconds(frame.stamp): frame.T_map_camera for frame in seen})
    report = ReplayReport("perception", "pictures")
    recorded: dict[int, DetectionFrame] = {}
    replayed: dict[int, DetectionFrame] = {}
    comparison = _Comparison(report)
    for message in _first(bag.messages({*eyes.roles, "detections"}), limit):
        if message.role == "detections":
            frame = messages.detections(message.data)
            recorded[microseconds(frame.stamp)] = frame
        else:
            replayed.update((microseconds(frame.stamp), frame) for frame in eyes.take(message))
        for stamp in recorded.keys() & replayed.keys():
            report.compared += 1
            comparison.add(recorded.pop(stamp), replayed.pop(stamp), eyes.pictures.lossy)
    comparison.tell_colours()
    seen_again = report.compared + len(replayed)
    if not seen_again:
        raise UnusableBag(f"{bag.path}: not one picture could be used: {eyes.pictures.lacking}")
    report.figures["pictures seen"] = seen_again
    if offsets := comparison.offsets:
        report.figures |= {"median offset [m]": float(np.median(offsets)), "largest offset [m]": max(offsets)}
    unmatched = len(recorded)
    notes = [f"detector {eyes.name}", *eyes.pictures.transforms.notes]
    if unmatched:
        notes.append(f"{unmatched} recorded detections without their picture: the recorder had not heard it")
    if lacking := eyes.pictures.lacking:
        notes.append(lacking)
    if not report.compared:
        notes.append("no recorded detections to compare with")
    report.notes += notes
    return report


def _first(stream: Iterator[Message], limit: float) -> Iterator[Message]:
    start = None
    for message in stream:
        start = message.received if start is None else start
        if message.received - start > limit:
            return
        yield message


class _Comparison:
    """Of pictures, one by one."""

    def __init__(self, report: ReplayReport) -> None:
        self._report = report
        self.offsets: list[float] = []
        """between what both saw [m]"""
        self._named: Counter[str] = Counter()
        self._renamed: Counter[str] = Counter()
        """how often a label was seen in pictures recorded with loss, of these how often with another colour's name"""

    def add(self, recorded: DetectionFrame, replayed: DetectionFrame, lossy: bool) -> None:
        """Adds the differences of one picture; of colours in a `lossy` one only later, by `tell_colours`."""
        for label in sorted({d.label for d in (*recorded.detections, *replayed.detections)}):
            old = [d for d in recorded.detections if d.label == label]
            new = [d for d in replayed.detections if d.label == label]
            pairs = _pairs(old, new)
            for a, b in pairs:
                offset = float(np.linalg.norm(a.centroid - b.centroid))
                self.offsets.append(offset)
                if offset > MOVED:
                    self._report.add(recorded.stamp, "moved", a.label, _place(a), _place(b))
                if lossy:
                    self._named[a.label] += 1
                    self._renamed[a.label] += a.attributes.get(COLOUR) != b.attributes.get(COLOUR)
                if _attributes(a, lossy) != _attributes(b, lossy):
                    self._report.add(recorded.stamp, "attributes", a.label, a.attributes, b.attributes)
            for d in _unmatched(old, [a for a, _ in pairs]):
                self._report.add(recorded.stamp, "missing", label, f"{_place(d)}, {d.pixels} pixels", "nothing")
            for d in _unmatched(new, [b for _, b in pairs]):
                self._report.add(recorded.stamp, "extra", label, "nothing", f"{_place(d)}, {d.pixels} pixels")

    def tell_colours(self) -> None:
        """A label's colours differ where most of its detections have another colour's name than recorded: what was
        stored with loss is near the border of two names now and then."""
        for label, count in sorted(self._renamed.items()):
            if 2 * count > self._named[label]:
                self._report.add(0.0, "colours", label, f"{self._named[label]} names", f"{count} of them others")
        if few := sum(self._renamed.values()):
            self._report.figures["colours named otherwise, of pictures stored with loss"] = few


def _pairs(old: list[Detection], new: list[Detection]) -> list[tuple[Detection, Detection]]:
    if not old or not new:
        return []
    distance = np.array([[np.linalg.norm(a.centroid - b.centroid) for b in new] for a in old])
    rows, columns = linear_sum_assignment(distance)
    return [(old[r], new[c]) for r, c in zip(rows, columns, strict=True) if distance[r, c] <= APART]


def _unmatched(all_of: list[Detection], some: list[Detection]) -> list[Detection]:
    return [d for d in all_of if not any(d is s for s in some)]


def _attributes(d: Detection, lossy: bool) -> dict[str, str]:
    return {name: value for name, value in d.attributes.items() if not (lossy and name in (COLOUR, LIGHTNESS))}


def _place(d: Detection) -> str:
    return "at ({:.2f}, {:.2f}, {:.2f})".format(*d.centroid)
