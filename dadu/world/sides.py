"""The sides of a piece of furniture as somebody sees them from where they stand."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from dadu.core.geometry import Pose2, Vector2, rotation_z
from dadu.world.graph import Entity

Side = Literal["near", "far", "left", "right", "middle"]
_TURNS = {"far": 0.0, "left": np.pi / 2, "near": np.pi, "right": -np.pi / 2}
"""from the line of sight, counter-clockwise [rad]"""
_MIDDLE = 1 / 3
"""share of its extents about the middle of a piece of furniture within which something is at no side"""


def side_point(piece: Entity, viewer: Pose2, side: Side) -> Vector2 | None:
    """The middle of that side of the piece's outline, in map [m]; None for its middle, which is at no side."""
    if side == "middle":
        return None
    centre = np.array(piece.position[:2])
    sight = np.append(centre - viewer[:2], 0.0)
    wanted = (rotation_z(_TURNS[side]) @ sight)[:2]
    centres, normals = _edges(piece)
    x, y = centres[int((normals @ wanted).argmax())]
    return float(x), float(y)


def side_of(piece: Entity, viewer: Pose2, point: Vector2) -> Side:
    """The side of the piece's outline that a point on it, in map [m], is nearest to, as the viewer calls it."""
    half = np.maximum(np.array(piece.size[:2]) / 2, 1e-9)
    if (abs(piece.pose.inverse().apply(np.array(point))) < _MIDDLE * half).all():
        return "middle"
    centres, normals = _edges(piece)
    nearest = centres[int(((np.array(point) - centres) * normals).sum(axis=1).argmax())]
    points = {side: side_point(piece, viewer, side) for side in get_args(Side) if side != "middle"}
    return min(points, key=lambda side: math.dist(points[side] or point, nearest))


def _edges(piece: Entity) -> tuple[np.ndarray, np.ndarray]:
    """Of the four sides of its outline, the middles (4, 2) in map [m], and the directions (4, 2) outwards."""
    centre, half = np.array(piece.position[:2]), np.array(piece.size[:2]) / 2
    middles = piece.pose.apply(np.array([(half[0], 0.0), (-half[0], 0.0), (0.0, half[1]), (0.0, -half[1])]))
    return middles, (middles - centre) / np.maximum(np.linalg.norm(middles - centre, axis=1, keepdims=True), 1e-9)
