"""Furniture that stands in walls or in other furniture: no error, the physics bears it, but seldom what was meant."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.format import Furniture, House
from dadu.house.furniture.pieces import furniture_model
from dadu.house.walls import THICKNESS, walls

TOLERANCE = 0.01
"""depth of overlap that is let pass [m]"""

_UPRIGHT = 1.0
"""how tall a robot is at least [m]: it does not stand under a table"""

Solid = tuple[Pose2, tuple[float, float], float, float]
"""pose of a footprint in map, its extents, bottom and top [m]"""


def overlaps(house: House) -> list[str]:
    """A sentence for each pair that stands in one another by more than `TOLERANCE`, doors and drawers closed."""
    solids: dict[str, list[Solid]] = {piece.name: _furniture(piece) for piece in house.furniture}
    built = _walls(house)
    found = [f"{name} stands in a wall" for name, own in solids.items() if _meet(own, built)]
    found += (f"{a} stands in {b}" for a, b in combinations(solids, 2) if _meet(solids[a], solids[b]))
    return found


def standing_in(house: House, place: tuple[float, float], radius: float) -> list[str]:
    """Furniture that a robot with a half width of `radius` [m] would stand in at `place` (map [m])."""
    body = [(Pose2(*place, 0.0), (2 * radius, 2 * radius), 0.0, _UPRIGHT)]
    return [piece.name for piece in house.furniture if _meet(_furniture(piece), body)]


def collides(house: House, piece: Furniture, besides: Collection[str] = ()) -> bool:
    """True if a piece stands in a wall, or in one of the house's other than itself and those named `besides`."""
    own = _furniture(piece)
    others = (p for p in house.furniture if p.name != piece.name and p.name not in besides)
    return _meet(own, _walls(house)) or any(_meet(own, _furniture(other)) for other in others)


def _walls(house: House) -> list[Solid]:
    return [(Pose2(*wall.centre, wall.yaw), (wall.length, THICKNESS), wall.bottom, wall.top) for wall in walls(house)]


def _furniture(piece: Furniture) -> list[Solid]:
    model = furniture_model(piece)
    boxes = (*model.boxes, *(box for part in model.parts for box in part.boxes))
    return [(piece.pose2 * Pose2(*box.centre[:2], 0.0), box.size[:2], box.centre[2] - box.size[2] / 2,
             box.centre[2] + box.size[2] / 2) for box in boxes]


def _meet(some: list[Solid], others: list[Solid]) -> bool:
    return any(_overlap(a, b) for a in some for b in others)


def _overlap(a: Solid, b: Solid) -> bool:
    """Separating axes of two upright boxes: heights first, then the sides of both footprints."""
    if min(a[3], b[3]) - max(a[2], b[2]) <= TOLERANCE:
        return False
    gap = np.subtract(b[0][:2], a[0][:2])
    for yaw in (a[0].yaw, b[0].yaw):
        axes = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
        reach = sum(np.abs(axes @ _half_sides(solid)).sum(axis=1) for solid in (a, b))
        if (reach - np.abs(axes @ gap) <= TOLERANCE).any():
            return False
    return True


def _half_sides(solid: Solid) -> np.ndarray:
    """(2, 2): half of the footprint's depth and width as columns in map [m]."""
    c, s = np.cos(solid[0].yaw), np.sin(solid[0].yaw)
    return np.array([[c, -s], [s, c]]) * (np.array(solid[1]) / 2)
