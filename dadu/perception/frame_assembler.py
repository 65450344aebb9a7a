"""Pictures of one moment, brought together: colour, depth, instances, and where the camera was."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dadu.core.transforms import TransformError

INTERVALS = 20
"""intervals that the usual period is taken from"""


class FrameAssembler:
    """Collects pictures by stamp and hands out complete sets in order, with the camera's pose at that stamp.

    A set that stays incomplete, or whose transform does not come, is dropped after `wait` [s] of pictures' time.
    """

    def __init__(self, kinds: Sequence[str], pose: Callable[[str, float], np.ndarray], wait: float = 1.0) -> None:
        """`kinds`: what makes a set; `pose(frame_id, stamp)`: T_map_camera (4, 4), or TransformError."""
        self._kinds, self._pose, self._wait = tuple(kinds), pose, wait
        self._sets: dict[float, dict[str, tuple[str, Any]]] = {}
        self.incomplete = 0
        """sets dropped because a picture was missing"""
        self.unplaced = 0
        """sets dropped because no transform came"""
        self.passed_over = 0
        """sets that were ready, but not the newest, where only that was asked for"""

    def add(self, kind: str, stamp: float, frame_id: str, picture: Any) -> None:
        """One picture, `frame_id` naming its optical frame; equal stamps belong together."""
        stamp = round(stamp, 6)
        if self._sets and stamp < max(self._sets) - 10 * self._wait:
            self._sets.clear()  # time went back
        self._sets.setdefault(stamp, {})[kind] = frame_id, picture

    @property
    def waiting(self) -> bool:
        """True if there are sets that are not complete yet, or not placed."""
        return bool(self._sets)

    def take_newest(self) -> Iterator[tuple[float, Mapping[str, Any], np.ndarray]]:
        """Stamp [s], pictures by kind and T_map_camera (4, 4) of the newest set that is ready, if any."""
        ready = list(self.take())
        self.passed_over += max(0, len(ready) - 1)
        yield from ready[-1:]

    def take(self) -> Iterator[tuple[float, Mapping[str, Any], np.ndarray]]:
        """Stamp [s], pictures by kind and T_map_camera (4, 4) of every set that is ready, oldest first."""
        newest = max(self._sets, default=0.0)
        for stamp in sorted(self._sets):
            pictures = self._sets[stamp]
            late = newest - stamp > self._wait
            if not all(kind in pictures for kind in self._kinds):
                if late:
                    del self._sets[stamp]
                    self.incomplete += 1
                continue
            try:
                pose = self._pose(pictures[self._kinds[0]][0], stamp)
            except TransformError:
                if late:
                    del self._sets[stamp]
                    self.unplaced += 1
                continue
            del self._sets[stamp]
            yield stamp, {kind: picture for kind, (_, picture) in pictures.items()}, pose


class LossCounter:
    """Counts pictures that did not arrive, from gaps between stamps: ROS 2 numbers no messages."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=INTERVALS)
        self.received = 0
        self.lost = 0

    def add(self, stamp: float) -> None:
        """One picture's stamp [s]."""
        self.received += 1
        interval = stamp - self._last if self._last is not None else 0.0
        self._last = stamp
        if interval <= 0:
            return  # the first, or time went back
        self._intervals.append(interval)
        if len(self._intervals) >= 5:
            self.lost += max(0, round(interval / float(np.median(self._intervals))) - 1)
