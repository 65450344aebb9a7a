"""What to ask of Stretch's own driver, which takes no trajectory as a whole, so that it does what skills ask.

A trajectory is handed on as single points that run a little ahead of it. stretch_ros2 is in one mode at a time: in
navigation mode it takes velocities and no points; in position mode it takes points for arm, gripper and base (the base
by increments), at most five a second, and no velocities. Skills move arm and base together: while an arm trajectory is
under way, the base's velocity becomes increments among its points; otherwise velocities pass as they are.
stretch4_ros2 takes both in navigation mode, beside each other (`Dialect.beside`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from pydantic import Field, PositiveFloat

from dadu.core.config import Settings
from dadu.core.robot import JointTrajectory, RobotDescription, Twist
from dadu.robots.drivers.stretch_dialects import DIALECTS, Dialect
from dadu.robots.set_points import APERTURE

TRANSLATE, ROTATE = "translate_mobile_base", "rotate_mobile_base"
"""the driver's increments of the base [m, rad]"""
_LEAST_SHARE = 0.1  # of a joint's top speed: a slower point would never end
_LEAST_TURN = 0.02  # [rad/s]
_LEAST_DRIVE = 0.003  # [m/s]
_HALT = 1e-4
"""an increment that replaces the one under way and so stops the base [m]; the driver fails over one of exactly zero"""
_HALT_SPEED = 0.05  # [m/s]
_REFUSES = 0.2
"""[s] after it took a point in which the driver refuses another, as long as that one is under way"""


class CommandSettings(Settings):
    period: float = Field(0.25, ge=_REFUSES)
    """between points [s]"""
    lead: PositiveFloat = 0.5
    """how far ahead of the plan a point lies [s]: longer than `period`, so that nothing stops in between"""
    watchdog: PositiveFloat = 0.5
    """a velocity older than this counts as none [s]"""
    tolerance: PositiveFloat = 0.02
    """a trajectory has arrived [m or rad]"""
    settle: PositiveFloat = 1.5
    """beyond its planned end a trajectory is given up [s]"""
    squeeze: float = Field(-0.06, le=0)
    """aperture that closing asks for, beyond closed [m]: how hard Stretch squeezes goes by it"""


class Mode(str, Enum):
    """Of the driver, as it names them."""

    NAVIGATION = "navigation"
    POSITION = "position"


@dataclass(frozen=True)
class Point:
    """A goal of one point for ``/stretch_controller/follow_joint_trajectory``."""

    positions: Mapping[str, float]
    """[m or rad]; `TRANSLATE` and `ROTATE` are increments; the gripper comes last"""
    speeds: Mapping[str, float]
    """[m/s or rad/s], of the same joints but the gripper, which keeps its own"""


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

    def __init__(self, robot: RobotDescription, settings: CommandSettings | None = None,
                 dialect: Dialect = DIALECTS["stretch_ros2"]) -> None:
        self._robot, self.settings, self._dialect = robot, settings or CommandSettings(), dialect
        self._arm: _Arm | None = None
        self._gripper: float | None = None
        self._squeezes = False
        self._rolling = False
        self._twist, self._heard = Twist(), -np.inf
        self._sent, self._answered = -np.inf, -np.inf

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
            self._arm = _Arm(now, np.array([0.0, self.settings.period]),
                             {name: np.array([value, value]) for name, value in here.items()})
            self._sent = -np.inf

    def stop(self, now: float, measured: Mapping[str, float]) -> None:
        """Everything stays where it is, the base, too, and the grip; the point under way is cancelled meanwhile."""
        self._twist, self._heard = Twist(), now
        self._gripper = None
        self._answered = -np.inf
        self.hold(now, measured)

    def forget(self) -> None:
        """Drops what was not handed over yet: the driver that it was meant for is gone."""
        self._twist, self._heard = Twist(), -np.inf
        self._arm, self._gripper, self._rolling = None, None, False

    def grip(self, aperture: float) -> None:
        """Fingers `aperture` [m] apart; at or below zero they squeeze."""
        self._squeezes = aperture <= 0.0
        self._gripper = self.settings.squeeze if self._squeezes else min(aperture, self._robot.aperture_max)

    @property
    def grips(self) -> bool:
        """True if the fingers have been told to squeeze, and not to open since."""
        return self._squeezes

    @property
    def gripper_waits(self) -> bool:
        """True if the newest command of the gripper has yet to reach the driver."""
        return self._gripper is not None

    def drive(self, twist: Twist, now: float) -> None:
        """The base's velocity from now on, until the next or until the watchdog."""
        self._twist, self._heard = twist, now

    def next(self, now: float, measured: Mapping[str, float]) -> DriverRequest:
        """What the driver is to do at time `now`, its joints being as `measured` [m or rad]."""
        twist = self._twist if now - self._heard <= self.settings.watchdog else Twist()
        if self._arm is not None and self._arrived(self._arm, now, measured):
            self._arm = None
        moves = twist != Twist()
        passed = twist if now - self._heard <= 2 * self.settings.watchdog else None
        goes = self._arm is not None or self._gripper is not None
        due = now >= max(self._sent + self.settings.period, self._answered + _REFUSES)
        if self._dialect.beside:
            point = self._point(now, measured, Twist()) if goes and due else None
            return DriverRequest(Mode.NAVIGATION if moves or goes else None, passed, point)
        if not goes and (moves or not self._rolling):
            self._rolling = False
            return DriverRequest(Mode.NAVIGATION if moves else None, passed)
        return DriverRequest(Mode.POSITION, point=self._point(now, measured, twist) if due else None)

    def handed(self, now: float) -> None:
        """The last request's point is on its way."""
        self._sent = now

    def answered(self, now: float) -> None:
        """The driver has said whether it takes the point. It did so before `now`; points that are counted from when
        they were sent come too close one after the other where one is long on its way and the next is not."""
        self._answered = now

    def taken(self, point: Point) -> None:
        """The driver has accepted it; one that it refuses is followed by another."""
        if point.positions.get(APERTURE) == self._gripper:
            self._gripper = None
        self._rolling = point.positions.get(TRANSLATE, _HALT) != _HALT or ROTATE in point.positions

    def refused(self, point: Point) -> None:
        """The driver had accepted it, and says now that it does not carry it out: the fingers are told again."""
        if self._gripper is None:
            self._gripper = point.positions.get(APERTURE)

    def _arrived(self, arm: _Arm, now: float, measured: Mapping[str, float]) -> bool:
        if now < arm.end or self._sent < arm.start:
            return False
        off = (abs(measured[name] - path[-1]) for name, path in arm.paths.items() if name in measured)
        return max(off, default=0.0) <= self.settings.tolerance or now > arm.end + self.settings.settle

    def _point(self, now: float, measured: Mapping[str, float], twist: Twist) -> Point:
        if self._dialect.beside and self._gripper is not None:  # whose goal must never be cancelled with an arm's
            return Point({APERTURE: self._gripper}, {})
        lead, positions, speeds = self.settings.lead, {}, {}
        for name, goal in (self._arm.at(now + lead) if self._arm is not None else {}).items():
            top = self._robot.joints[name].velocity
            positions[name] = goal
            speeds[name] = float(np.clip(abs(goal - measured.get(name, goal)) / lead, _LEAST_SHARE * top, top))
        # One increment at a time is all the driver takes, and the way matters more than the heading.
        if abs(twist.vx) > _LEAST_DRIVE:
            positions[TRANSLATE], speeds[TRANSLATE] = twist.vx * lead, abs(twist.vx)
        elif abs(twist.wz) > _LEAST_TURN:
            positions[ROTATE], speeds[ROTATE] = twist.wz * lead, abs(twist.wz)
        elif self._rolling:
            positions[TRANSLATE], speeds[TRANSLATE] = _HALT, _HALT_SPEED
        if self._gripper is not None:
            positions[APERTURE] = self._gripper
        return Point(positions, speeds)
