"""A robot without physics: the drivers of `SimRobot`, followed exactly, and a hand that things stick to.

For simulators whose robot is a figure that is put somewhere: Habitat, and the oracle behind the drivers' interface.
"""

from __future__ import annotations

import math
from typing import Protocol

import mujoco
import numpy as np

from dadu.core.geometry import Pose2, inverse, wrap
from dadu.core.robot import RobotDescription
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.model import BASE_JOINTS, GRIPPER, attach_robot
from dadu.sim.mujoco.robot.sim_robot import Sensors, SimRobot
from dadu.sim.settings import SimulationSettings

_RELEASE = 0.004
"""the fingers let go when told to open this much wider than what they hold [m]"""


class Held(Protocol):
    """Something between the fingers."""

    name: str
    width: float
    """between the fingers [m]"""

    def pose(self) -> np.ndarray:
        """T_map_thing (4, 4)."""
        ...

    def carry(self, T_map_thing: np.ndarray) -> None:
        """Goes along with the hand, as far as it can."""
        ...

    def release(self) -> None:
        ...


class GripSurroundings(Protocol):
    """What the figure moves about in."""

    def drive(self, start: Pose2, end: Pose2) -> Pose2:
        """Where the base gets on its way from `start` to `end`, map."""
        ...

    def grip(self, T_map_tool: np.ndarray, aperture: float) -> Held | None:
        """What fingers closing to `aperture` [m] at the grasp centre (4, 4) meet."""
        ...


class KinematicRobot(SimRobot):
    """Base, joints and fingers are where their drivers want them, as far as the surroundings allow."""

    def __init__(self, body: RobotBody, data: mujoco.MjData, settings: SimulationSettings, model: mujoco.MjModel,
                 sensors: Sensors, surroundings: GripSurroundings) -> None:
        self._model, self._world = model, surroundings
        self._grip_drive = model.actuator(body.prefix + GRIPPER).id
        self._free = [math.inf] * len(body.joints)
        self._wanted = 0.0
        self.held: Held | None = None
        """what sticks to the hand"""
        self._T_tool_thing = np.eye(4)
        super().__init__(body, data, settings, sensors)

    def reset(self) -> None:
        super().reset()
        self.held, self._wanted = None, 0.0

    def control(self, dt: float) -> None:
        """Moves everything on by `dt` [s]."""
        body, data = self.body, self._data
        twist = self.base.step(data.time, dt)
        start = body.base_pose(data)
        goal = start * Pose2(twist.vx * dt, twist.vy * dt, twist.wz * dt)
        base = start if goal == start else self._world.drive(start, goal)
        changes = base.x - start.x, base.y - start.y, wrap(base.yaw - start.yaw)
        for joint, change in zip(BASE_JOINTS, changes, strict=True):
            self._data.joint(body.prefix + joint).qvel = change / dt
        self.joints.step(body.positions(data).tolist(), self._free, data.time, dt)
        joints = dict(zip(body.joints, self.joints.position.tolist(), strict=True))
        body.place(data, base, joints, max(self._wanted, self.held.width if self.held else 0.0))
        mujoco.mj_kinematics(self._model, data)
        self._close_or_open(body.link_pose(data, self.description.tool_link), dt)

    def _close_or_open(self, T_map_tool: np.ndarray, dt: float) -> None:
        before = self._wanted
        self._wanted = 2 * max(0.0, self.gripper.step(self.body.gripper(self._data).aperture / 2, dt))
        if self.held is not None:
            if self._wanted > self.held.width + _RELEASE:
                self.held.release()
                self.held = None
            else:
                self.held.carry(T_map_tool @ self._T_tool_thing)
        elif self._wanted < before:
            self.held = self._world.grip(T_map_tool, self._wanted)
            if self.held is not None:
                self._T_tool_thing = inverse(T_map_tool) @ self.held.pose()
        squeezing = self.held is not None and self._wanted <= self.held.width
        # The driver's effort of the fingers is half of the actuator's, and negative when it closes.
        self._data.actuator_force[self._grip_drive] = -2 * self.gripper.force if squeezing else 0.0


def robot_only(robot: RobotDescription, field_of_view: float) -> mujoco.MjModel:
    """The robot's body alone, for its kinematics."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    attach_robot(spec, robot, field_of_view)
    return spec.compile()
