"""The sides of a piece of furniture as somebody sees them from where they stand."""

from __future__ import annotations

from typing import Literal

import numpy as np

from dadu.core.geometry import Pose2, Vector2, rotation_z
from dadu.world.graph import Entity

Side = Literal["near", "far", "left", "right", "middle"]
_TURNS = {"far": 0.0, "left": np.pi / 2, "near": np.pi, "right": -np.pi / 2}
"""from the line of sight, counter-clockwise [rad]"""


def side_point(piece: Entity, viewer: Pose2, side: Side) -> Vector2 | None:
    """The middle of that side of the piece's outline, in map [m]; None for its middle, which is at no side."""
    if side == "middle":
        return None
    centre = np.array(piece.position[:2])
    sight = np.append(centre - viewer[:2], 0.0)
    wanted = (rotation_z(_TURNS[side]) @ sight)[:2]
    half = np.array(piece.size[:2]) / 2
    ways = piece.pose.apply(np.array([(half[0], 0.0), (-half[0], 0.0), (0.0, half[1]), (0.0, -half[1])]))
    normals = (ways - centre) / np.maximum(np.linalg.norm(ways - centre, axis=1, keepdims=True), 1e-9)
    x, y = ways[int((normals @ wanted).argmax())]
    return float(x), float(y)
