"""A tree of coordinate frames over time, as tf2 keeps one: each frame's pose in its parent, with a short history."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from dadu.core.errors import DaduError, NotUsable, choices
from dadu.core.geometry import inverse, is_pose, rotation, transform


class TransformError(DaduError):
    """Two frames that are not connected, or a time that is not covered."""


class NotYet(TransformError):
    """A time after the newest of a frame, which may yet come."""


_Track: TypeAlias = deque[tuple[float, Sequence[float], Sequence[float]]]
"""a frame's stamps [s], translations (3,) [m] and quaternions (4,) in its parent, oldest first;
kept as they came, for most are never asked for"""


class TransformTree:
    """Poses of frames in their parents. Stamps in seconds; poses as translation (3,) and quaternion (x, y, z, w)."""

    def __init__(self, history: float = 10.0, extrapolation: float = 0.2) -> None:
        """Keeps `history` [s]; a look-up may lie `extrapolation` [s] beyond the newest (it then gets the newest)."""
        self._history = history
        self._extrapolation = extrapolation
        self._parents: dict[str, str] = {}
        self._tracks: dict[str, _Track] = {}
        self._static: dict[str, np.ndarray] = {}
        self._left: dict[str, tuple[str, float]] = {}
        """by frame: the parent that it had before, and the newest stamp [s] in there"""

    def set(self, parent: str, child: str, translation: Sequence[float], quaternion: Sequence[float],
            stamp: float) -> None:
        """Adds a sample. One older than the newest is dropped, unless time went back by more than the history; what was
        heard of a frame in another parent is forgotten. Errors: NotUsable for what is no pose, for two
        places at one time, and for two parents in turn or a place that was fixed, of which the second counts."""
        _check(parent, child, translation, quaternion)
        if self._parents.get(child) != parent:
            self._move(child, parent, stamp)
        fixed = self._static.pop(child, None)
        self._parents[child] = parent
        track = self._tracks.setdefault(child, deque())
        if track and stamp <= track[-1][0]:
            if stamp == track[-1][0] and (*translation, *quaternion) != (*track[-1][1], *track[-1][2]):
                raise NotUsable(f"frame {child!r} has two places at {stamp:.3f} s: do its stamps stand still, or do "
                                "two publish it?")
            if stamp > track[-1][0] - self._history:
                return
            track.clear()
        track.append((stamp, translation, quaternion))
        while track[0][0] < stamp - self._history:
            track.popleft()
        if fixed is not None:
            raise NotUsable(f"frame {child!r} was fixed, and now moves in {parent!r}: do two publish it?")

    def _move(self, child: str, parent: str, stamp: float) -> None:
        """Into another parent. Errors: NotUsable where it came from there just now."""
        here, track = self._parents.get(child, ""), self._tracks.get(child)
        before, last = self._left.get(child, ("", 0.0))
        if track and before == parent and max(abs(stamp - last), abs(stamp - track[-1][0])) < self._history:
            self._left[child] = parent, stamp
            raise NotUsable(f"frame {child!r} is put into {here!r} and {parent!r} in turn: do two publish it?")
        if track:
            self._left[child] = here, track[-1][0]
        self._tracks.pop(child, None)

    def set_static(self, parent: str, child: str, translation: Sequence[float], quaternion: Sequence[float]) -> None:
        """Errors: NotUsable for what is no pose, and for a frame that was fixed in another; the second counts."""
        _check(parent, child, translation, quaternion)
        before = self._parents.get(child, parent) if child in self._static else parent
        self._parents[child] = parent
        self._tracks.pop(child, None)
        self._static[child] = transform(rotation(quaternion), translation)
        if before != parent:
            raise NotUsable(f"frame {child!r} was fixed in {before!r}, and now is in {parent!r}: do two publish it?")

    def lookup(self, target: str, source: str, stamp: float | None = None) -> np.ndarray:
        """``T_target_source`` (4, 4) at `stamp` [s], or the newest where None.

        Errors: TransformError where the frames are not connected or the stamp is not covered; NotYet where it is not
        covered so far.
        """
        to_target, to_source = self._chain(target), self._chain(source)
        if to_target[-1] != to_source[-1]:
            raise TransformError(f"no transform from {source!r} to {target!r}; known frames: "
                                 f"{choices({*self._parents, *self._parents.values()}, 30)}")
        common = next(frame for frame in to_source if frame in to_target)
        return inverse(self._pose_in(common, to_target, stamp)) @ self._pose_in(common, to_source, stamp)

    def newest(self, target: str, source: str) -> float | None:
        """The stamp [s] of the newest sample of any frame between `source` and `target`, whichever hangs in the other;
        None where none of them moves. Errors: TransformError where they are not connected."""
        to_target, to_source = self._chain(target), self._chain(source)
        if to_target[-1] != to_source[-1]:
            raise TransformError(f"{source!r} and {target!r} are not connected")
        between = set(to_source) ^ set(to_target)
        return max((self._tracks[frame][-1][0] for frame in between if frame in self._tracks), default=None)

    def parent(self, frame: str) -> str | None:
        """What it was heard to hang in last; None where it was not."""
        return self._parents.get(frame)

    def _chain(self, frame: str) -> list[str]:
        """The frame and its ancestors, root last."""
        chain = [frame]
        while chain[-1] in self._parents:
            chain.append(self._parents[chain[-1]])
            if len(chain) > 256:
                raise TransformError(f"the frames above {frame!r} form a loop")
        return chain

    def _pose_in(self, ancestor: str, chain: list[str], stamp: float | None) -> np.ndarray:
        T = np.eye(4)
        for frame in chain[: chain.index(ancestor)]:
            T = self._local(frame, stamp) @ T
        return T

    def _local(self, frame: str, stamp: float | None) -> np.ndarray:
        if frame in self._static:
            return self._static[frame]
        track = self._tracks[frame]
        newest, oldest = track[-1], track[0]
        if stamp is None or newest[0] <= stamp <= newest[0] + self._extrapolation:
            return transform(rotation(newest[2]), newest[1])
        if not oldest[0] <= stamp <= newest[0]:
            raise (NotYet if stamp > newest[0] else TransformError)(
                f"frame {frame!r} is known from {oldest[0]:.3f} s to {newest[0]:.3f} s, not at {stamp:.3f} s")
        return _interpolated(track, stamp)


def _check(parent: str, child: str, translation: Sequence[float], quaternion: Sequence[float]) -> None:
    """Errors: NotUsable."""
    if not is_pose(translation, quaternion):
        place, turned = (", ".join(f"{v:g}" for v in values) for values in (translation, quaternion))
        raise NotUsable(f"the transform of {child!r} in {parent!r} is no pose: ({place}), quaternion ({turned})")
    if not parent or not child or parent == child:
        raise NotUsable(f"a transform of {child!r} in {parent!r} names no two frames")


def _interpolated(track: _Track, stamp: float) -> np.ndarray:
    i = max(1, bisect_left(track, stamp, key=lambda sample: sample[0]))
    (t0, p0, q0), (t1, p1, q1) = track[i - 1], track[i]
    place, turned, next_place, next_turned = (np.asarray(values, float) for values in (p0, q0, p1, q1))
    a = (stamp - t0) / (t1 - t0)
    # Samples lie a few hundredths of a second apart: normalised linear interpolation is exact enough.
    q = (1 - a) * turned + a * (next_turned if turned @ next_turned >= 0 else -next_turned)
    return transform(rotation(q), (1 - a) * place + a * next_place)
