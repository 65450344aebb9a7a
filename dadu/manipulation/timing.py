"""When a path through postures is where: joint and base limits in, a timed path out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dadu.manipulation.kinematics import Posture
from dadu.manipulation.settings import MotionSettings
from dadu.robot import JointTrajectory, RobotDescription, Waypoint


@dataclass(frozen=True)
class TimedPath:
    """A path with times: what the joints are sent at once, and what the base is led along tick by tick."""

    times: np.ndarray
    """(N,) [s], from 0"""
    joints: dict[str, np.ndarray]
    """(N,) by joint name"""
    drives: np.ndarray
    """(N,) base displacement along its x [m]"""
    goal: Posture

    @cached_property
    def moving(self) -> tuple[str, ...]:
        """The joints that move."""
        return tuple(name for name, values in self.joints.items() if np.ptp(values) > 1e-6)

    @property
    def duration(self) -> float:
        return float(self.times[-1])

    @property
    def trajectory(self) -> JointTrajectory:
        """Joints that do not move are left out: they hold."""
        return JointTrajectory(tuple(
            Waypoint(float(t), {name: float(self.joints[name][i]) for name in self.moving})
            for i, t in enumerate(self.times) if i > 0) if self.moving else ())

    def joints_at(self, t: float) -> dict[str, float]:
        return {name: float(np.interp(t, self.times, values)) for name, values in self.joints.items()}

    def drive_at(self, t: float) -> tuple[float, float]:
        """Displacement [m] and speed [m/s] of the base at time `t` [s]."""
        h = 0.02
        here = float(np.interp(t, self.times, self.drives))
        return here, (float(np.interp(t + h, self.times, self.drives)) - here) / h


def time_path(robot: RobotDescription, path: Sequence[Posture], settings: MotionSettings,
              least: float = 0.0) -> TimedPath:
    """Times for `path`, at rest at both ends, within speed and acceleration limits; at least `least` [s] long.

    The path is followed as given; speed rises and falls along it as one trapezoid. Joints are those of the first
    posture.
    """
    names = list(path[0].joints)
    table = np.array([[p.joints[name] for name in names] + [p.drive] for p in path])
    limits = [robot.joints[name] for name in names]
    speed = np.array([limit.velocity * settings.speed for limit in limits] + [settings.drive_speed])
    acceleration = np.array([limit.acceleration * settings.speed for limit in limits] + [settings.drive_acceleration])

    steps = np.abs(np.diff(table, axis=0)) / speed
    nominal = np.concatenate([[0.0], np.cumsum(steps.max(axis=1))])
    total = float(nominal[-1])
    used = np.ptp(table, axis=0) > 1e-6
    ramp = float((speed[used] / acceleration[used]).max()) if used.any() else 0.0
    times, progress = _trapezoid(total, ramp, settings.sample)
    if 0 < times[-1] < least:
        times = times * (least / times[-1])
    columns = [np.interp(progress, nominal, column) for column in table.T]
    return TimedPath(times, dict(zip(names, columns[:-1], strict=True)), columns[-1], path[-1])


def _trapezoid(total: float, ramp: float, sample: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and progress (both (N,)) for `total` seconds' worth of way at full speed, reached in `ramp` [s]."""
    if total <= 1e-9:
        return np.array([0.0]), np.array([0.0])
    ramp = max(ramp, 1e-3)
    if total >= ramp:
        top, cruise = 1.0, total - ramp
    else:
        top, cruise = float(np.sqrt(total / ramp)), 0.0
    up = top * ramp
    duration = 2 * up + cruise
    times = np.linspace(0.0, duration, max(2, int(np.ceil(duration / sample)) + 1))
    rising = 0.5 * times**2 / ramp
    level = 0.5 * up * top + top * (times - up)
    falling = total - 0.5 * (duration - times)**2 / ramp
    progress = np.where(times < up, rising, np.where(times <= duration - up, level, falling))
    return times, np.clip(progress, 0.0, total)
