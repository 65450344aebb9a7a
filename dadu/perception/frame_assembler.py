"""Pictures of one moment, brought together: colour, depth, instances, and where the camera was."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dadu.core.transforms import TransformError

INTERVALS = 20
"""intervals that the usual period is taken from"""
_SAME = 0.005
"""[s] between stamps of one moment as long as nobody knows how often pictures come: a camera of 100 Hz"""
_APART = 0.1
"""[s] between pictures of one moment at most, however rarely they come: in that time a base moves 4 cm"""


class FrameAssembler:
    """Collects pictures and hands out complete sets in order, with the camera's pose at the first kind's stamp.

    With a picture of the first kind goes that of each other kind whose stamp is nearest, up to half of the time between
    two of a kind. A set that stays incomplete, or whose transform does not come, is dropped after `wait` [s] by stamps.
    """

    def __init__(self, kinds: Sequence[str], pose: Callable[[str, float], np.ndarray], wait: float = 1.0) -> None:
        """`kinds`: what makes a set; `pose(frame_id, stamp)`: T_map_camera (4, 4), or TransformError."""
        self._pose, self._wait = pose, wait
        self._first, self._others = kinds[0], tuple(kinds[1:])
        self._pictures: dict[str, dict[float, tuple[str, Any]]] = {kind: {} for kind in kinds}
        """by kind and stamp: optical frame and picture"""
        self._periods = {kind: _Period() for kind in kinds}
        self.incomplete = 0
        """sets dropped because a picture was missing"""
        self.unplaced = 0
        """sets dropped because no transform came"""
        self.passed_over = 0
        """sets that were ready, but not the newest, where only that was asked for"""

    def add(self, kind: str, stamp: float, frame_id: str, picture: Any) -> None:
        """One picture, `frame_id` naming its optical frame."""
        stamp = round(stamp, 6)
        if stamp < self._newest() - 10 * self._wait:
            for pictures in self._pictures.values():
                pictures.clear()  # time went back
        self._periods[kind].add(stamp)
        self._pictures[kind][stamp] = frame_id, picture

    @property
    def waiting(self) -> bool:
        """True if there are sets that are not complete yet, or not placed."""
        return any(self._pictures.values())

    def take_newest(self) -> Iterator[tuple[float, Mapping[str, Any], np.ndarray]]:
        """Stamp [s], pictures by kind and T_map_camera (4, 4) of the newest set that is ready, if any."""
        ready = list(self.take())
        self.passed_over += max(0, len(ready) - 1)
        yield from ready[-1:]

    def take(self) -> Iterator[tuple[float, Mapping[str, Any], np.ndarray]]:
        """Stamp [s], pictures by kind and T_map_camera (4, 4) of every set that is ready, oldest first."""
        begun, newest = self._pictures[self._first], self._newest()
        for stamp in sorted(begun):
            frame, picture = begun[stamp]
            late = newest - stamp > self._wait
            partners = {kind: self._partner(kind, stamp) for kind in self._others}
            if None in partners.values():
                self.incomplete += late
            else:
                try:
                    pose = self._pose(frame, stamp)
                except TransformError:
                    self.unplaced += late
                else:
                    del begun[stamp]
                    others = {kind: self._pictures[kind].pop(at)[1] for kind, at in partners.items() if at is not None}
                    yield stamp, {self._first: picture, **others}, pose
                    continue
            if late:
                del begun[stamp]
        for kind in self._others:
            for stamp in [stamp for stamp in self._pictures[kind] if newest - stamp > self._wait]:
                del self._pictures[kind][stamp]

    def _partner(self, kind: str, stamp: float) -> float | None:
        """The stamp of the picture of that kind that belongs to one of the first kind; None: it has not come."""
        near = min(self._pictures[kind], key=lambda other: abs(other - stamp), default=math.inf)
        halves = [half for which in (kind, self._first) if (half := self._periods[which].half) is not None]
        return near if abs(near - stamp) <= min((*(halves or [_SAME]), _APART)) else None

    def _newest(self) -> float:
        return max((stamp for pictures in self._pictures.values() for stamp in pictures), default=-math.inf)


class _Period:
    """How often something comes, by its stamps."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=INTERVALS)

    def add(self, stamp: float) -> float:
        """[s] since the one before; 0 for the first, and where time went back."""
        interval = max(0.0, stamp - self._last) if self._last is not None else 0.0
        self._last = stamp
        if interval > 0:
            self._intervals.append(interval)
        return interval

    @property
    def usual(self) -> float | None:
        """[s] between two; None before five."""
        return float(np.median(self._intervals)) if len(self._intervals) >= 5 else None

    @property
    def half(self) -> float | None:
        """[s] by which a stamp may be off and still mean this one and no other."""
        return self.usual / 2 if self.usual is not None else None


class LossCounter:
    """Counts pictures that did not arrive, from gaps between stamps: ROS 2 numbers no messages."""

    def __init__(self) -> None:
        self._period = _Period()
        self.received = 0
        self.lost = 0

    def add(self, stamp: float) -> None:
        """One picture's stamp [s]."""
        self.received += 1
        interval, usual = self._period.add(stamp), self._period.usual
        if interval > 0 and usual is not None:
            self.lost += max(0, round(interval / usual) - 1)
