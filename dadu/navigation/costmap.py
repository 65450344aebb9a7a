"""Where the base may be: the static map, what laser and depth camera see, and the distance to the nearest of it.

Layers as in Nav2's costmap_2d (static, obstacle, inflation); the inflation is an exact Euclidean distance transform,
renewed only in a window around the robot.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from dadu.core.config import Settings
from dadu.core.geometry import Pose2
from dadu.core.robot import Observation, RobotDescription
from dadu.navigation.footprint import Footprint
from dadu.navigation.moving.tracks import Mover
from dadu.navigation.obstacles import ObstacleLayer, ObstacleSettings
from dadu.world.graph import points_in_polygon
from dadu.world.occupancy import UNKNOWN, OccupancyMap

SPARE = 0.02
"""room beyond what turning on the spot takes, as driving there is not exact [m]"""
_STEEPNESS = 8.0
"""decay of the cost with distance [1/m]"""


class CostmapSettings(Settings):
    """How obstacles are collected and how far the base keeps away from them."""

    obstacles: ObstacleSettings = ObstacleSettings()
    inflation: float = Field(0.55, gt=0)
    """distance beyond which an obstacle costs nothing [m]"""
    weight: float = Field(6.0, ge=0)
    """cost of a metre beside an obstacle, over that of a free metre"""
    unknown_blocks: bool = True
    """whether unknown cells are obstacles; False for driving through what is being mapped"""


class Costmap:
    """A grid of distances to the nearest obstacle, aligned with the static map."""

    def __init__(self, static: OccupancyMap, robot: RobotDescription, settings: CostmapSettings | None = None) -> None:
        self.settings = settings or CostmapSettings()
        self.omnidirectional = robot.omnidirectional
        """whether the base that drives here also goes sideways"""
        self.footprint = Footprint(robot.footprint, static.resolution / 2)
        self._layer = ObstacleLayer(static, robot.height, self.footprint.circumscribed, self.settings.obstacles)
        self._closed = np.zeros(static.shape, bool)
        self.distance: np.ndarray
        """float32 (rows, cols) [m] from a cell's centre to the nearest blocked cell's edge; 0 in blocked cells"""
        self.set_map(static)

    def set_map(self, static: OccupancyMap) -> None:
        """Puts a newer map of the same grid below what was seen. Errors: ValueError for another grid."""
        if static.shape != self._closed.shape:
            raise ValueError(f"a costmap of {self._closed.shape} cells cannot take a map of {static.shape}")
        self.map = static
        self._static = static.grid >= 50
        if self.settings.unknown_blocks:
            self._static |= static.grid == UNKNOWN
        self._near_static = _distance_to_nearest(self._static) < 2
        self._known_distance = self._transform(self._static | self._closed)
        self.distance = np.minimum(self._known_distance, self._transform(self._layer.occupied))

    def take_settings(self, settings: CostmapSettings) -> None:
        """Goes on by other settings; what was seen stays."""
        self.settings, self._layer.settings = settings, settings.obstacles
        self.set_map(self.map)

    def update(self, observation: Observation) -> None:
        """Takes in what the observation's laser scan and depth picture add, once each."""
        if self._layer.update(observation, explained=self._near_static):
            self._renew(observation.base_pose)

    def block(self, polygons: Iterable[np.ndarray], stands: Pose2 | None = None) -> None:
        """Marks polygons (each (N, 2) [m], map) that the static map lacks (open doors), instead of earlier ones; but
        not what the base covers where it `stands` (map): a door is not quite where memory has it, and never there."""
        self._closed[:] = False
        for polygon in polygons:
            low, high = self.map.cells(np.min(polygon, axis=0)), self.map.cells(np.max(polygon, axis=0)) + 1
            rows = range(max(low[0], 0), min(high[0], self.map.shape[0]))
            columns = range(max(low[1], 0), min(high[1], self.map.shape[1]))
            for cell in ((r, c) for r in rows for c in columns):
                self._closed[cell] |= points_in_polygon(polygon, self.map.centres(cell))
        if stands is not None:
            under = self.map.cells(self.footprint.at(stands, self.footprint.area))
            self._closed[tuple(under[self.map.contains(under)].T)] = False
        self._known_distance = self._transform(self._static | self._closed)
        self.distance = np.minimum(self._known_distance, self._transform(self._layer.occupied))

    def clear(self) -> None:
        """Forgets what laser and camera saw; the static map and `block` stay."""
        self._layer.clear()
        self.distance = self._known_distance.copy()

    @property
    def movers(self) -> list[Mover]:
        """Who has been seen to move about."""
        return self._layer.movers.all

    def open_ground(self) -> np.ndarray:
        """bool (rows, cols): cells where the middle of a base like this one could pass if nobody else were there."""
        radius = max(self.footprint.inscribed, self.footprint.half_width)
        return np.asarray(self._transform(self._static | self._closed | self._layer.standing) > radius)

    @property
    def saw_obstacles(self) -> bool:
        """True if laser or camera hold anything against the static map."""
        return bool(self._layer.occupied.any())

    @property
    def blocked(self) -> np.ndarray:
        """bool (rows, cols): cells that nothing of the base may touch."""
        return self._static | self._closed | self._layer.occupied

    def clearance(self, points: ArrayLike) -> np.ndarray:
        """float32 (...) distance [m] of points (..., 2) in map to the nearest obstacle; 0 outside the map."""
        cells = self.map.cells(points)
        d = self.distance.take(cells[..., 0] * self.map.shape[1] + cells[..., 1], mode="clip")
        return np.where(self.map.contains(cells), d, 0.0)

    def collisions(self, poses: ArrayLike) -> np.ndarray:
        """int (...) outline samples in blocked cells at base poses (..., 3), x, y, yaw in map."""
        return (self.clearance(self.footprint.at(poses)) <= 0).sum(axis=-1)

    def fits(self, pose: Pose2) -> bool:
        """True if the whole base is clear of obstacles at `pose`."""
        return bool((self.clearance(self.footprint.at(pose, self.footprint.area)) > 0).all())

    def could_fit(self, pose: Pose2) -> bool:
        """The same by map and open parts alone, as if nothing else had been seen."""
        cells = self.map.cells(self.footprint.at(pose, self.footprint.area))
        if not self.map.contains(cells).all():
            return False
        return not (self._static | self._closed)[cells[:, 0], cells[:, 1]].any()

    def turnable(self) -> np.ndarray:
        """bool (rows, cols): cells where the base can turn on the spot, with a little room to spare."""
        return np.asarray(self.distance > self.footprint.circumscribed + SPARE)

    def turns(self, pose: Pose2, margin: float = 0.0) -> bool:
        """True if the base can turn in place at `pose`, and anywhere within `margin` [m] of it."""
        # The distance at the centre is that of its cell; what counts when turning is where the corners pass.
        radius = self.footprint.circumscribed + margin
        if self.clearance(pose[:2]) <= radius - self.map.resolution:
            return False
        angles = np.linspace(0.0, 2 * np.pi, math.ceil(4 * np.pi * radius / self.map.resolution), endpoint=False)
        circle = np.column_stack([np.cos(angles), np.sin(angles)])
        return bool((self.clearance(pose[:2] + radius * circle) > 0).all())

    def costs(self) -> np.ndarray:
        """float32 (rows, cols), unitless: cost per cell of length for a point at base_link's origin; 1 in the open, inf
        where the base cannot pass at any yaw."""
        radius = max(self.footprint.inscribed, self.footprint.half_width)
        excess = np.maximum(self.distance - radius, 0)
        cost = 1 + self.settings.weight * np.exp(-_STEEPNESS * excess)
        cost[self.distance > radius + self.settings.inflation] = 1
        cost[self.distance < radius] = np.inf
        return cost.astype(np.float32)

    def _transform(self, blocked: np.ndarray) -> np.ndarray:
        if not blocked.any():
            return np.full(blocked.shape, np.float32(1e3))
        cells = _distance_to_nearest(blocked)
        return np.maximum(cells - 0.5, 0).astype(np.float32) * np.float32(self.map.resolution)

    def _renew(self, pose: Pose2) -> None:
        """Transforms what was seen around `pose` again: out to where a changed cell may still count for something, from
        obstacles as far again beyond."""
        inner = self.settings.obstacles.range + self.settings.inflation
        target, _ = self._window(pose, inner)
        if self._layer.changed.sum() > self._layer.changed[self._window(pose, self.settings.obstacles.range)[0]].sum():
            self.distance = np.minimum(self._known_distance, self._transform(self._layer.occupied))
            return
        window, offset = self._window(pose, inner + self.settings.inflation)
        seen = self._layer.occupied[window]
        if seen.size:
            fresh = np.minimum(self._known_distance[window], self._transform(seen))
            rows, columns = (slice(t.start - o, t.stop - o) for t, o in zip(target, offset))
            self.distance[target] = fresh[rows, columns]

    def _window(self, pose: Pose2, radius: float) -> tuple[tuple[slice, slice], tuple[int, int]]:
        """The square of cells within `radius` [m] of `pose`, cut to the grid, and its first row and column."""
        n = math.ceil(radius / self.map.resolution)
        first = np.clip(self.map.cells(pose[:2]) - n, 0, self.map.shape)
        last = np.clip(self.map.cells(pose[:2]) + n + 1, 0, self.map.shape)
        return (slice(first[0], last[0]), slice(first[1], last[1])), (int(first[0]), int(first[1]))


def _distance_to_nearest(cells: np.ndarray) -> np.ndarray:
    """How far every cell is from the nearest of `cells`, float (rows, columns) [cells]."""
    from scipy.ndimage import distance_transform_edt  # 0.25 s that a planner does not need
    return np.asarray(distance_transform_edt(~cells))
