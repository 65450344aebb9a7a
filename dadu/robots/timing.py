"""When a path through postures is where: joint and base limits in, a timed path out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dadu.core.robot import JointTrajectory, RobotDescription, Waypoint
from dadu.robots.kinematics import Posture
from dadu.robots.manipulator_settings import MotionSettings

CUT = 0.03
"""by which a joint may run past a corner of the path before it has changed its velocity [rad or m]: half of what counts
as a stall"""
FINE = 0.02
"""resolution of the speed profile [s]"""
_LEAST = 1e-3  # less is no motion [m or rad]
_DRIVE_ACCELERATION = 0.3
"""of the base as a joint of the arm [m/s^2]"""


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

    The path is followed as given; speed rises and falls along it, and falls towards postures where joints turn back
    or set off: an arm of turning joints that overshoots there leaves the path. Joints are those of the first posture.
    """
    names = list(path[0].joints)
    table = np.array([[p.joints[name] for name in names] + [p.drive] for p in path])
    limits = [robot.joints[name] for name in names]
    speed = np.array([limit.velocity * settings.speed for limit in limits] + [settings.drive_speed])
    acceleration = np.array([limit.acceleration * settings.speed for limit in limits] + [_DRIVE_ACCELERATION])

    steps = np.abs(np.diff(table, axis=0)) / speed
    nominal = np.concatenate([[0.0], np.cumsum(steps.max(axis=1))])
    used = np.ptp(table, axis=0) > 1e-6
    ramp = float((speed[used] / acceleration[used]).max()) if used.any() else 0.0
    if nominal[-1] > 0:
        nominal *= max(1.0, (least - ramp) / nominal[-1])  # slow all along, rather than only where it has to be
    times, progress = _profile(nominal, _corners(table[:, :-1], nominal, acceleration[:-1]), ramp, settings.sample)
    if 0 < times[-1] < least:
        times = times * (least / times[-1])
    columns = [np.interp(progress, nominal, column) for column in table.T]
    return TimedPath(times, dict(zip(names, columns[:-1], strict=True)), columns[-1], path[-1])


def one_by_one(robot: RobotDescription, joints: Mapping[str, float], goals: Mapping[str, float],
               settings: MotionSettings) -> JointTrajectory | None:
    """From where `joints` are [m or rad] to `goals`, each in the time that it takes alone: what is quick is there while
    the rest still moves. None where there is nothing to move."""
    ways = {name: time_path(robot, [Posture({name: joints[name]}), Posture({name: goal})], settings)
            for name, goal in goals.items() if name in joints and abs(goal - joints[name]) > _LEAST}
    times = sorted({float(t) for way in ways.values() for t in way.times if t > 0})
    waypoints = [Waypoint(t, {name: way.joints_at(t)[name] for name, way in ways.items()}) for t in times]
    return JointTrajectory(tuple(waypoints)) if waypoints else None


def _corners(table: np.ndarray, nominal: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    """(N,): the greatest share of full speed at each posture of `table` (N, joints) that is reached at `nominal` (N,)
    [s] at full speed, so that no joint has to change its velocity faster than it can along a curve, or runs past a
    corner by more than `CUT`; 0 at both ends."""
    share, kept = np.ones(len(nominal)), np.flatnonzero(np.diff(nominal, prepend=-1.0) > 1e-9)
    spans = np.diff(nominal[kept])[:, None]
    change = np.maximum(np.abs(np.diff(np.diff(table[kept], axis=0) / spans, axis=0)), 1e-9)
    curve = np.sqrt(acceleration * (spans[:-1] + spans[1:]) / 2 / change)
    corner = np.sqrt(2 * acceleration * CUT) / change
    share[kept[1:-1]] = np.minimum(1.0, np.minimum(curve, corner).min(axis=1))
    share[[0, -1]] = 0.0
    return share


def _profile(nominal: np.ndarray, top: np.ndarray, ramp: float, sample: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and progress (both (M,)) along `nominal` (N,) seconds' worth of way at full speed, at most `top` (N,) of it
    at those points; full speed is reached in `ramp` [s]."""
    total = float(nominal[-1])
    if total <= 1e-9:
        return np.array([0.0]), np.array([0.0])
    way = np.unique(np.concatenate([nominal, np.linspace(0.0, total, max(20, int(np.ceil(total / FINE))) + 1)]))
    square, step = np.ones(len(way)), np.diff(way)
    np.minimum.at(square, np.searchsorted(way, nominal), top**2)
    for i in range(1, len(way)):
        square[i] = min(square[i], square[i - 1] + 2 * step[i - 1] / max(ramp, 1e-3))
    for i in reversed(range(len(way) - 1)):
        square[i] = min(square[i], square[i + 1] + 2 * step[i] / max(ramp, 1e-3))
    speed = np.sqrt(square)
    reached = np.concatenate([[0.0], np.cumsum(2 * step / (speed[:-1] + speed[1:]))])
    times = np.linspace(0.0, reached[-1], max(2, int(np.ceil(reached[-1] / sample)) + 1))
    at = np.clip(np.searchsorted(reached, times, "right") - 1, 0, len(step) - 1)
    since = times - reached[at]
    progress = way[at] + speed[at] * since + np.diff(square)[at] / (4 * step[at]) * since**2
    return times, np.clip(progress, 0.0, total)
