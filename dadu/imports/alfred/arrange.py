"""Where the pieces of a scene stand in a room of our own: against the same wall, in the same order, as near to their
place as their neighbours and a robot's way before them allow. Where they do not fit, the room grows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from dadu.core.geometry import Pose2
from dadu.imports.alfred.layout import Layout
from dadu.imports.alfred.pieces import ScenePiece
from dadu.imports.instructed.rows import GAP

_WAY = 1.2
"""free before whatever is used: a Stretch needs 1 m, and turns [m]"""
_WALL = 0.1
"""from the middle of a wall to the back of a piece [m]"""
_AT_WALL = 1.0
"""a piece whose middle is this near to the wall behind it stands against that wall [m]"""
_BODY = 0.3
"""an agent's middle keeps this far from walls [m]"""
_STEP = 0.5
"""by which a room grows [m]"""
_GRID = 0.1
"""of places that are tried for what stands free [m]"""
_LARGEST = 30.0
"""of a room [m]; what then still finds no place stays away"""


@dataclass
class Side:
    """A wall and what stands against it."""

    axis: int
    """of the coordinate along it: 0 for x"""
    inwards: int
    """of its normal into the room: 1 or -1"""
    pieces: list[ScenePiece] = field(default_factory=list)

    @property
    def depth(self) -> float:
        return max((piece.size[0] for piece in self.pieces), default=0.0)

    @property
    def length(self) -> float:
        """That its pieces need [m]."""
        return sum(piece.size[1] + GAP for piece in self.pieces) + GAP


@dataclass(frozen=True)
class Arranged:
    low: tuple[float, float]
    high: tuple[float, float]
    """corners of the room, map [m]"""
    poses: dict[str, Pose2]
    grown: float
    """by how much the room is larger than the scene, along both sides together [m]"""


def arranged(layout: Layout, pieces: Sequence[ScenePiece]) -> Arranged:
    """Room and poses, for all pieces but those that stand free and find no place in the largest room."""
    placed = [piece for piece in pieces if piece.spots]
    points = np.array([*layout.reachable, *(piece.middle for piece in placed)])
    low, high = points.min(axis=0) - _BODY, points.max(axis=0) + _BODY
    sides, free = _sides(placed, low, high)
    for piece in sorted((p for p in pieces if not p.spots), key=lambda p: -p.size[1]):
        max(sides.values(), key=lambda side: (high - low)[side.axis] - side.length).pieces.append(piece)
    start = high - low
    while True:
        need = _needed(sides)
        grow = np.maximum(need - (high - low), 0.0)
        low, high = low - grow / 2, high + grow / 2
        poses = dict(_along_walls(sides, low, high))
        middle = _in_the_middle(free, sides, low, high)
        if middle is not None or (high - low).max() > _LARGEST:
            grown = float((high - low - start).sum())
            return Arranged(_corner(low), _corner(high), poses | (middle or {}), grown)
        low, high = low - _STEP / 2, high + _STEP / 2


def _sides(pieces: Sequence[ScenePiece], low: np.ndarray, high: np.ndarray) -> tuple[dict[str, Side], list[ScenePiece]]:
    """The walls with what stands against them, and what stands free."""
    sides = {"west": Side(1, 1), "east": Side(1, -1), "south": Side(0, 1), "north": Side(0, -1)}
    free = []
    for piece in pieces:
        x, y = piece.middle
        away = {"west": x - low[0], "east": high[0] - x, "south": y - low[1], "north": high[1] - y}
        if piece.front is not None:
            behind = _behind(piece.front)
            away = {behind: away[behind]}
        name = min(away, key=lambda side: away[side])
        if away[name] <= _AT_WALL:
            sides[name].pieces.append(piece)
        else:
            free.append(piece)
    return sides, free


def _behind(front: tuple[float, float]) -> str:
    if abs(front[0]) > abs(front[1]):
        return "west" if front[0] > 0 else "east"
    return "south" if front[1] > 0 else "north"


def _needed(sides: dict[str, Side]) -> np.ndarray:
    """(2,) size of a room in which each wall has room for its pieces, corners left to the longer walls' [m]."""
    width = max(sides["south"].length, sides["north"].length) + sides["west"].depth + sides["east"].depth
    depth = max(sides["west"].length, sides["east"].length) + sides["south"].depth + sides["north"].depth
    across = np.array([sides["west"].depth + sides["east"].depth, sides["south"].depth + sides["north"].depth])
    return np.maximum([width, depth], across + 2 * _WAY) + 2 * _WALL


def _along_walls(sides: dict[str, Side], low: np.ndarray, high: np.ndarray) -> Iterator[tuple[str, Pose2]]:
    for side in sides.values():
        ends = ("south", "north") if side.axis == 1 else ("west", "east")
        first = low[side.axis] + _WALL + sides[ends[0]].depth
        last = high[side.axis] - _WALL - sides[ends[1]].depth
        order = sorted(side.pieces, key=lambda piece: _wanted(piece, side, first, last))
        places = _packed([_wanted(piece, side, first, last) for piece in order], [p.size[1] for p in order],
                         first, last)
        for piece, along in zip(order, places, strict=True):
            across = (low if side.inwards > 0 else high)[1 - side.axis] + side.inwards * (_WALL + piece.size[0] / 2)
            yaw = (0.0 if side.inwards > 0 else math.pi) if side.axis == 1 else side.inwards * math.pi / 2
            x, y = (along, across) if side.axis == 0 else (across, along)
            yield piece.name, Pose2(float(x), float(y), yaw)


def _wanted(piece: ScenePiece, side: Side, first: float, last: float) -> float:
    """Where it would stand along a wall [m]; what stands nowhere, at the end."""
    return float(piece.middle[side.axis]) if piece.spots else last


def _packed(wanted: Sequence[float], widths: Sequence[float], first: float, last: float) -> list[float]:
    """Middles [m] in the same order, each as near to where it is wanted as the others and the ends allow."""
    places: list[float] = []
    for want, width in zip(wanted, widths, strict=True):
        low = (places[-1] + widths[len(places) - 1] / 2 if places else first) + GAP + width / 2
        places.append(max(want, low))
    limit = last
    for i in reversed(range(len(places))):
        places[i] = min(places[i], limit - GAP - widths[i] / 2)
        limit = places[i] - widths[i] / 2
    return places


def _in_the_middle(pieces: Sequence[ScenePiece], sides: dict[str, Side], low: np.ndarray, high: np.ndarray
                   ) -> dict[str, Pose2] | None:
    """What stands free, with a way all round; None where that is not to be had."""
    inner = np.array([[sides["west"].depth, sides["south"].depth], [sides["east"].depth, sides["north"].depth]])
    bounds = np.array([low + inner[0], high - inner[1]]) + np.array([[1], [-1]]) * (_WALL + _WAY)
    poses: dict[str, Pose2] = {}
    boxes: list[tuple[np.ndarray, np.ndarray]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.size[0] * piece.size[1]):
        yaw = math.atan2(piece.front[1], piece.front[0]) if piece.front is not None else 0.0
        turned = abs(math.sin(yaw)) > 0.5
        half = np.array([piece.size[1], piece.size[0]] if turned else piece.size[:2]) / 2
        spot = _spot(piece.middle, half, bounds, boxes)
        if spot is None:
            return None
        boxes.append((spot, half))
        poses[piece.name] = Pose2(float(spot[0]), float(spot[1]), yaw)
    return poses


def _spot(wanted: np.ndarray, half: np.ndarray, bounds: np.ndarray, boxes: Sequence[tuple[np.ndarray, np.ndarray]]
          ) -> np.ndarray | None:
    """The nearest middle (2,) from which it is clear of the others [m]."""
    least, most = bounds[0] + half, bounds[1] - half
    if (least > most).any():
        return None
    axes = [np.unique(np.clip([*np.arange(a, b, _GRID), b, w], a, b))
            for a, b, w in zip(least, most, wanted, strict=True)]
    spots = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    clear = np.ones(len(spots), bool)
    for middle, other in boxes:
        clear &= (np.abs(spots - middle) > half + other + _WAY).any(axis=1)
    spots = spots[clear]
    return spots[np.argmin(np.linalg.norm(spots - wanted, axis=1))] if len(spots) else None


def _corner(point: np.ndarray) -> tuple[float, float]:
    return round(float(point[0]), 3), round(float(point[1]), 3)
