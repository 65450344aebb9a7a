"""Free spots on a surface: clear of what is seen and remembered, inside the edges, near the arm.

Source: the slab placement of HomeRobot; here the slab is known from the graph, and the cloud says what stands on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from dadu.core.geometry import Pose2
from dadu.manipulation.placing.held import HeldExtent
from dadu.robots.manipulator_settings import PlaceSettings
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Surface

GRID = 0.03
"""between candidate spots [m]"""
STANDS = 0.015
"""points higher than this above a surface are of things on it [m]"""
COMFORT = 0.6
"""distance along the arm that is easiest to reach [m]"""
TOUCHING = 0.04
"""next to something, but no nearer than this beyond both radii [m]"""
BLUR = 0.05
"""by which the height of what was seen may be wrong [m]"""
ROOMY = 0.10
"""more room than this around what is put down is worth nothing [m]"""
OVERHANG = 0.25
"""share of half a thing that may stick out over an edge, where it fits no better: a tray on a small table"""
FINE = 0.01
"""points nearer to each other than this are as good as one [m]"""


@dataclass(frozen=True)
class PlaceSpot:
    """Where an object's centre may go, on a surface."""

    position: np.ndarray
    """(3,) [m], map; on the surface"""
    surface: Surface
    heading: float
    """of the hand [rad], map"""
    cost: float


@dataclass(frozen=True)
class Beside:
    """What a spot has to be next to."""

    box: OrientedBox
    """upright, in map"""
    loose: bool
    """an object, which stands on the surface itself; furniture stands beside it"""


def free_spots(surface: Surface, held: HeldExtent, heading: float, height: float, points: np.ndarray, base: Pose2,
               arm_direction: float, settings: PlaceSettings, beside: Beside | None = None) -> list[PlaceSpot]:
    """Spots for an upright thing of `height` [m] in a hand that points to `heading` [rad, map], the best first; empty
    where there is none.

    `points` (N, 3) [m, map] are what is known to be on, or above, the surface.
    """
    spots = _grid(surface, held.extents(heading - surface.pose.yaw), settings.edge)
    gap = _gaps(spots, held, heading, _standing_in(surface, points, height))
    free = gap >= settings.gap
    away = np.zeros(len(spots))
    if beside is not None:
        away = beside.box.away(spots)
        free &= (away <= settings.next_to) & _clear_of(beside, spots, held.radius, surface.height, height)
    spots, gap, away = spots[free], gap[free], away[free]
    local = base.inverse().apply(spots)
    along = np.array([np.cos(arm_direction), np.sin(arm_direction)])
    distance, aside = local @ along, local @ np.array([-along[1], along[0]])
    cost = (np.abs(distance - COMFORT) + 0.7 * np.abs(aside) + 1.5 * away
            + 2.0 * np.clip(ROOMY - gap, 0.0, None))
    order = np.argsort(cost, kind="stable")
    return [PlaceSpot(np.array([*spots[i], surface.height]), surface, heading, float(cost[i])) for i in order]


def _grid(surface: Surface, half: np.ndarray, edge: float) -> np.ndarray:
    """(N, 2) [m, map]: centres that keep what covers `half` (2,) [m] to either side off the surface's edges; its middle
    where it is small, over which what is put down may stick out."""
    axes = []
    for extent, covered in zip(surface.size, half, strict=True):
        room = extent / 2 - covered - edge
        if covered - extent / 2 > OVERHANG * covered:
            return np.zeros((0, 2))
        axes.append(np.arange(-room, room + 1e-9, GRID) if room > GRID else np.zeros(1))
    x, y = np.meshgrid(*axes)
    return surface.pose.apply(np.column_stack([x.ravel(), y.ravel()]))


def _gaps(spots: np.ndarray, held: HeldExtent, heading: float, standing: np.ndarray) -> np.ndarray:
    """(N,) [m] between what is put down at `spots` (N, 2) and the nearest of `standing` (M, 2); exact where it is less
    than what is worth having."""
    if not len(standing) or not len(spots):
        return np.full(len(spots), np.inf)
    standing = np.unique(np.round(standing / FINE), axis=0) * FINE
    gap = cKDTree(standing).query(spots)[0] - held.radius
    near = np.flatnonzero(gap < ROOMY)
    c, s = np.cos(heading), np.sin(heading)
    local = np.abs((standing[None] - spots[near, None]) @ np.array([[c, -s], [s, c]]))
    beyond = np.maximum(local - np.array([held.along, held.across]) / 2, 0.0)
    gap[near] = np.linalg.norm(beyond, axis=2).min(axis=1)
    return gap


def _clear_of(beside: Beside, spots: np.ndarray, radius: float, level: float, height: float) -> np.ndarray:
    """bool (N,): whether at `spots` (N, 2) a thing of `radius` and `height` [m] is beside an object, not in it; nowhere
    on a surface, at `level`, from which that object rises or hangs clear."""
    if not beside.loose:
        return np.ones(len(spots), bool)
    on_level = level <= beside.box.top + BLUR and level + height >= beside.box.bottom - BLUR
    around = float(np.hypot(*beside.box.size[:2])) / 2
    return on_level & (np.linalg.norm(spots - beside.box.centre[:2], axis=1) >= around + radius + TOUCHING)


def _standing_in(surface: Surface, points: np.ndarray, height: float) -> np.ndarray:
    """(M, 2): where points lie in the space that an object of `height` would take."""
    points = np.asarray(points, float).reshape(-1, 3)
    above = (points[:, 2] > surface.height + STANDS) & (points[:, 2] < surface.height + height + 0.1)
    local = np.abs(surface.pose.inverse().apply(points[:, :2]))
    near = (local <= np.array(surface.size) / 2 + 0.1).all(axis=1)
    return points[above & near, :2]
