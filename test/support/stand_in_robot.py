"""A robot on a plane among boxes: exact laser, ideal base with limits. Stands in for the simulator in these tests."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, LaserScan, Observation, RobotDescription, Twist
from dadu.navigation.footprint import Footprint
from dadu.world.occupancy import OccupancyMap

LASER = 360
WALL = 0.1


@dataclass
class Plane:
    """Axis-aligned boxes (N, 4): x_min, y_min, x_max, y_max [m]; the outermost four are the walls."""

    boxes: np.ndarray
    size: tuple[float, float]

    @classmethod
    def room(cls, width: float, height: float, boxes=()) -> Plane:
        walls = [(-WALL, -WALL, width + WALL, 0), (-WALL, height, width + WALL, height + WALL),
                 (-WALL, -WALL, 0, height + WALL), (width, -WALL, width + WALL, height + WALL)]
        return cls(np.array([*walls, *boxes], float), (width, height))

    def occupancy(self, resolution: float = 0.05) -> OccupancyMap:
        m = OccupancyMap.unknown((-0.2, -0.2), (self.size[0] + 0.2, self.size[1] + 0.2), resolution)
        xy = m.centres(np.stack(np.indices(m.shape), axis=-1))
        grid = np.zeros(m.shape, np.int8)
        for low_x, low_y, high_x, high_y in self.boxes:
            inside = (xy[..., 0] > low_x) & (xy[..., 0] < high_x) & (xy[..., 1] > low_y) & (xy[..., 1] < high_y)
            grid[inside] = 100
        return OccupancyMap(grid, resolution, m.origin)

    def ranges(self, origin, angles: np.ndarray, range_max: float = 10.0) -> np.ndarray:
        """Slab test of rays (N,) against all boxes."""
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1 / np.stack([np.cos(angles), np.sin(angles)], axis=1)[:, None, :]
            a = (self.boxes[None, :, :2] - origin) * inverse
            b = (self.boxes[None, :, 2:] - origin) * inverse
        near, far = np.minimum(a, b).max(axis=2), np.maximum(a, b).min(axis=2)
        hit = np.where((near <= far) & (far > 0), near, np.inf)
        r = np.maximum(hit, 0).min(axis=1)
        return np.where(r < range_max, r, np.inf)

    def touches(self, points: np.ndarray) -> bool:
        x, y = points[:, 0, None], points[:, 1, None]
        b = self.boxes
        return bool(((x > b[:, 0]) & (x < b[:, 2]) & (y > b[:, 1]) & (y < b[:, 3])).any())


@dataclass
class StandIn:
    """Implements `dadu.core.robot.Robot` on a `Plane`; remembers what went wrong."""

    description: RobotDescription
    plane: Plane
    pose: Pose2
    noise: float = 0.0
    seed: int = 0
    time: float = 0.0
    velocity: Twist = Twist()
    collided: bool = False
    path: list[Pose2] = field(default_factory=list)
    twists: list[Twist] = field(default_factory=list)

    def __post_init__(self):
        self._random = np.random.default_rng(self.seed)
        self._body = Footprint(self.description.footprint, 0.02)
        self._asked = Twist()
        self.joints = {**self.description.home, **self.description.stow}
        self._scan = self.scan()

    def scan(self) -> LaserScan:
        angles = -np.pi + 2 * np.pi / LASER * np.arange(LASER)
        ranges = self.plane.ranges(np.array(self.pose[:2]), angles + self.pose.yaw)
        ranges = ranges + self._random.normal(0, self.noise, LASER) if self.noise else ranges
        return LaserScan(self.time, ranges.astype(np.float32), -np.pi, 2 * np.pi / LASER, 10.0, np.eye(4))

    def observe(self) -> Observation:
        return Observation(self.time, self.pose, self.joints, scan=self._scan)

    def act(self, command: Command) -> None:
        if command.base is not None:
            self._asked = command.base
            self.twists.append(command.base)
        if command.joints is not None:
            self.joints.update(command.joints.waypoints[-1].positions)

    def advance(self, dt: float) -> None:
        """Ideal tracking of the commanded twist; a collision holds the base and is remembered."""
        w = self._asked
        middle = self.pose.yaw + math.atan2(w.vy, w.vx) + w.wz * dt / 2
        chord = w.speed * dt * np.sinc(w.wz * dt / 2 / np.pi)
        there = Pose2(self.pose.x + chord * np.cos(middle), self.pose.y + chord * np.sin(middle),
                      float(self.pose.yaw + w.wz * dt))
        if self.plane.touches(self._body.at(np.array(there))):
            self.collided = True
        else:
            self.pose = there
        before = round(self.time / 0.1)
        self.time += dt
        if round(self.time / 0.1) != before:
            self._scan = self.scan()
        self.path.append(self.pose)
