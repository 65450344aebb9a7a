"""What to ask of Stretch's own driver (stretch_ros2), which is in one mode at a time, so that it does what skills ask.

In navigation mode the driver takes velocities and no trajectories; in position mode it takes single points for arm,
gripper and base (the base by increments), at most five a second, and no velocities. Skills move arm and base together:
while an arm trajectory is under way, it is handed on as points that run a little ahead of it, the base's velocity as
increments among them; otherwise velocities pass as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from pydantic import Field, PositiveFloat

from dadu.core.config import Settings
from dadu.core.robot import JointTrajectory, RobotDescription, Twist
from dadu.robots.stretch_joints import APERTURE

TRANSLATE, ROTATE = "translate_mobile_base", "rotate_mobile_base"
"""the driver's increments of the base [m, rad]"""
_LEAST_SHARE = 0.1  # of a joint's top speed: a slower point would never end
_LEAST_TURN = 0.02  # [rad/s]
_LEAST_DRIVE = 0.003  # [m/s]


class CommandSettings(Settings):
    """How trajectories become points."""

    period: float = Field(0.25, ge=0.2)
    """between points [s]; the driver refuses what follows in less than 0.2 s"""
    lead: PositiveFloat = 0.5
    """how far ahead of the plan a point lies [s]: longer than `period`, so that nothing stops in between"""
    watchdog: PositiveFloat = 0.5
    """a velocity older than this counts as none [s]"""
    tolerance: PositiveFloat = 0.02
    """a trajectory has arrived [m or rad]"""
    settle: PositiveFloat = 1.5
    """beyond its planned end a trajectory is given up [s]"""
    squeeze: float = -0.06
    """aperture that closing asks for, beyond closed [m]: how hard Stretch squeezes goes by it"""


class Mode(str, Enum):
    """Of the driver, as it names them."""

    NAVIGATION = "navigation"
    POSITION = "position"


@dataclass(frozen=True)
class Point:
    """A goal of one point for ``/stretch_controller/follow_joint_trajectory``."""

    positions: Mapping[str, float]
    """[m or rad]; `TRANSLATE` and `ROTATE` are increments"""
    speeds: Mapping[str, float]
    """[m/s or rad/s], of the same joints"""


@dataclass(frozen=True)
class DriverRequest:
    """What the driver is to do now."""

    mode: Mode | None = None
    """it must be in for the rest; None: it may stay as it is"""
    twist: Twist | None = None
    point: Point | None = None


@dataclass
class _Arm:
    """A trajectory under way."""

    start: float
    times: np.ndarray
    paths: dict[str, np.ndarray] = field(default_factory=dict)

    def at(self, t: float) -> dict[str, float]:
        return {name: float(np.interp(t - self.start, self.times, path)) for name, path in self.paths.items()}

    @property
    def end(self) -> float:
        return self.start + float(self.times[-1])


class StretchCommands:
    """Takes the skills' commands; `next` says, tick by tick, what to hand to the driver. Times [s] on any one clock."""

    def __init__(self, robot: RobotDescription, settings: CommandSettings | None = None) -> None:
        self._robot, self._settings = robot, settings or CommandSettings()
        self._arm: _Arm | None = None
        self._gripper: float | None = None
        self._twist, self._heard = Twist(), -np.inf
        self._sent = -np.inf

    def move(self, trajectory: JointTrajectory, now: float, measured: Mapping[str, float]) -> None:
        """A new trajectory, replacing the one under way; it starts where the joints are `measured` to be."""
        arm = _Arm(now, np.array([0.0, *(w.time for w in trajectory.waypoints)]))
        for name in trajectory.waypoints[-1].positions:
            first = measured.get(name, trajectory.waypoints[0].positions[name])
            arm.paths[name] = np.array([first, *(w.positions[name] for w in trajectory.waypoints)])
        self._arm = arm

    def hold(self, now: float, measured: Mapping[str, float]) -> None:
        """The arm stays where it is; what is held stays held."""
        if self._arm is not None:
            here = {name: measured[name] for name in self._arm.paths if name in measured}
            self._arm = _Arm(now, np.array([0.0, self._settings.period]),
                             {name: np.array([value, value]) for name, value in here.items()})
            self._sent = -np.inf

    def grip(self, aperture: float) -> None:
        """Fingers `aperture` [m] apart; at or below zero they squeeze."""
        self._gripper = self._settings.squeeze if aperture <= 0.0 else min(aperture, self._robot.aperture_max)

    def drive(self, twist: Twist, now: float) -> None:
        """The base's velocity from now on, until the next or until the watchdog."""
        self._twist, self._heard = twist, now

    def next(self, now: float, measured: Mapping[str, float]) -> DriverRequest:
        """What the driver is to do at time `now`, its joints being as `measured` [m or rad]."""
        twist = self._twist if now - self._heard <= self._settings.watchdog else Twist()
        if self._arm is not None and self._arrived(self._arm, now, measured):
            self._arm = None
        if self._arm is None and self._gripper is None:
            moves = twist.vx != 0.0 or twist.wz != 0.0
            return DriverRequest(Mode.NAVIGATION if moves else None, twist=twist)
        if now < self._sent + self._settings.period:
            return DriverRequest(Mode.POSITION)
        return DriverRequest(Mode.POSITION, point=self._point(now, measured, twist))

    def sent(self, now: float) -> None:
        """The last request's point was handed over."""
        self._sent, self._gripper = now, None

    def _arrived(self, arm: _Arm, now: float, measured: Mapping[str, float]) -> bool:
        if now < arm.end or self._sent < arm.start:
            return False
        off = (abs(measured[name] - path[-1]) for name, path in arm.paths.items() if name in measured)
        return max(off, default=0.0) <= self._settings.tolerance or now > arm.end + self._settings.settle

    def _point(self, now: float, measured: Mapping[str, float], twist: Twist) -> Point:
        lead, positions, speeds = self._settings.lead, {}, {}
        for name, goal in (self._arm.at(now + lead) if self._arm is not None else {}).items():
            top = self._robot.joints[name].velocity
            positions[name] = goal
            speeds[name] = float(np.clip(abs(goal - measured.get(name, goal)) / lead, _LEAST_SHARE * top, top))
        if self._gripper is not None:
            positions[APERTURE], speeds[APERTURE] = self._gripper, 0.0
        # One increment at a time is all the driver takes, and the way matters more than the heading.
        if abs(twist.vx) > _LEAST_DRIVE:
            positions[TRANSLATE], speeds[TRANSLATE] = twist.vx * lead, abs(twist.vx)
        elif abs(twist.wz) > _LEAST_TURN:
            positions[ROTATE], speeds[ROTATE] = twist.wz * lead, abs(twist.wz)
        return Point(positions, speeds)
