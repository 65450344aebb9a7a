"""Who moves about beside the robot, by the laser: tracks of what is not on the map, with velocities.

Nearest-neighbour association and alpha-beta filters (the steady state of a Kalman filter of constant velocity). Who has
once been seen to move stays somebody who may move again; what never moved is an obstacle like any other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dadu.world.occupancy import OccupancyMap

BODY = 0.4
"""about what a laser meets of somebody, within which the rest of them is [m]: a low base about its mast, a stride about
a leg"""
RANGE = 4.0
"""how far somebody is followed [m]"""
_CELL = 0.15  # what lies in cells of this size that touch is one thing: two legs [m]
_LARGEST = 1.0  # what is wider is furniture [m]
_GATE = 0.4  # how far from where it was expected a thing is found again [m]
_ALPHA = 0.5
_BETA = 2 * (2 - _ALPHA) - 4 * math.sqrt(1 - _ALPHA)  # Kalata's relation
_MOVED = 0.25  # by which somebody has moved, and no box is merely seen from another side [m]
_FREE = 7  # of a cell and its eight neighbours that rays passed: at a flat face no more than six are
_UNSEEN = 8.0  # for so long somebody is taken to be where nobody can look [s]
_GLANCE = 0.5  # and so long where rays pass [s]
_STEP = 0.01  # a scan: who moves goes on as they did; where the robot's own pose jumps, all others do so once [m]
_STEPS = 4  # of these, one after another
_STANDS = 0.08  # speed below which somebody stands [m/s]


@dataclass
class Mover:
    """One thing that the laser follows."""

    position: np.ndarray
    """(2,) [m], map"""
    stamp: float
    """when it was seen last [s]"""
    seen: np.ndarray
    """(2,) where it was seen last, as measured"""
    first: np.ndarray
    """(2,) where it stood last, or was seen first..."""
    since: float
    """...and when [s]"""
    velocity: np.ndarray
    """(2,) [m/s]"""
    steps: int = 0
    """scans, one after another, in which it has gone on"""
    moved: float = -math.inf
    """when it moved last [s]"""

    @property
    def mobile(self) -> bool:
        """True if it has been seen to move"""
        return self.moved > -math.inf

    @property
    def stands(self) -> bool:
        return float(np.linalg.norm(self.velocity)) < _STANDS


class Movers:
    """Tracks in the grid of a map. Call `update` with every scan."""

    def __init__(self, grid: OccupancyMap) -> None:
        self._map = grid
        self._passed = np.full(np.add(grid.shape, 2), -np.inf)
        self._tracks: list[Mover] = []

    @property
    def all(self) -> list[Mover]:
        """Those that have been seen to move."""
        return [track for track in self._tracks if track.mobile]

    def update(self, stamp: float, points: np.ndarray, passed: np.ndarray) -> None:
        """`points` (N, 2) [m] in map: what the scan of that time met that the map does not explain; `passed` (P, 2)
        int: cells that its rays passed."""
        found = _things(points)
        expected = [track.position + track.velocity * (stamp - track.stamp) for track in self._tracks]
        pairs = sorted((float(np.linalg.norm(p - e)), i, j) for i, e in enumerate(expected)
                       for j, p in enumerate(found))
        old, new = set(range(len(self._tracks))), set(range(len(found)))
        for distance, i, j in pairs:
            if distance < _GATE and i in old and j in new:
                old.remove(i)
                new.remove(j)
                self._follow(self._tracks[i], found[j], stamp)
        self._passed[passed[:, 0] + 1, passed[:, 1] + 1] = stamp
        for i in old:
            if stamp - self._tracks[i].stamp > _GLANCE:
                self._tracks[i].velocity = np.zeros(2)
        self._tracks = [track for i, track in enumerate(self._tracks) if i not in old or not self._lost(track, stamp)]
        self._tracks += [Mover(found[j], stamp, found[j], found[j], stamp, np.zeros(2)) for j in sorted(new)]

    def clear(self) -> None:
        self._tracks = []

    def _follow(self, track: Mover, seen: np.ndarray, stamp: float) -> None:
        dt = max(stamp - track.stamp, 1e-3)
        expected = track.position + track.velocity * dt
        track.position = expected + _ALPHA * (seen - expected)
        track.velocity = track.velocity + _BETA / dt * (seen - expected)
        track.stamp = stamp
        on = float((seen - track.seen) @ (seen - track.first)) > _STEP * math.dist(seen, track.first)
        track.steps, track.seen = track.steps + 1 if on else 0, seen
        if track.mobile or (track.steps >= _STEPS and math.dist(track.position, track.first) > _MOVED and (
                self._free(track.first, track.since) or self._free(seen, track.since))):
            if not track.mobile or not track.stands:
                track.moved = stamp
        elif track.stands:
            track.first, track.since = track.position, stamp

    def _lost(self, track: Mover, stamp: float) -> bool:
        """True if it has not been seen for too long: where it should be, or at all."""
        visible = not track.mobile or self._free(track.position, stamp - _GLANCE)
        return stamp - track.stamp > (_GLANCE if visible else _UNSEEN)

    def _free(self, point: np.ndarray, since: float) -> bool:
        """True if rays have passed there since that time."""
        row, column = np.clip(self._map.cells(point), 0, np.array(self._map.shape) - 1)
        return int((self._passed[row:row + 3, column:column + 3] > since).sum()) >= _FREE


def gaps(tracks: Sequence[Mover], outlines: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """float (...) [m]: the smallest distance of outlines (..., M, 2) in map to the bodies of `tracks`, going on as they
    do, after the times `ahead` (...) [s]; inf where there are none."""
    least = np.full(ahead.shape, np.inf)
    for track in tracks:
        there = track.position + ahead[..., None] * (0.0 if track.stands else track.velocity)
        least = np.minimum(least, np.linalg.norm(outlines - there[..., None, :], axis=-1).min(axis=-1) - BODY)
    return least


def _things(points: np.ndarray) -> list[np.ndarray]:
    """(2,) each: the middles of what is no larger than somebody."""
    if not len(points):
        return []
    from scipy.ndimage import label  # as in the costmap: of no use to a planner
    cells = np.floor((points - points.min(axis=0)) / _CELL).astype(int)
    grid = np.zeros(cells.max(axis=0) + 1, bool)
    grid[tuple(cells.T)] = True
    labels, number = label(grid, np.ones((3, 3)))
    of = labels[tuple(cells.T)]
    things = (points[of == i] for i in range(1, number + 1))
    return [thing.mean(axis=0) for thing in things if np.ptp(thing, axis=0).max() < _LARGEST]
