"""Free places on a level rectangle among what stands there already."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from dadu.core.geometry import Pose2
from dadu.sim.oracle.state import OracleObject

GAPS = (0.06, 0.02, 0.0)
"""free width between neighbours that is tried [m]"""
STEP = 0.05
"""of the places tried [m]"""


def free_spots(pose: Pose2, size: tuple[float, float], half: tuple[float, float], neighbours: Iterable[OracleObject],
               gap: float) -> np.ndarray:
    """(N, 2) points [m, map] of a rectangle (its middle `pose`, its extents `size`) on which something of half extents
    `half` (along the rectangle's axes) stands inside it and `gap` clear of its neighbours."""
    limit = np.array(size) / 2 - half
    if (limit < -1e-6).any():
        return np.empty((0, 2))
    axes = [np.unique(np.r_[np.arange(0, end, STEP), -np.arange(0, end, STEP), end, -end]) for end in limit.clip(0)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    free = np.ones(len(grid), bool)
    inverse = pose.inverse()
    for thing in neighbours:
        centre, extent = inverse.apply(np.array(thing.position[:2])), half_extents(thing, pose.yaw)
        free &= (np.abs(grid - centre) >= np.array(half) + extent + gap - 1e-9).any(axis=1)
    return pose.apply(grid[free])


def half_extents(thing: OracleObject, yaw: float) -> tuple[float, float]:
    """Half of the box that holds a thing, along axes turned by `yaw` [rad]."""
    c, s = abs(math.cos(thing.yaw - yaw)), abs(math.sin(thing.yaw - yaw))
    return (c * thing.size[0] + s * thing.size[1]) / 2, (s * thing.size[0] + c * thing.size[1]) / 2
