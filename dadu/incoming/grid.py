"""A ``nav_msgs/OccupancyGrid`` as a map of ours, whose rows lie along x."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dadu.core.errors import NotUsable
from dadu.core.geometry import FARTHEST, UNIT, Pose2, rotation, transform
from dadu.world.occupancy import OCCUPIED, UNKNOWN, OccupancyMap

_LEVEL = math.cos(math.radians(1.0))
_TURNED = 1e-4
"""[rad] of a map's origin that count: a cell in ten thousand"""


def occupancy(message: Any, frame: str = "map") -> OccupancyMap:
    """Drawn anew on upright cells where the grid's origin is turned; `frame` is ours for that of its header.

    Errors: NotUsable.
    """
    info = message.info
    if frame not in ("map", ""):
        raise NotUsable(f"a map in frame {frame!r} is not laid onto 'map'; remap its frame, or what publishes it")
    cells = np.array(message.data, np.int8)
    if len(cells) != info.width * info.height or not len(cells):
        raise NotUsable(f"a map of {info.width} x {info.height} cells holds {len(cells)}")
    if not (math.isfinite(info.resolution) and 1e-3 <= info.resolution <= 10.0):
        raise NotUsable(f"a map's cells of {info.resolution:g} m are none; valid: 0.001 to 10")
    grid = np.where((cells < 0) | (cells > OCCUPIED), np.int8(UNKNOWN), cells).reshape(info.height, info.width)
    origin = _origin(info.origin)
    if abs(origin.yaw) < _TURNED:
        return OccupancyMap(grid, float(info.resolution), (origin.x, origin.y))
    return _upright(grid, float(info.resolution), origin)


def _origin(pose: Any) -> Pose2:
    """Errors: NotUsable."""
    p, q = pose.position, pose.orientation
    numbers = (p.x, p.y, p.z, q.x, q.y, q.z, q.w)
    if not all(abs(number) < FARTHEST for number in numbers):
        raise NotUsable("the map's origin holds a number that is no place")
    turned = (q.x, q.y, q.z, q.w)
    if not any(turned):  # left out by whoever made it; RViz and Nav2 take that for not turned, too
        return Pose2(p.x, p.y, 0.0)
    if abs(math.hypot(*turned) - 1.0) > UNIT:
        raise NotUsable(f"the map's origin has a quaternion of length {math.hypot(*turned):.3g}, not 1")
    T = transform(rotation(turned), (p.x, p.y, p.z))
    if T[2, 2] < _LEVEL:
        raise NotUsable("the map is not level: its origin is rolled or pitched")
    return Pose2.from_matrix(T)


def _upright(grid: np.ndarray, resolution: float, origin: Pose2) -> OccupancyMap:
    """The same place on cells along the axes of map, each as the cell that its middle lies in; unknown beyond."""
    rows, columns = grid.shape
    corners = origin.apply(np.array([(0, 0), (columns, 0), (0, rows), (columns, rows)]) * resolution)
    upright = OccupancyMap.unknown(corners.min(axis=0), corners.max(axis=0), resolution)
    middles = upright.centres(np.moveaxis(np.indices(upright.shape), 0, -1))
    own = OccupancyMap(grid, resolution)
    return OccupancyMap(own.at(origin.inverse().apply(middles)), resolution, upright.origin)
