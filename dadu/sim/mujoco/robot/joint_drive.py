"""The arm's driver: follows joint trajectories within speed and acceleration limits, like a ros2_control controller.

A trajectory is interpolated by monotone cubics that start and end at rest; a set-point follows it with limited speed
and acceleration, so goals may be replaced at any moment without a jump, and asking for too much speed only costs time.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping, Sequence, Set

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from dadu.core.errors import DaduError, choices
from dadu.core.robot import JointTrajectory, RobotDescription

_BRAKING = 0.8
"""share of the acceleration that braking plans with; the rest absorbs the time step"""

_PUSHING = 1 / 3
"""share of the slack by which the set-point of a joint leads that gives more than half of its force"""


class InvalidTrajectory(DaduError):
    """A trajectory that names an unknown joint, leaves a joint's range or goes back in time."""


class JointDrive:
    """Set-points of all joints, in the order of `names`."""

    def __init__(self, robot: RobotDescription) -> None:
        self.names = tuple(robot.joints)
        self._limits = robot.joints
        self._speed = [limit.velocity for limit in robot.joints.values()]
        self._acceleration = [limit.acceleration for limit in robot.joints.values()]
        self._braking = [2 * _BRAKING * acceleration for acceleration in self._acceleration]
        self.reset({})

    def reset(self, positions: Mapping[str, float]) -> None:
        """At rest at `positions` [m or rad]; joints left out at zero."""
        self._at = [float(positions.get(name, 0.0)) for name in self.names]
        self._measured: Sequence[float] = list(self._at)
        self._slack: Sequence[float] = [math.inf] * len(self.names)
        self._rate = [0.0] * len(self.names)
        self._rest_at(self.position, 0.0)

    @property
    def position(self) -> np.ndarray:
        """The set-point (n,) [m or rad]."""
        return np.array(self._at)

    @property
    def velocity(self) -> np.ndarray:
        """Of the set-point (n,) [m/s or rad/s]."""
        return np.array(self._rate)

    @property
    def setpoints(self) -> tuple[Sequence[float], Sequence[float]]:
        """Position and velocity as plain numbers."""
        return self._at, self._rate

    @property
    def goal(self) -> np.ndarray:
        """Where the current trajectory ends (n,) [m or rad]."""
        return np.array(self._goal)

    @property
    def settled(self) -> bool:
        """True if every set-point has arrived for good."""
        return not self._moving

    def finished(self, now: float) -> bool:
        """True if the trajectory's time is over and the set-point has arrived."""
        return now >= self._end and bool(np.allclose(self.position, self.goal, atol=1e-3))

    def check(self, trajectory: JointTrajectory) -> None:
        """Errors: InvalidTrajectory with a sentence that names the joint and its range."""
        if not trajectory.waypoints:
            raise InvalidTrajectory("a trajectory needs at least one waypoint")
        times = [waypoint.time for waypoint in trajectory.waypoints]
        if times[0] < 0 or any(b <= a for a, b in zip(times, times[1:])):
            raise InvalidTrajectory("a trajectory's times must increase from 0")
        for waypoint in trajectory.waypoints:
            for name, value in waypoint.positions.items():
                if name not in self._limits:
                    raise InvalidTrajectory(f"unknown joint {name!r}; valid: {choices(self.names)}")
                limit = self._limits[name]
                if not limit.lower - 1e-3 <= value <= limit.upper + 1e-3:
                    raise InvalidTrajectory(f"{name} = {value:.3f} is outside {limit.lower:.2f} to {limit.upper:.2f}")

    def follow(self, trajectory: JointTrajectory, now: float) -> None:
        """Replaces the trajectory, starting at time `now` [s]; joints left out hold. Errors: InvalidTrajectory."""
        self.check(trajectory)
        rest = self._resting_point()
        times, way = [now], [self.position]
        for waypoint in trajectory.waypoints:
            values = dict(zip(self.names, way[-1] if len(way) > 1 else rest)) | dict(waypoint.positions)
            times.append(max(now + waypoint.time, times[-1] + 1e-6))
            way.append(np.array([values[name] for name in self.names]))
        knots, points = np.array(times), np.array(way)
        self._goal, self._end = points[-1].tolist(), float(knots[-1])
        self._moving = set(np.flatnonzero(np.any(points != points[0], axis=0) | (self.velocity != 0)).tolist())
        self._last_turn = _last_turn(knots, points).tolist()
        spline = CubicHermiteSpline(knots, points, _slopes(knots, points))
        self._knots, self._curve = knots.tolist(), spline.c.transpose(1, 2, 0).tolist()

    def hold(self, now: float) -> None:
        """Brakes and stays; a joint that pushes against something stays where it is, and pushes no more."""
        measured = np.array(self._measured)
        pushes = np.abs(self.position - measured) > _PUSHING * np.array(self._slack)
        self._rest_at(np.where(pushes, measured, self._resting_point()), now)

    def step(self, measured: Sequence[float], slack: Sequence[float], now: float, dt: float) -> Set[int]:
        """Moves the set-point on by `dt` [s] and returns which joints it may have changed for. It never runs more than
        `slack` (n,) ahead of the `measured` positions, so that a joint that was blocked answers at once when it is
        told to turn back.

        Plain numbers, and only of joints on their way: this runs a hundred times a second between two steps of the
        physics, and for so few joints arrays cost several times as much.
        """
        changed = self._moving.copy()
        self._measured, self._slack = measured, slack
        self._move(now, dt)
        for i, (at, m, s) in enumerate(zip(self._at, measured, slack)):
            if not m - s <= at <= m + s:
                self._at[i] = max(m - s, min(m + s, at))
                self._moving.add(i)
                changed.add(i)
        return changed

    def _move(self, now: float, dt: float) -> None:
        """The next velocity and position of the set-points that have not arrived."""
        for i in tuple(self._moving):
            target, feed = self._sample(i, now)
            at, rate = self._at[i], self._rate[i]
            error = target - at
            # On the last stretch no faster than can be braked before the goal.
            top = self._speed[i]
            if now >= self._last_turn[i]:
                top = min(top, math.sqrt(self._braking[i] * abs(self._goal[i] - at)))
            closing = math.copysign(min(abs(error) / dt, math.sqrt(self._braking[i] * abs(error))), error)
            wanted = max(-top, min(top, feed + closing))
            change = self._acceleration[i] * dt
            self._rate[i] = rate = max(rate - change, min(rate + change, wanted))
            self._at[i] = at = at + rate * dt
            if now >= self._end and rate == 0.0 and at == self._goal[i]:
                self._moving.remove(i)

    def _sample(self, i: int, now: float) -> tuple[float, float]:
        """Position and velocity of a joint on the trajectory."""
        if now >= self._end:
            return self._goal[i], 0.0
        piece = bisect.bisect_right(self._knots, now) - 1
        s = now - self._knots[piece]
        a, b, c, d = self._curve[piece][i]
        return d + c * s + b * (s * s) + a * (s * s * s), c + b * s * 2.0 + a * (s * s) * 3.0

    def _rest_at(self, point: np.ndarray, now: float) -> None:
        self._end, self._goal = now, point.tolist()
        self._last_turn = [now] * len(self.names)
        self._moving = set(range(len(self.names)))

    def _resting_point(self) -> np.ndarray:
        """Where braking from the present velocity ends."""
        return self.position + np.sign(self.velocity) * self.velocity**2 / np.array(self._braking)


def _slopes(times: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Velocities (k, n) at the waypoints that keep cubics from overshooting (Fritsch and Butland 1984); 0 at both ends
    and wherever a joint turns back."""
    step = np.diff(times)[:, None]
    secant = np.diff(points, axis=0) / step
    before, after, h0, h1 = secant[:-1], secant[1:], step[:-1], step[1:]
    same = before * after > 0
    w0, w1 = 2 * h1 + h0, h1 + 2 * h0
    slopes = np.zeros_like(points)
    np.divide((w0 + w1) * before * after, w0 * after + w1 * before, out=slopes[1:-1], where=same)
    return slopes


def _last_turn(times: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n,) [s]: from when on each joint moves one way only."""
    step = np.diff(points, axis=0)
    last = np.zeros(points.shape[1])
    for row in step:
        last = np.where(np.abs(row) > 1e-9, np.sign(row), last)
    return np.where(step * last < 0, times[1:, None], times[0]).max(axis=0)
