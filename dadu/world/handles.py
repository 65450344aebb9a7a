"""Handles of doors and drawers, wherever these may stand: what fingers have hold of beside things."""

from __future__ import annotations

import numpy as np

from dadu.world.graph import Kind, WorldGraph

AT_HANDLE = 0.2
"""fingers this near to a handle may have hold of it: its bar is that long, and memory that exact [m]"""
_POSITIONS = 12
"""of a part, at which its handle is looked for"""


def to_handle(graph: WorldGraph, point: np.ndarray) -> float:
    """From a point (3,) [m, map] to the nearest handle, wherever its part may stand [m]; infinite where there is
    none."""
    return min((float(np.linalg.norm(part.handle_at(value) - point)) for piece in graph.of(Kind.FURNITURE)
                for part in piece.parts for value in np.linspace(0.0, part.range, _POSITIONS)), default=np.inf)
