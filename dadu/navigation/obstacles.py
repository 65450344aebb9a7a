"""Obstacles that laser and depth camera see: marked where rays end, cleared where rays pass."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from dadu.core.config import Settings
from dadu.core.geometry import Pose2, apply
from dadu.core.robot import CameraFrame, LaserScan, Observation
from dadu.navigation.moving.tracks import BODY, RANGE, Movers
from dadu.world.occupancy import OccupancyMap

_DEPTH_EVIDENCE = 2
"""points a cell needs to count"""
_DEPTH_NEAR = 0.3
"""nearer is the hand before a camera on the arm [m]"""
_DEPTH_STRIDE = 8
"""every n-th pixel of every n-th row"""


class ObstacleSettings(Settings):
    range: float = Field(3.0, gt=0)
    """obstacles are marked and cleared within this distance of the robot [m]"""
    low: float = Field(0.06, ge=0)
    """lowest point of the depth camera that counts [m]; what is lower is floor or noise"""
    depth_range: float = Field(2.0, gt=0)
    """[m] along the optical axis"""
    depth_memory: float = Field(15.0, ge=0)
    """what the camera saw and the laser cannot see is forgotten after this time [s]"""


class ObstacleLayer:
    """Cells occupied by what is not on the static map, in its grid."""

    def __init__(self, grid: OccupancyMap, height: float, self_radius: float, settings: ObstacleSettings) -> None:
        """Points above `height` [m] and within `self_radius` [m] of base_link are ignored."""
        self.settings = settings
        self._map = grid
        self._height = height
        self._self_radius = self_radius
        self._hit = np.zeros(grid.shape, bool)
        self._seen_until = np.full(grid.shape, -np.inf)
        self._stamps = {"scan": -np.inf, "camera": -np.inf}
        self.movers = Movers(grid)
        """who moves about"""
        self.standing = np.zeros(grid.shape, bool)
        """cells occupied by what does not move"""
        self.occupied = np.zeros(grid.shape, bool)
        self._bodies = np.zeros(grid.shape, bool)
        self.changed = np.zeros(grid.shape, bool)
        """cells that those who move have left or come to with the newest scan or picture"""

    def update(self, observation: Observation, explained: np.ndarray) -> bool:
        """Takes in a scan and a picture if they are new, and says whether one was.

        `explained` bool (rows, cols): cells where the static map already accounts for a hit.
        """
        scan, camera, base = observation.scan, observation.camera, observation.base_pose
        fresh = False
        if scan is not None and scan.stamp != self._stamps["scan"]:
            fresh, self._stamps["scan"] = True, scan.stamp
            self._trace(scan, base, explained)
        if camera is not None and camera.stamp != self._stamps["camera"]:
            fresh, self._stamps["camera"] = True, camera.stamp
            self._mark_depth(observation, camera, explained)
        if fresh:
            self._set_apart(base)
            self.standing = self._hit | (self._seen_until > observation.stamp)
            self.occupied = self.standing | self._bodies
        return fresh

    def clear(self) -> None:
        self._hit[:] = False
        self._seen_until[:] = -np.inf
        self.movers.clear()
        self.standing = np.zeros(self._map.shape, bool)
        self.occupied = np.zeros(self._map.shape, bool)

    def _set_apart(self, base: Pose2) -> None:
        """Bodies of those who move are where they are now, and leave no trail; but nobody is where the base is."""
        before, self._bodies = self._bodies, np.zeros(self._map.shape, bool)
        for track in self.movers.all:
            self._bodies |= self._near(track.position, BODY)
        self._hit &= ~self._bodies
        self._seen_until[self._bodies] = -np.inf
        if self._bodies.any():
            self._bodies &= ~self._near(np.array(base[:2]), self._self_radius + self._map.resolution)
        self.changed = before != self._bodies

    def _near(self, point: np.ndarray, radius: float) -> np.ndarray:
        """bool (rows, cols): cells within `radius` [m] of a point (2,)."""
        rows, columns = np.ogrid[:self._map.shape[0], :self._map.shape[1]]
        row, column = self._map.cells(point)
        return np.asarray(np.hypot(rows - row, columns - column) * self._map.resolution <= radius)

    def _trace(self, scan: LaserScan, base: Pose2, explained: np.ndarray) -> None:
        origin, hits, passed = rays(scan, base, max(self.settings.range, RANGE), self._map.resolution)
        free = self._index(passed)
        self._hit[free] = False
        others = hits[np.linalg.norm(hits - base[:2], axis=1) > self._self_radius]
        others = others[self._map.contains(self._map.cells(others))]
        others = others[~explained[self._index(others)]]
        near = np.linalg.norm(others - origin, axis=1) < self.settings.range
        self._hit[self._index(others[near])] = True
        self.movers.update(scan.stamp, others, np.column_stack(free))

    def _mark_depth(self, observation: Observation, camera: CameraFrame, explained: np.ndarray) -> None:
        settings, base = self.settings, observation.base_pose
        points = depth_points(camera, _DEPTH_STRIDE, settings.depth_range, _DEPTH_NEAR)
        away = np.linalg.norm(points[:, :2] - base[:2], axis=1) > self._self_radius
        tall = (points[:, 2] > self.settings.low) & (points[:, 2] < self._height)
        index = self._index(points[away & tall, :2])
        count = np.zeros(self._map.shape, np.int32)
        np.add.at(count, index, 1)
        cells = (count >= _DEPTH_EVIDENCE) & ~explained
        self._seen_until[cells] = observation.stamp + settings.depth_memory  # a camera may have a clock of its own

    def _index(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        cells = self._map.cells(points)
        cells = cells[self._map.contains(cells)]
        return cells[:, 0], cells[:, 1]


def rays(scan: LaserScan, base: Pose2, range_max: float, step: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A scan in map: the laser's origin (2,), hits (H, 2) and points (P, 2) every `step` [m] that rays passed, all up
    to `range_max` [m]."""
    origin = base.apply(scan.T_base_laser[:2, 3])
    valid = np.flatnonzero(~np.isnan(scan.ranges) & (np.asarray(scan.ranges) > 0))
    ranges = np.asarray(scan.ranges, float)[valid]
    directions = Pose2(0.0, 0.0, base.yaw).apply(scan.directions(valid)[:, :2])
    near = np.flatnonzero(ranges < min(range_max, scan.range_max))
    near = near[~scan.on_floor(valid[near])]
    hits = directions[near] * ranges[near, None] + origin
    # As many steps as fit before each end, all rays in one row; float32 is exact enough for cells and half as dear.
    count = np.maximum(np.ceil(np.minimum(ranges, range_max) / step).astype(int) - 2, 0)
    steps = np.arange(1, count.sum() + 1) - np.repeat(np.cumsum(count) - count, count)
    passed = np.repeat(directions.astype(np.float32), count, axis=0) * (step * steps).astype(np.float32)[:, None]
    passed += origin.astype(np.float32)
    return origin, hits, passed


def depth_points(camera: CameraFrame, stride: int, range_max: float, range_min: float = 0.05) -> np.ndarray:
    """float64 (N, 3) [m] in map: every `stride`-th pixel of a depth picture between `range_min` and `range_max` [m]."""
    depth = camera.depth[::stride, ::stride]
    v, u = np.nonzero(np.isfinite(depth) & (depth > range_min) & (depth < range_max))
    z = depth[v, u].astype(float)
    K = camera.K
    x = (u * stride - K[0, 2]) / K[0, 0] * z
    y = (v * stride - K[1, 2]) / K[1, 1] * z
    return apply(camera.T_map_camera, np.stack([x, y, z], axis=1))
