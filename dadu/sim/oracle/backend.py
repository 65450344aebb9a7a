"""The oracle's world behind the drivers' interface: a figure that drives about, no camera, no contact."""

from __future__ import annotations

import mujoco
import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.sim.backend import Backend, Position
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.kinematic_robot import KinematicRobot, robot_only
from dadu.sim.oracle.disturbance import disturb
from dadu.sim.oracle.truth import OracleWorld
from dadu.sim.settings import SimulationSettings
from dadu.world.graph import ROBOT
from dadu.world.state import WorldState


class OracleBackend(Backend):
    """Walls and furniture stop the base; the hand passes through everything and holds nothing."""

    robot: KinematicRobot

    def __init__(self, house: House, robot: RobotDescription, seed: int = 0,
                 settings: SimulationSettings | None = None) -> None:
        """The oracle varies nothing by `seed`. Errors: ConfigError where objects find no place."""
        self.house, self.description = house, robot
        self.settings = settings or SimulationSettings()
        self.model = robot_only(robot, self.settings.camera.field_of_view)
        self.data = mujoco.MjData(self.model)
        self.robot = KinematicRobot(RobotBody(self.model, robot), self.data, self.settings, self.model,
                                    lambda: None, lambda: None, self)
        self._remainder = 0.0
        self.reset(seed)
        self.instance_names = (*self.world.pieces, *self.world.things)
        self.instance_categories = (*(piece.category for piece in self.world.pieces.values()),
                                    *(thing.category for thing in self.world.things.values()))

    @property
    def time(self) -> float:
        return self.data.time

    def reset(self, seed: int = -1) -> None:
        self.world = OracleWorld(self.house, self.description)
        self.robot.body.place(self.data, Pose2(*self.house.robot.pose), self.description.home)
        mujoco.mj_kinematics(self.model, self.data)
        self.robot.reset()

    def advance(self, dt: float) -> None:
        period = self.settings.control_period
        self._remainder += dt
        while self._remainder >= period - 1e-9:
            self._remainder -= period
            self.robot.control(period)
            self.data.time += period
        agent = self.world.agents[ROBOT]
        agent.pose = self.robot.body.base_pose(self.data)

    def ground_truth(self) -> WorldState:
        return self.world.state(self.time)

    def disturb(self, kind: str, object: str = "", target: str = "", position: Position = (0.0, 0.0, 0.0)) -> str:
        return disturb(self.world, kind, object, target, position)

    def close(self) -> None:
        """Nothing is held open."""

    # What `KinematicRobot` asks of its surroundings.

    def drive(self, start: Pose2, end: Pose2) -> Pose2:
        ways = self.world.ways(self.world.agents[ROBOT])
        free = ways.free(end[:2]) or not ways.free(start[:2])
        return end if free else Pose2(start.x, start.y, end.yaw)

    def grip(self, T_map_tool: np.ndarray, aperture: float) -> None:
        return None
