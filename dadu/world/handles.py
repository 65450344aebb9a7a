"""Handles of doors and drawers, wherever these may stand: what fingers have hold of beside things."""

from __future__ import annotations

import numpy as np

from dadu.world.graph import Articulation, Entity, Kind, WorldGraph

AT_HANDLE = 0.2
"""fingers this near to a handle may have hold of it: its bar is that long, and memory that exact [m]"""
LEAF_END = 0.06
"""how far a door is taken to reach beyond its handle [m]"""
_POSITIONS = 12
"""of a part, at which its handle is looked for"""


def path_of(furniture: str, part: str) -> str:
    """``wardrobe_0/left_door``: a part as outcomes name it."""
    return f"{furniture}/{part}"


def split_handle_path(path: str) -> tuple[str, str]:
    """Furniture and part that `path_of` put together; the part is "" where there is only furniture."""
    furniture, _, part = path.partition("/")
    return furniture, part


def nearest_part(piece: Entity, point: np.ndarray) -> Articulation:
    """The part whose handle, wherever it may stand, is nearest to a point (3,) [m, map]; `piece` has parts."""
    return min(piece.parts, key=lambda part: _distance_to_part_handle(part, point))


def distance_to_handle(graph: WorldGraph, point: np.ndarray) -> float:
    """From a point (3,) [m, map] to the nearest handle, wherever its part may stand [m]; infinite where there is
    none."""
    parts = (part for piece in graph.of(Kind.FURNITURE) for part in piece.parts)
    return min((_distance_to_part_handle(part, point) for part in parts), default=np.inf)


def _distance_to_part_handle(part: Articulation, point: np.ndarray) -> float:
    return min(float(np.linalg.norm(part.handle_at(value) - point))
               for value in np.linspace(0.0, part.range, _POSITIONS))
