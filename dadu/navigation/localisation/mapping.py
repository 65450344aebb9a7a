"""Making the map while driving: log-odds of occupancy from laser scans, and localisation on what is mapped so far.

Source: Moravec and Elfes' occupancy grids, as in Thrun, Burgard, Fox, "Probabilistic Robotics", chapter 9; no loops are
closed, so it suits a home, not a campus.
"""

from __future__ import annotations

import math

import numpy as np
from pydantic import Field
from scipy.ndimage import uniform_filter

from dadu.core.config import Settings
from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import LaserScan
from dadu.navigation.localisation.localiser import LocalisationSettings, Localiser
from dadu.navigation.obstacles import rays
from dadu.world.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancyMap


class MappingSettings(Settings):
    extent: float = Field(24.0, gt=1)
    """edge of the mapped square about the start [m]"""
    resolution: float = Field(0.05, gt=0)
    """[m]"""
    range: float = Field(6.0, gt=0)
    """of the laser that is mapped; farther on the rays lie too wide apart [m]"""
    own: float = Field(0.2, ge=0)
    """about base_link's origin, where nothing but the robot stands and what has fallen onto it [m]"""
    hit: float = Field(0.9, gt=0)
    """log-odds that a ray's end adds"""
    miss: float = Field(0.4, gt=0)
    """and that its passing takes"""
    limit: float = Field(4.0, gt=0)
    """of a cell's log-odds, so that what moves away is forgotten"""
    every: tuple[float, float] = (0.1, 0.1)
    """motion between two mapped scans [m, rad]"""
    first: int = Field(5, ge=1)
    """scans that are mapped at the start, standing still"""
    renew: int = Field(3, ge=1)
    """mapped scans after which the map, and what scans are matched to, is drawn anew"""


class Mapper:
    """A grid of log-odds and the map that follows from it."""

    def __init__(self, middle: Pose2, settings: MappingSettings) -> None:
        half = settings.extent / 2
        self.settings = settings
        self.map = OccupancyMap.unknown((middle.x - half, middle.y - half), (middle.x + half, middle.y + half),
                                        settings.resolution)
        """as of the last `draw`"""
        self._odds = np.zeros(self.map.shape, np.float32)

    def restore(self, map: OccupancyMap) -> None:
        """Goes on from a map made earlier, where it lies on this grid."""
        values = map.at(self.map.centres(np.moveaxis(np.indices(self.map.shape), 0, -1)))
        self._odds = np.select([values >= 50, values == FREE], [1.0, -1.0], 0.0).astype(np.float32)
        self.draw()

    def insert(self, scan: LaserScan, base: Pose2) -> None:
        """Takes in a scan taken with base_link at `base` in map."""
        s = self.settings
        _, hits, passed = rays(scan, base, s.range, s.resolution)
        hits = hits[np.linalg.norm(hits - base[:2], axis=1) > s.own]
        for points, change in ((passed, -s.miss), (hits, s.hit + s.miss)):
            cells = self.map.cells(points)
            cells = cells[self.map.contains(cells)]
            # An indexed assignment counts a cell once a scan, however many rays cross it.
            self._odds[cells[:, 0], cells[:, 1]] = self._odds[cells[:, 0], cells[:, 1]] + change
        np.clip(self._odds, -s.limit, s.limit, out=self._odds)

    def draw(self) -> None:
        grid = np.full(self.map.shape, UNKNOWN, np.int8)
        grid[self._odds > 0] = OCCUPIED
        grid[self._odds < -0.3] = FREE
        # Gaps between distant rays: an unknown cell most of whose neighbours are free.
        free = uniform_filter((grid == FREE).astype(np.float32), 3)
        grid[(grid == UNKNOWN) & (free > 0.5)] = FREE
        self.map = OccupancyMap(grid, self.map.resolution, self.map.origin)


class MappingLocaliser:
    """The same interface as `Localiser`, on a map of its own making."""

    def __init__(self, start: Pose2, settings: MappingSettings | None = None,
                 localisation: LocalisationSettings | None = None) -> None:
        """`start`: where base_link shall be in map at the first scan."""
        self._mapper = Mapper(start, settings or MappingSettings())
        self._localiser = Localiser(self._mapper.map, start, _patient(localisation or LocalisationSettings()))
        self._start = start
        self._mapped: Pose2 | None = None
        self._count = 0
        self.map_odom: Pose2 | None = None
        """may be set before the first scan, as in `Localiser`"""

    def restore(self, map: OccupancyMap) -> None:
        """Goes on from a map made earlier."""
        self._mapper.restore(map)
        self._localiser.set_map(self._mapper.map)

    def set_pose(self, pose: Pose2) -> None:
        """Goes on from `pose` of base_link in map, as an operator says."""
        self._start, self.map_odom, self._localiser.map_odom = pose, None, None

    @property
    def settings(self) -> LocalisationSettings:
        """of how scans are matched; may be replaced between two"""
        return self._localiser.settings

    @settings.setter
    def settings(self, settings: LocalisationSettings) -> None:
        self._localiser.settings = _patient(settings)

    @property
    def map(self) -> OccupancyMap:
        """as far as it is known"""
        return self._mapper.map

    @property
    def share(self) -> float:
        """of the newest scan's hits, those that the map explains"""
        return self._localiser.share

    @property
    def uncertainty(self) -> float:
        """As of `Localiser` [m]"""
        return self._localiser.uncertainty

    def update(self, odom: Pose2, scan: LaserScan, known: Pose2 | None = None) -> Pose2:
        """Takes a scan taken at pose `odom` of base_link in odom; returns the pose of odom in map, `known` where
        somebody knows it."""
        map_odom = known or self.map_odom or self._start * odom.inverse()
        if self._localiser.map_odom is None or known is not None:
            self._localiser.map_odom = map_odom
        elif self._count >= self._mapper.settings.first:
            map_odom = self._localiser.update(odom, scan)
        self.map_odom = map_odom
        base = map_odom * odom
        if self._count < self._mapper.settings.first or self._moved(base):
            self._count, self._mapped = self._count + 1, base
            self._mapper.insert(scan, base)
            if self._count <= self._mapper.settings.first or self._count % self._mapper.settings.renew == 0:
                self._mapper.draw()
                self._localiser.set_map(self._mapper.map)
        return map_odom

    def _moved(self, base: Pose2) -> bool:
        """True if the base is far enough from where the last scan was mapped."""
        if self._mapped is None:
            return True
        metres, radians = self._mapper.settings.every
        return math.dist(base[:2], self._mapped[:2]) > metres or abs(wrap(base.yaw - self._mapped.yaw)) > radians


def _patient(settings: LocalisationSettings) -> LocalisationSettings:
    """Looking for oneself on half a map finds the wrong place: odometry bridges what is not mapped yet."""
    return settings.model_copy(update={"lost_after": 10**9, "doubted_after": 10**9})
