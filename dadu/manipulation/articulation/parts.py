"""Where the handle of a hinged or sliding part goes as it opens, and how a hand follows it. All in map."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from dadu.core.geometry import apply, transform
from dadu.world.graph import Articulation
from dadu.world.handles import LEAF_END

LEAF = 0.4
"""how far a door is taken to reach above and below its handle [m]"""
GRID = 0.01
"""between a leaf's points: fine enough that several lie within a fingertip [m]"""
SEAL = 0.005
"""what stands out on the inner face of a door [m]"""
TIP = 0.022
"""from the grasp centre to the fingertips [m]"""


def motion(part: Articulation, value: float) -> np.ndarray:
    """(4, 4), in map: takes points of the closed part to where they are at `value` [rad or m]."""
    axis, origin = np.array(part.axis, float), np.array(part.origin, float)
    if part.kind == "slide":
        return transform(np.eye(3), value * axis)
    R = pin.exp3(value * axis)
    return transform(R, origin - R @ origin)


def handle_pose(part: Articulation, value: float, out: float = 0.0, shift: float = 0.0) -> np.ndarray:
    """T_map_tool (4, 4) with the fingers around the bar, `out` [m] before it along the part's normal, `shift` [m]
    along the bar: approach against the normal, closing across the bar."""
    bar = np.array(part.handle_axis, float)
    # Fingers level over an upright bar; over a horizontal one the hand rolls, either way round.
    z = bar if bar[2] >= -1e-6 else -bar
    x = -np.array(part.normal, float)
    y = np.cross(z, x)
    position = np.array(part.handle) + out * np.array(part.normal) + shift * bar
    return motion(part, value) @ transform(np.column_stack([x, y, z]), position)


def push_pose(part: Articulation, value: float, radius: float, out: float = 0.0) -> np.ndarray:
    """T_map_tool (4, 4) with the closed fingertips on the front, `out` [m] before it.

    A hinge is pushed at `radius` [m] from it, level with the handle; a drawer on its bar.
    """
    normal, handle = np.array(part.normal, float), np.array(part.handle, float)
    if part.kind == "slide":
        contact = handle + 0.01 * normal
    else:
        along, offset = _lever(part)
        origin = np.array(part.origin, float)
        # The bar's centre stands a hand's breadth off the face: the tips pass it, so meet the face itself.
        contact = np.array([*(origin[:2] + (radius * along + offset * normal[:2])), handle[2]])
    x, z = -normal, np.array([0.0, 0.0, 1.0])
    T = transform(np.column_stack([x, np.cross(z, x), z]), contact + (out + TIP) * normal)
    return motion(part, value) @ T


def leaf(part: Articulation) -> np.ndarray:
    """(N, 3) [m] in map: points of both faces of a hinged part and of its bar, where it stands. A door turns about an
    edge of its inner face; seals stand off that a little."""
    along, offset = _lever(part)
    normal, origin = np.array(part.normal), np.array(part.origin)
    low, high = max(0.1, part.handle[2] - LEAF), part.handle[2] + LEAF
    r, z = np.meshgrid(np.arange(0.03, radius(part) + LEAF_END, GRID), np.arange(low, high, GRID))
    faces = [np.column_stack([origin[:2] + r.reshape(-1, 1) * along + out * normal[:2], z.ravel()])
             for out in (offset, -SEAL)]
    bar = np.array(part.handle) + np.outer(np.arange(-0.12, 0.13, 0.01), part.handle_axis)
    return apply(motion(part, part.value), np.concatenate([*faces, bar]))


def value_at(part: Articulation, point: ArrayLike) -> float:
    """How far the part is open when the closed handle's centre has moved to `point` (3,) [m]."""
    start, now = np.array(part.handle, float), np.asarray(point, float)
    axis, origin = np.array(part.axis, float), np.array(part.origin, float)
    if part.kind == "slide":
        return float(axis @ (now - start))
    a, b = start - origin, now - origin
    a, b = a - axis * (axis @ a), b - axis * (axis @ b)
    return float(np.arctan2(axis @ np.cross(a, b), a @ b))


def radius(part: Articulation) -> float:
    """From the hinge to the handle, across the axis [m]."""
    axis = np.array(part.axis, float)
    lever = np.array(part.handle, float) - np.array(part.origin, float)
    return float(np.linalg.norm(lever - axis * (axis @ lever)))


def leaf_direction(part: Articulation) -> np.ndarray:
    """(3,), unitless, in map: from the hinge along the closed front."""
    return np.array([*_lever(part)[0], 0.0])


def _lever(part: Articulation) -> tuple[np.ndarray, float]:
    """Unit vector (2,) from the hinge along the closed front, and how far the face stands before the hinge [m]."""
    normal = np.array(part.normal[:2])
    lever = np.array(part.handle[:2]) - np.array(part.origin[:2])
    out = float(normal @ lever)
    along = lever - out * normal
    return along / np.linalg.norm(along), max(0.0, out - BAR_OFF_FACE)


BAR_OFF_FACE = 0.05
"""a bar handle's centre before the face [m]"""
