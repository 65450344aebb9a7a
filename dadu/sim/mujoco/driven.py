"""A backend whose robot has drivers: what an `Engine` runs, and the bridge serves as a robot's topics and actions."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Protocol

import mujoco
import numpy as np

from dadu.core.robot import CameraFrame, LaserScan
from dadu.sim.backend import Backend
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.sim_robot import SimRobot
from dadu.sim.settings import SimulationSettings


class Pictures(Protocol):
    """What takes pictures."""

    def render(self, view: mujoco.MjData, stamp: float) -> CameraFrame:
        """The picture of a copy of the geometry, as `DrivenBackend.snapshot` makes it, of time `stamp` [s]."""
        ...


class DrivenBackend(Backend):
    """The robot's geometry is MuJoCo's, whatever simulates the world around it."""

    robot: SimRobot
    settings: SimulationSettings
    model: mujoco.MjModel
    data: mujoco.MjData
    body: RobotBody

    @property
    @abstractmethod
    def camera(self) -> Pictures:
        """Belongs to the thread that uses it first."""

    @abstractmethod
    def snapshot(self, view: mujoco.MjData | None = None) -> mujoco.MjData:
        """The geometry at this moment, written into `view` (default: one of the backend's own, overwritten by the next
        snapshot), so that it can be looked at while the world steps on."""

    @abstractmethod
    def scan(self, view: mujoco.MjData | None = None) -> LaserScan:
        """The laser's reading now; `view`: a snapshot of this moment, where there is one."""

    @abstractmethod
    def save(self, path: str | Path, **extra: np.ndarray) -> None:
        """Writes the whole state, drivers and `extra` arrays included, in one atomic step."""

    @abstractmethod
    def restore(self, path: str | Path) -> dict[str, np.ndarray]:
        """Goes on from a saved state and returns its extra arrays. Errors: CheckpointError where it is of another
        house or robot."""
