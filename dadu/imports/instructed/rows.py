"""A home out of a list of what stands in it: rooms side by side, the furniture along two walls of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dadu.house.catalogue import furniture_categories

GAP = 0.3
"""between neighbours, and from the side walls [m]"""
WAY = 2.4
"""between the two rows: a Stretch needs 1 m before what it works at [m]"""
WALL = 0.03
"""behind a piece [m]"""


@dataclass(frozen=True)
class RowPiece:
    """A piece of furniture to be put up."""

    name: str
    category: str
    aliases: tuple[str, ...] = ()
    size: tuple[float, float, float] | None = None
    """depth, width, height [m]; the catalogue's where left out"""

    @property
    def extent(self) -> tuple[float, float, float]:
        """Depth, width, height [m]."""
        return self.size or furniture_categories()[self.category].size

    def at(self, room: str, x: float, y: float, yaw: float) -> dict[str, Any]:
        """As in a house file; x, y in map [m], yaw [rad]."""
        found: dict[str, Any] = {"name": self.name, "category": self.category, "room": room,
                                 "pose": [round(x, 3), round(y, 3), round(yaw, 4)]}
        if self.aliases:
            found["aliases"] = list(self.aliases)
        if self.size is not None:
            found["size"] = list(self.size)
        return found


@dataclass(frozen=True)
class RowRoom:
    """A room and what stands in it."""

    name: str
    category: str
    pieces: Sequence[RowPiece]


def home(name: str, rooms: Sequence[RowRoom]) -> dict[str, Any]:
    """The content of a house file. All rooms are equally deep, with a door where their middle ways meet."""
    rows = [_rows(room.pieces) for room in rooms]
    south = max([p.extent[0] for low, _ in rows for p in low], default=0.5)
    north = max([p.extent[0] for _, high in rows for p in high], default=0.5)
    depth, middle = south + WAY + north, south + WAY / 2
    found: dict[str, Any] = {"house": name, "rooms": [], "doors": [], "furniture": []}
    left = 0.0
    for room, (low, high) in zip(rooms, rows, strict=True):
        right = left + max(_length(low), _length(high), 3.0)
        found["rooms"].append({"name": room.name, "category": room.category,
                               "floor": [[round(x, 3), round(y, 3)] for x, y in
                                         ((left, 0), (right, 0), (right, depth), (left, depth))]})
        found["furniture"] += _along(room.name, low, left, lambda piece: piece.extent[0] / 2 + WALL, math.pi / 2)
        found["furniture"] += _along(room.name, high, left, lambda piece: depth - piece.extent[0] / 2 - WALL,
                                     -math.pi / 2)
        if left:
            pair = [found["rooms"][-2]["name"], room.name]
            found["doors"].append({"between": pair, "at": [round(left, 3), round(middle, 3)], "width": 1.2})
        left = right
    first = found["rooms"][0]["floor"]
    found["robot"] = {"pose": [round((first[0][0] + first[1][0]) / 2, 3), round(middle, 3), 0.0]}
    return found


def _rows(pieces: Sequence[RowPiece]) -> tuple[list[RowPiece], list[RowPiece]]:
    """Two rows of about the same length."""
    low: list[RowPiece] = []
    high: list[RowPiece] = []
    for piece in pieces:
        (low if _length(low) <= _length(high) else high).append(piece)
    return low, high


def _length(row: Sequence[RowPiece]) -> float:
    """[m]"""
    return sum(piece.extent[1] + GAP for piece in row) + GAP


def _along(room: str, row: Sequence[RowPiece], left: float, y: Any, yaw: float) -> list[dict[str, Any]]:
    """A row from left to right; `y` gives a piece's middle [m]."""
    found, x = [], left + GAP
    for piece in row:
        found.append(piece.at(room, x + piece.extent[1] / 2, y(piece), yaw))
        x += piece.extent[1] + GAP
    return found
