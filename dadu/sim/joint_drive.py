"""The arm's driver: follows joint trajectories within speed and acceleration limits, like a ros2_control controller.

A trajectory is interpolated by monotone cubics that start and end at rest; a set-point follows it with limited speed
and acceleration, so goals may be replaced at any moment without a jump, and asking for too much speed only costs time.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from dadu.errors import DaduError, choices
from dadu.robot import JointTrajectory, RobotDescription

_BRAKING = 0.8
"""share of the acceleration that braking plans with; the rest absorbs the time step"""


class InvalidTrajectory(DaduError):
    """A trajectory that names an unknown joint, leaves a joint's range or goes back in time."""


class JointDrive:
    """Set-points of all joints, in the order of `names`."""

    def __init__(self, robot: RobotDescription) -> None:
        self.names = tuple(robot.joints)
        self._limits = robot.joints
        limits = robot.joints.values()
        self._speed = np.array([limit.velocity for limit in limits])
        self._acceleration = np.array([limit.acceleration for limit in limits])
        self.reset({})

    def reset(self, positions: Mapping[str, float]) -> None:
        """At rest at `positions` [m or rad]; joints left out at zero."""
        self.position = np.array([positions.get(name, 0.0) for name in self.names])
        self.velocity = np.zeros(len(self.names))
        self._rest_at(self.position.copy(), 0.0)

    @property
    def goal(self) -> np.ndarray:
        """Where the current trajectory ends (n,)."""
        return self._points[-1]

    def finished(self, now: float) -> bool:
        """Whether the trajectory's time is over and the set-point has arrived."""
        return now >= self._times[-1] and bool(np.allclose(self.position, self.goal, atol=1e-3))

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
        times, points = [now], [self.position.copy()]
        for waypoint in trajectory.waypoints:
            values = dict(zip(self.names, points[-1] if len(points) > 1 else rest)) | dict(waypoint.positions)
            times.append(max(now + waypoint.time, times[-1] + 1e-6))
            points.append(np.array([values[name] for name in self.names]))
        self._times, self._points = np.array(times), np.array(points)
        self._last_turn = _last_turn(self._times, self._points)
        self._curve = CubicHermiteSpline(self._times, self._points, _slopes(self._times, self._points))

    def hold(self, now: float) -> None:
        """Brakes and stays."""
        self._rest_at(self._resting_point(), now)

    def step(self, measured: np.ndarray, slack: np.ndarray, now: float, dt: float) -> None:
        """Moves the set-point on by `dt` [s]. It never runs more than `slack` (n,) ahead of the `measured` positions,
        so that a joint that was blocked answers at once when it is told to turn back."""
        low, high = measured - slack, measured + slack
        if self._resting(now):
            self.position = np.minimum(np.maximum(self.position, low), high)
            return
        target, feed = self._sample(now)
        error = target - self.position
        braking = np.sqrt(2 * _BRAKING * self._acceleration * np.abs(error))
        closing = np.sign(error) * np.minimum(np.abs(error) / dt, braking)
        top = self._top_speed(now)
        wanted = np.clip(feed + closing, -top, top)
        change = self._acceleration * dt
        self.velocity = np.clip(wanted, self.velocity - change, self.velocity + change)
        self.position = np.clip(self.position + self.velocity * dt, low, high)

    def _resting(self, now: float) -> bool:
        """Whether the set-point stands where the trajectory ends, which is how most of the time is spent."""
        return bool(now >= self._times[-1] and not self.velocity.any() and (self.position == self.goal).all())

    def _top_speed(self, now: float) -> np.ndarray:
        """(n,): on the last stretch no more than can be braked before the goal."""
        braking = np.sqrt(2 * _BRAKING * self._acceleration * np.abs(self.goal - self.position))
        return np.where(now >= self._last_turn, np.minimum(self._speed, braking), self._speed)

    def _sample(self, now: float) -> tuple[np.ndarray, np.ndarray]:
        """Position and velocity (n,) of the trajectory."""
        if self._curve is None or not self._times[0] <= now < self._times[-1]:
            return self.goal if now >= self._times[-1] else self._points[0], np.zeros(len(self.names))
        return self._curve(now), self._curve(now, 1)

    def _rest_at(self, point: np.ndarray, now: float) -> None:
        self._times, self._points, self._curve = np.array([now]), point[None], None
        self._last_turn = np.full(len(self.names), now)

    def _resting_point(self) -> np.ndarray:
        """Where braking from the present velocity ends."""
        return self.position + np.sign(self.velocity) * self.velocity**2 / (2 * _BRAKING * self._acceleration)


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
