"""The walls of a house: outlines of its rooms, each stretch once, with gaps for the doors and lintels above them."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dadu.house.format import House

THICKNESS = 0.1
"""[m], half on either side of a room's outline"""
_CORNER = THICKNESS / 2 - 0.001
"""more wall at either end fills the corners; not quite flush, or faces would flicker [m]"""
_SAME_LINE = 0.01
"""outlines this close are one wall [m]"""

Interval = tuple[float, float]


@dataclass(frozen=True)
class Wall:
    """An upright slab over a segment of the map [m]."""

    start: tuple[float, float]
    end: tuple[float, float]
    bottom: float
    top: float

    @property
    def length(self) -> float:
        return math.dist(self.start, self.end)

    @property
    def yaw(self) -> float:
        return math.atan2(self.end[1] - self.start[1], self.end[0] - self.start[0])

    @property
    def centre(self) -> tuple[float, float]:
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2


@dataclass(frozen=True)
class _Line:
    """A line of the plane by the angle of its direction, in [0, pi), and its distance from the origin."""

    angle: float
    offset: float

    @property
    def direction(self) -> np.ndarray:
        return np.array([math.cos(self.angle), math.sin(self.angle)])

    @property
    def normal(self) -> np.ndarray:
        return np.array([-math.sin(self.angle), math.cos(self.angle)])

    @classmethod
    def through(cls, a: np.ndarray, b: np.ndarray) -> _Line:
        angle = math.atan2(b[1] - a[1], b[0] - a[0]) % math.pi
        angle = 0.0 if math.pi - angle < 1e-6 else round(angle, 9)
        normal = np.array([-math.sin(angle), math.cos(angle)])
        return cls(angle, round(float(a @ normal) / _SAME_LINE) * _SAME_LINE)

    def along(self, point: ArrayLike) -> float:
        return float(np.asarray(point) @ self.direction)

    def at(self, distance: float) -> tuple[float, float]:
        x, y = self.direction * distance + self.normal * self.offset
        return float(x), float(y)


def walls(house: House) -> list[Wall]:
    """Every wall and lintel of the house."""
    height = max(room.height for room in house.rooms)
    found = []
    for line, covered in _lines(house).items():
        doors = [(line.along(d.at), d) for d in house.doors if abs(np.dot(d.at, line.normal) - line.offset) < 0.06]
        doors = [(t, d) for t, d in doors if any(low < t < high for low, high in covered)]
        gaps = [(t - d.width / 2, t + d.width / 2) for t, d in doors]
        for low, high in covered:
            for a, b in _cut_gaps((low - _CORNER, high + _CORNER), gaps):
                found.append(Wall(line.at(a), line.at(b), 0.0, height))
        for (a, b), (_, door) in zip(gaps, doors, strict=True):
            if door.height < height:
                found.append(Wall(line.at(a), line.at(b), door.height, height))
    return found


def _lines(house: House) -> dict[_Line, list[Interval]]:
    """The union of all rooms' edges, as disjoint intervals along the lines they lie on."""
    edges: dict[_Line, list[Interval]] = defaultdict(list)
    for room in house.rooms:
        corners = np.asarray(room.floor, float)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            line = _Line.through(a, b)
            low, high = sorted((line.along(a), line.along(b)))
            edges[line].append((low, high))
    return {line: _union(intervals) for line, intervals in edges.items()}


def _union(intervals: list[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1] + 1e-6:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _cut_gaps(interval: Interval, gaps: list[Interval]) -> list[Interval]:
    """What is left of an interval once gaps are cut out."""
    left = [interval]
    for low, high in gaps:
        left = [piece for a, b in left for piece in ((a, min(b, low)), (max(a, high), b)) if piece[1] - piece[0] > 1e-3]
    return left
