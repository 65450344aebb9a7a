"""What is still free on a room's floor while it is furnished."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dadu.homes.front_clearance import FrontClearance
from dadu.homes.rectangle import Rectangle
from dadu.house.catalogue import Size
from dadu.house.format import Door, Room
from dadu.house.walls import THICKNESS

BACK = 0.01
"""between a piece and the wall at its back [m]"""
_DOOR_ZONE = 0.95
"""depth of floor that stays free behind a door [m]"""
_APART = 0.02
"""between pieces that do not belong together [m]"""
_TOUCH = 1e-6


@dataclass(frozen=True)
class FloorSpot:
    """Where a piece could stand: pose of its centre in map, its footprint, and the free floor it asks for."""

    pose: tuple[float, float, float]
    body: np.ndarray
    """(4,) x and y of the lower, then of the upper corner [m]"""
    clearance: np.ndarray
    """(4,)"""


def spot(x: float, y: float, quarter: int, size: Size, clearance: FrontClearance) -> FloorSpot:
    """A piece of `size` centred at x, y [m], turned by `quarter` right angles, with `clearance` of free floor before
    its front."""
    depth, width = size[:2]
    along, across = (depth, width) if quarter % 2 == 0 else (width, depth)
    body = np.array([x - along / 2, y - across / 2, x + along / 2, y + across / 2])
    front = body.copy()
    side, sign = _FRONT[quarter % 4]
    front[(side + 2) % 4], front[side] = body[side], body[side] + sign * clearance.depth
    across_low, across_high = ((1, 3), (0, 2))[quarter % 2]
    # The furniture's +y points up the map's axis in the first and last quarter, down it in the others.
    lower, upper = (clearance.low, clearance.high) if quarter % 4 in (0, 3) else (clearance.high, clearance.low)
    front[across_low] -= lower
    front[across_high] += upper
    yaw = math.remainder(quarter * math.pi / 2, 2 * math.pi)
    return FloorSpot((round(x, 3), round(y, 3), round(yaw, 4)), body, front)


_FRONT = ((2, 1), (3, 1), (0, -1), (1, -1))
"""which edge of a body is its front, and which way out of it, by quarter turn"""


class FloorSpace:
    """A rectangular room: what stands in it, and what must stay free."""

    def __init__(self, room: Room, doors: Sequence[Door]) -> None:
        corners = np.array(room.floor)
        inner = THICKNESS / 2
        self.area = Rectangle(tuple(corners.min(axis=0) + inner), tuple(corners.max(axis=0) - inner))
        self._walls = np.array([*self.area.low, *self.area.high])
        self._bodies: dict[str, np.ndarray] = {}
        self._clearances = {f"door {i}": self._door_zone(door) for i, door in enumerate(doors)}

    def take(self, name: str, place: FloorSpot) -> None:
        self._bodies[name] = place.body
        self._clearances[name] = place.clearance

    def fits(self, place: FloorSpot, companion: str = "") -> bool:
        """True if a piece can stand there without touching another, a door's way or anybody's free floor, save that of
        its `companion`: a chair stands before a desk."""
        if not (_is_within(place.body, self._walls) and _is_within(place.clearance, self._walls)):
            return False
        for name, body in self._bodies.items():
            if _overlap(body, place.body, 0.0 if name == companion else _APART) or _overlap(body, place.clearance):
                return False
        others = (clearance for name, clearance in self._clearances.items() if name != companion)
        return not any(_overlap(clearance, place.body) for clearance in others)

    def ends(self, axis: int) -> list[float]:
        """Where, along x (0) or y (1), a neighbour of what stands there could begin or end [m]."""
        return [float(edge) for body in self._bodies.values()
                for edge in (body[axis] - _APART, body[axis + 2] + _APART)]

    def gaps(self, place: FloorSpot, quarter: int) -> tuple[float, float]:
        """Free width on either side of a piece along the wall at its back [m]."""
        axis = 1 if quarter % 2 == 0 else 0
        low, high = place.body[axis] - self._walls[axis], self._walls[axis + 2] - place.body[axis + 2]
        for body in self._bodies.values():
            if min(body[3 - axis], place.body[3 - axis]) - max(body[1 - axis], place.body[1 - axis]) > _TOUCH:
                if body[axis + 2] <= place.body[axis] + _TOUCH:
                    low = min(low, place.body[axis] - body[axis + 2])
                elif body[axis] >= place.body[axis + 2] - _TOUCH:
                    high = min(high, body[axis] - place.body[axis + 2])
        return float(low), float(high)

    def _door_zone(self, door: Door) -> np.ndarray:
        """(4,): the floor behind a door, as wide as it is."""
        x, y = door.at
        half = door.width / 2 + 0.05
        (x0, y0), (x1, y1) = self.area.low, self.area.high
        if x <= x0:
            return np.array([x0, y - half, x0 + _DOOR_ZONE, y + half])
        if x >= x1:
            return np.array([x1 - _DOOR_ZONE, y - half, x1, y + half])
        if y <= y0:
            return np.array([x - half, y0, x + half, y0 + _DOOR_ZONE])
        return np.array([x - half, y1 - _DOOR_ZONE, x + half, y1])


def _overlap(a: np.ndarray, b: np.ndarray, apart: float = 0.0) -> bool:
    """True if two boxes overlap, or come nearer to each other than `apart` [m] on both axes."""
    shared = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    return bool((shared > _TOUCH - apart).all())


def _is_within(inner: np.ndarray, outer: np.ndarray) -> bool:
    return bool((inner[:2] >= outer[:2] - _TOUCH).all() and (inner[2:] <= outer[2:] + _TOUCH).all())
