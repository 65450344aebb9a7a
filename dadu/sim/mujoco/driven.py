"""A backend whose robots have drivers: what an `Engine` runs, and the bridge serves as robots' topics and actions."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path

import mujoco
import numpy as np

from dadu.core.robot import RobotDescription
from dadu.sim.backend import Backend
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.sim_robot import SimRobot
from dadu.sim.settings import SimulationSettings
from dadu.world.state import WorldState


class DrivenBackend(Backend):
    """The robots' geometry is MuJoCo's, whatever simulates the world around them."""

    robots: tuple[SimRobot, ...]
    robot: SimRobot
    """of several the first; so are `description`, and what is true of "the robot" """
    settings: SimulationSettings
    model: mujoco.MjModel
    data: mujoco.MjData
    body: RobotBody
    """of `robot`"""

    @property
    def descriptions(self) -> tuple[RobotDescription, ...]:
        """Of the robots."""
        return tuple(robot.description for robot in self.robots)

    def pass_time(self, dt: float) -> None:
        """As `advance` by `dt` [s], of a world in which for a while nothing has moved."""
        self.advance(dt)

    @abstractmethod
    def snapshot(self, view: mujoco.MjData | None = None) -> mujoco.MjData:
        """The geometry at this moment, written into `view` (default: one of the backend's own, overwritten by the next
        snapshot), so that it can be looked at while the world steps on."""

    @abstractmethod
    def truth_of(self, robot: SimRobot) -> WorldState:
        """The true state, as `ground_truth`, with this one for the robot."""

    def ground_truth(self) -> WorldState:
        return self.truth_of(self.robot)

    @abstractmethod
    def save(self, path: str | Path, **extra: np.ndarray) -> None:
        """Writes the whole state, drivers and `extra` arrays included, in one atomic step."""

    @abstractmethod
    def restore(self, path: str | Path) -> dict[str, np.ndarray]:
        """Goes on from a saved state and returns its extra arrays. Errors: CheckpointError where it is of another
        house or robot."""
