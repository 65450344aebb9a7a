"""The planar laser: rays against the world and other robots, blind to the robot itself."""

from __future__ import annotations

import mujoco
import numpy as np

from dadu.core.geometry import inverse
from dadu.core.robot import GRAIN, RANGE_MIN, LaserScan
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.model import SOLID_GROUP
from dadu.sim.settings import LaserSettings

_OWN_GROUP = 5
"""the geom group of the scanner's own robot while its rays are cast: not met, and, as `SOLID_GROUP`, not drawn"""
_MET = np.array([group in (0, SOLID_GROUP) for group in range(6)], np.uint8)
"""the geom groups that rays meet: the world, and the solid shapes of robots"""


class Laser:
    """One scanner on the description's laser link."""

    def __init__(self, model: mujoco.MjModel, body: RobotBody, settings: LaserSettings) -> None:
        self._model, self._body, self._settings = model, body, settings
        self._increment = 2 * np.pi / settings.rays
        angles = -np.pi + self._increment * np.arange(settings.rays)
        self._directions = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
        self._own = body.geoms[model.geom_group[body.geoms] == SOLID_GROUP]
        self._hit = np.empty(settings.rays, np.int32)
        self._distance = np.empty(settings.rays)

    def scan(self, data: mujoco.MjData, stamp: float, rng: np.random.Generator) -> LaserScan:
        """All rays at once, with Gaussian noise; `data` needs up-to-date kinematics."""
        settings = self._settings
        T_map_laser = self._body.link_pose(data, self._body.description.laser_link)
        T_map_base = self._body.link_pose(data, self._body.description.base_link)
        rays = np.ascontiguousarray(self._directions @ T_map_laser[:3, :3].T).ravel()
        self._model.geom_group[self._own] = _OWN_GROUP  # MuJoCo leaves out one body by its number, not a whole robot
        mujoco.mj_multiRay(self._model, data, T_map_laser[:3, 3].copy(), rays, _MET, True, -1, self._hit,
                           self._distance, None, settings.rays, settings.range_max)
        self._model.geom_group[self._own] = SOLID_GROUP
        hit = self._hit >= 0
        ranges = np.full(settings.rays, np.inf, np.float32)
        measured = self._distance[hit] + rng.normal(0.0, settings.noise, int(hit.sum()))
        ranges[hit] = np.maximum(RANGE_MIN, np.rint(measured / GRAIN) * GRAIN)
        ranges[ranges > settings.range_max] = np.inf  # the cutoff leaves out whole geoms, not hits
        return LaserScan(stamp, ranges, -np.pi, self._increment, settings.range_max, inverse(T_map_base) @ T_map_laser)
