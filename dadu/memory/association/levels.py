"""Level surfaces of furniture that was found, put together from views that each show only part of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dadu.core.geometry import Pose2
from dadu.world.graph import Surface

OPEN_ABOVE = 2.0
"""clearance given to the top of furniture whose surroundings are not known [m]"""
LEVEL = 0.03
"""points within this height belong to one level surface [m]"""
LEVEL_SHARE = 0.15
"""share of the points that makes a level a surface"""
_LEAST = 0.15
"""what is narrower is the face of a panel, not a surface [m]"""
FLOOR = 0.03
"""what lies lower is the floor before a piece, which masks take in, too: nothing there is on the piece, or in it [m]"""
_COVERS = 0.5
"""share of a surface that another one above it has to cover to leave it no more room than that between them"""
_SMALL = 0.4
"""share of the largest surface below which one is an edge of the piece, its backrest or its armrest"""
_BOARDS = 0.1
"""boards are no nearer above each other than this: what is seems to be a level of things that lie there [m]"""

_MIDDLE = 0.4
"""share of a surface's length and width that is its middle"""
_HOLLOW = 0.04
"""share of a level's points in its middle below which it is but a rim: of a board that is all in view it is `_MIDDLE`
squared"""
_SIDE, _OPEN = 0.2, 0.01
"""share of a surface's length and width that is a side of it; and of the points in the middle of that, where it is open
"""
_UNDER = 0.3
"""from a rim down to what it goes round, at most: arms and back of a seat [m]"""

Corners = tuple[np.ndarray, np.ndarray]
"""lowest and highest (2,) [m, map]"""


def levels(points: np.ndarray) -> tuple[Surface, ...]:
    """Level surfaces among points (N, 3) [m, map]: heights at which many of them lie spread out, highest first. No
    arms and back of a seat; see `levels_and_rims`."""
    return levels_and_rims(points)[0]


def levels_and_rims(points: np.ndarray) -> tuple[tuple[Surface, ...], tuple[float, ...]]:
    """`levels`, and the heights [m] at which points (N, 3) [m, map] lie about a lower surface, but hardly any in the
    middle, nor on one side, as about a seat: nothing can be put there. A basin has an edge all round, where things
    stand."""
    found = _spread_out(points)
    hollow = tuple(s.height for s in found if _is_rim(s, found, points))
    return _in_order([s for s in found if s.height not in hollow]), hollow


def _spread_out(points: np.ndarray) -> list[Surface]:
    bins = np.round(points[:, 2] / LEVEL).astype(int)
    found: list[Surface] = []
    for level in np.flatnonzero(np.bincount(np.maximum(bins, 0)) > LEVEL_SHARE * len(points)):
        mine = points[bins == level]
        if np.median(mine[:, 2]) < FLOOR:
            continue
        low, high = mine[:, :2].min(axis=0), mine[:, :2].max(axis=0)
        if (high - low).min() >= _LEAST:
            found.append(_surface(float(np.median(mine[:, 2])), (low, high)))
    return found


def _is_rim(surface: Surface, others: Sequence[Surface], points: np.ndarray) -> bool:
    """True if it goes about one of `others` that lies below, and has nothing in its own middle and on one side."""
    if not any(0.0 < surface.height - s.height < _UNDER and _area(s) > _COVERS * _area(surface) and _covers(surface, s)
               for s in others):
        return False
    mine = points[np.abs(points[:, 2] - surface.height) <= LEVEL / 2, :2]
    off = (mine - surface.pose[:2]) / (np.array(surface.size) / 2)  # from -1 to 1
    halfway = np.abs(off) < _MIDDLE
    sides = [(sign * off[:, axis] > 1 - 2 * _SIDE) & halfway[:, 1 - axis] for axis in (0, 1) for sign in (-1, 1)]
    return bool(halfway.all(axis=1).mean() < _HOLLOW and min(side.mean() for side in sides) < _OPEN)


def united(before: Sequence[Surface], seen: Sequence[Surface], hollow: Sequence[float] = ()) -> tuple[Surface, ...]:
    """What was known of a piece's surfaces, and what is seen of them now: at one height there is one surface, as far as
    both reach, and none at the heights [m] that have turned out `hollow`. What adds less than `LEVEL` [m] changes
    nothing."""
    out = [s for s in before if all(abs(s.height - height) > LEVEL for height in hollow)]
    for new in seen:
        old = next((s for s in out if abs(s.height - new.height) <= LEVEL), None)
        if old is None:
            out.append(new)
            continue
        (low, high), (new_low, new_high) = _corners(old), _corners(new)
        if max((low - new_low).max(), (new_high - high).max()) >= LEVEL:
            out[out.index(old)] = _surface(old.height, (np.minimum(low, new_low), np.maximum(high, new_high)))
    return tuple(before) if out == list(before) else _in_order(out)


def _in_order(found: Sequence[Surface]) -> tuple[Surface, ...]:
    """Those that things can be put on, the highest first, named in this order, each with the room that those above it
    leave."""
    kept: list[Surface] = []
    for surface in sorted(found, key=lambda s: -_area(s)):
        near = any(abs(s.height - surface.height) < _BOARDS and _covers(s, surface) for s in kept)
        if not near and _area(surface) >= _SMALL * _area((kept or [surface])[0]):
            kept.append(surface)
    ordered = sorted(kept, key=lambda s: -s.height)
    return tuple(replace(s, name=f"level_{i}" if i else "top",
                         clearance=min((a.height - s.height for a in ordered[:i] if _covers(a, s)), default=OPEN_ABOVE))
                 for i, s in enumerate(ordered))


def _covers(above: Surface, below: Surface) -> bool:
    """A board does, a backrest does not."""
    (low_a, high_a), (low_b, high_b) = _corners(above), _corners(below)
    both = float(np.maximum(np.minimum(high_a, high_b) - np.maximum(low_a, low_b), 0.0).prod())
    return both > _COVERS * float((high_b - low_b).prod())


def _area(surface: Surface) -> float:
    """[m^2]"""
    return surface.size[0] * surface.size[1]


def _surface(height: float, corners: Corners) -> Surface:
    low, high = corners
    (x, y), (length, width) = (low + high) / 2, high - low
    return Surface("", Pose2(float(x), float(y), 0.0), height, (float(length), float(width)), OPEN_ABOVE)


def _corners(surface: Surface) -> Corners:
    half = np.array(surface.size) / 2
    return np.array(surface.pose[:2]) - half, np.array(surface.pose[:2]) + half
