"""Surfaces of furniture that was found: its top, and what is seen behind a door or in a drawer that stands open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dadu.core.geometry import Pose2
from dadu.memory.association.levels import FLOOR, levels, levels_and_rims, united
from dadu.memory.association.openings import EDGE, GUESS, WALL
from dadu.memory.association.parts import HANDLE_STANDS_OFF
from dadu.world.graph import Articulation, Entity, Surface

TOP, OVER_HANDLES = 0.05, 0.06
"""what is lower than this under the highest of a piece with doors, and no higher than this over its handles, is none of
its top [m]: masks take in what stands on it, so the highest may be that"""
BEHIND = 0.04
"""what lies behind the closed face by less is of the door's frame [m]"""
FEWEST = 15
"""points that show a board"""
_BELOW = (0.02, 0.2)
"""from a drawer's handle down to its bottom [m]"""
_DEEPEST = 0.8
"""[m]"""


def add_seen_surfaces(piece: Entity, points: np.ndarray) -> tuple[Surface, ...]:
    """The piece's surfaces as they were known, with what points (N, 3) [m, map] of it show."""
    if not piece.parts:
        return united(piece.surfaces, *levels_and_rims(points))
    inner = tuple(s for s in piece.surfaces if s.inside)
    least = min(piece.box.top - TOP, max(part.handle[2] for part in piece.parts) + OVER_HANDLES)
    outer = tuple(s for s in piece.surfaces if not s.inside and s.height > least)
    for part in piece.parts:
        if part.open:
            inner = _behind(part, inner, points, piece.box.top)
    if not all(part.closed for part in piece.parts):  # what stands out of it is no top, nor is a ceiling from below
        return (*outer, *inner)
    return (*united(outer, levels(points[points[:, 2] > least])), *inner)


def _behind(part: Articulation, inner: tuple[Surface, ...], points: np.ndarray, height: float) -> tuple[Surface, ...]:
    """`inner` surfaces, with those behind an open part as they are seen in place of where they were taken to be."""
    # Turned so that the front looks along x, where levels lie along the axes.
    turn = Pose2(0.0, 0.0, -float(np.arctan2(part.normal[1], part.normal[0])))
    mine = [s for s in inner if s.part == part.name]
    before = [replace(s, pose=turn * s.pose) for s in mine if not s.name.startswith(GUESS)]
    seen = united(before, _levels_behind(part, turn, points, max((s.size[1] for s in mine), default=0.0)))
    if list(seen) == before:
        return inner
    named = [_named(part, i, s, turn.inverse(), height) for i, s in enumerate(seen)]
    return (*(s for s in inner if s.part != part.name), *named)


def _levels_behind(part: Articulation, turn: Pose2, points: np.ndarray, width: float) -> tuple[Surface, ...]:
    """Turned, and where they are when the part is shut; `width` [m] as in `_within`."""
    local = np.column_stack([turn.apply(points[:, :2]), points[:, 2]])
    inside = local[_within(part, turn, local, width)] - np.array([_out(part), 0.0, 0.0])
    return levels(inside) if len(inside) >= FEWEST else ()


def _out(part: Articulation) -> float:
    """How far what is inside has come out with the part [m]."""
    return part.value if part.kind == "slide" else 0.0


def _within(part: Articulation, turn: Pose2, local: np.ndarray, width: float) -> np.ndarray:
    """bool (N,): which of the points, turned, (N, 3) [m] lie in what the part opens, away from its walls. A drawer's
    bottom was taken to be `width` wide [m], and lies lower than its handle."""
    (x, y), z = turn.apply(np.array([part.handle[:2]]))[0], part.handle[2]
    behind = x - HANDLE_STANDS_OFF + _out(part) - local[:, 0]
    inside: np.ndarray = (behind > BEHIND) & (behind < _DEEPEST)
    if part.kind == "slide":
        below = z - local[:, 2]
        beside = np.abs(local[:, 1] - y) < width / 2 - WALL / 2
        return inside & (behind < part.range + WALL) & (below > _BELOW[0]) & (below < _BELOW[1]) & beside
    hinge = float(turn.apply(np.array([part.origin[:2]]))[0, 1])
    low, high = min(hinge, y - EDGE), max(hinge, y + EDGE)
    return inside & (local[:, 1] > low + WALL) & (local[:, 1] < high - WALL) & (local[:, 2] > FLOOR)


def _named(part: Articulation, index: int, surface: Surface, back: Pose2, height: float) -> Surface:
    """A level behind the part, in map again."""
    free = min(surface.clearance, max(height - WALL - surface.height, 0.05))
    name = part.name if part.kind == "slide" else f"{part.name}_shelf_{index + 1}"
    return replace(surface, name=name, pose=back * surface.pose, clearance=free, inside=True, part=part.name)
