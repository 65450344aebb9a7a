"""The occupancy map that a robot would have made of a house: walls and furniture, without the loose objects."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.geometry import Pose2
from dadu.house.format import House
from dadu.house.furniture.pieces import furniture_model
from dadu.house.polygons import rectangles
from dadu.house.walls import THICKNESS, walls
from dadu.world.occupancy import FREE, OCCUPIED, OccupancyMap

MARGIN = 0.5
"""unknown border round the house [m]"""
_EXACT = 1e-3
"""rounding of angles and sizes in house files must not fray an outline [m]"""


def rasterize(house: House, resolution: float = 0.05, height: float = 1.4) -> OccupancyMap:
    """Free inside the rooms, occupied below walls and furniture that start under `height` [m], else unknown.

    A cell is occupied when a footprint covers its centre or comes within half a cell of it; doors and drawers are
    drawn closed.
    """
    return _draw(house, resolution, lambda bottom, top: bottom < height, grow=resolution / 2)


def cross_section(house: House, height: float, resolution: float = 0.02) -> OccupancyMap:
    """What a level plane at `height` [m] cuts, true to size: the map that a laser there would make.

    A cell is occupied when its centre is covered.
    """
    return _draw(house, resolution, lambda bottom, top: bottom <= height <= top, grow=0.0)


def _draw(house: House, resolution: float, wanted: Callable[[float, float], bool], grow: float) -> OccupancyMap:
    """Walls and furniture boxes whose bottom and top are `wanted`; furniture grown by `grow` [m]."""
    corners = np.concatenate([room.floor for room in house.rooms])
    low, high = corners.min(axis=0) - MARGIN, corners.max(axis=0) + MARGIN
    map = OccupancyMap.unknown(np.floor(low / resolution) * resolution, high, resolution)
    for room in house.rooms:
        for a, b in rectangles(room.floor):
            x, y = (a + b) / 2
            _fill(map, Pose2(x, y, 0.0), b - a, FREE)
    for wall in walls(house):
        if wanted(wall.bottom, wall.top):
            _fill(map, Pose2(*wall.centre, wall.yaw), (wall.length, THICKNESS), OCCUPIED)
    for piece in house.furniture:
        model = furniture_model(piece)
        for box in (*model.boxes, *(box for part in model.parts for box in part.boxes)):
            if wanted(box.centre[2] - box.size[2] / 2, box.centre[2] + box.size[2] / 2):
                _fill(map, piece.pose2 * Pose2(*box.centre[:2], 0.0), box.size[:2], OCCUPIED, grow)
    return map


def _fill(map: OccupancyMap, pose: Pose2, size: ArrayLike, value: int, grow: float = 0.0) -> None:
    """Sets the cells whose centre lies in a rectangle of `size` (2,) [m] about `pose`, grown on every side."""
    half = np.asarray(size, float) / 2 + grow
    reach = math.hypot(*half)
    (r0, c0), (r1, c1) = map.cells([(pose.x - reach, pose.y - reach), (pose.x + reach, pose.y + reach)])
    rows, cols = map.shape
    r0, c0, r1, c1 = max(r0, 0), max(c0, 0), min(r1 + 1, rows), min(c1 + 1, cols)
    cells = np.stack(np.meshgrid(np.arange(r0, r1), np.arange(c0, c1), indexing="ij"), axis=-1)
    local = pose.inverse().apply(map.centres(cells))
    map.grid[r0:r1, c0:c1][(np.abs(local) <= half + _EXACT).all(axis=-1)] = value
