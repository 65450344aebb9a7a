"""The simulated robot in process: the drivers of base, arm and gripper behind `dadu.core.robot.Robot`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import mujoco

from dadu.core.robot import CameraFrame, Command, LaserScan, Observation, RobotDescription
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.gripper_drive import GripperDrive
from dadu.sim.mujoco.robot.joint_drive import JointDrive
from dadu.sim.mujoco.robot.motors import BaseDrive, Motors
from dadu.sim.settings import SimulationSettings

_Reading = TypeVar("_Reading")


class Pictures(Protocol):
    """What takes pictures."""

    def render(self, view: mujoco.MjData, stamp: float) -> CameraFrame:
        """The picture of a copy of the geometry, as `DrivenBackend.snapshot` makes it, of time `stamp` [s]."""
        ...


class Sensors(Protocol):
    """Camera and laser of one robot."""

    @property
    def camera(self) -> Pictures:
        """Belongs to the thread that uses it first."""
        ...

    def render(self) -> CameraFrame:
        """The camera's picture now, with instances."""
        ...

    def scan(self, view: mujoco.MjData | None = None) -> LaserScan:
        """The laser's reading now; `view`: a snapshot of this moment, where there is one."""
        ...

    def close(self) -> None:
        """Frees what it holds; twice does no harm."""
        ...


class SimRobot:
    """Commands in, true observations out. The simulation calls `control` once a control period."""

    def __init__(self, body: RobotBody, data: mujoco.MjData, settings: SimulationSettings,
                 sensors: Sensors) -> None:
        self.name, self.sensors = body.name, sensors
        self.description: RobotDescription = body.description
        self.body = body
        self.base = BaseDrive(self.description, settings.watchdog)
        self.joints = JointDrive(self.description)
        self.gripper = GripperDrive(self.description)
        self._data, self._motors = data, Motors(body, data)
        self._camera = _Sampled(sensors.render, settings.camera.rate)
        self._laser = _Sampled(sensors.scan, settings.laser.rate)

    def reset(self) -> None:
        """Drivers at rest at home, sensors without a reading; the body is placed by the simulation."""
        self.base.reset()
        self.joints.reset(self.description.home)
        self.gripper.reset()
        self._camera.reset()
        self._laser.reset()

    def observe(self) -> Observation:
        """The state now; camera and laser as of their last reading, taken here when one is due."""
        data, names = self._data, self.body.joints
        hand = self.body.gripper(data)
        return Observation(
            stamp=data.time,
            base_pose=self.body.base_pose(data),
            joints=dict(zip(names, self.body.positions(data).tolist())),
            efforts=dict(zip(names, self.body.efforts(data).tolist())),
            aperture=hand.aperture,
            grip_effort=hand.effort,
            camera=self._camera.at(data.time),
            scan=self._laser.at(data.time),
        )

    def act(self, command: Command) -> None:
        """Hands the command to the drivers. Errors: InvalidTrajectory."""
        now = self._data.time
        if command.base is not None:
            self.base.command(command.base, now)
        if command.joints is not None:
            self.joints.follow(command.joints, now)
        elif command.hold:
            self.joints.hold(now)
        if command.gripper is not None:
            self.gripper.command(command.gripper)

    @property
    def settled(self) -> bool:
        """True if no driver has anything left to do of what it was told."""
        return self.base.settled(self._data.time) and self.joints.settled and self.gripper.settled

    def control(self, dt: float) -> None:
        """Sets all drives for the next `dt` [s]."""
        motors, now = self._motors, self._data.time
        motors.drive_base(self.base.step(now, dt), dt)
        changed = self.joints.step(motors.positions, motors.slack, now, dt)
        motors.drive_joints(changed, *self.joints.setpoints)
        if not self.gripper.settled:
            setpoint = self.gripper.step(self.body.aperture(self._data) / 2, dt)
            motors.drive_gripper(setpoint, self.gripper.force)


class _Sampled(Generic[_Reading]):
    """A sensor that is read at most at its rate; in between, its last reading stands."""

    def __init__(self, read: Callable[[], _Reading | None], rate: float) -> None:
        self._read, self._rate = read, rate
        self.reset()

    def reset(self) -> None:
        self._reading: _Reading | None = None
        self._next = 0.0

    def at(self, now: float) -> _Reading | None:
        """The newest reading at time `now` [s], or None for a sensor without a rate."""
        if self._rate > 0 and now >= self._next - 1e-6:
            self._reading = self._read()
            self._next = now + 1 / self._rate
        return self._reading
