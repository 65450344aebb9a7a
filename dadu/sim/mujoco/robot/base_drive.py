"""The base's driver: limits speed and acceleration, and stops when nobody speaks to it."""

from __future__ import annotations

from dadu.core.robot import RobotDescription, Twist


class BaseDrive:
    """From commanded twists to the twist that the wheels follow now."""

    def __init__(self, robot: RobotDescription, watchdog: float) -> None:
        """`watchdog` [s]: silence after which the base brakes."""
        self._speed, self._acceleration, self._watchdog = robot.max_speed, robot.max_acceleration, watchdog
        self.reset()

    def reset(self) -> None:
        """At rest, nothing commanded."""
        self.twist = Twist()
        self._goal = Twist()
        self._heard = -1e9

    def command(self, twist: Twist, now: float) -> None:
        """Takes a new goal velocity at time `now` [s]."""
        self._goal, self._heard = twist, now

    def step(self, now: float, dt: float) -> Twist:
        """The velocity in base_link for the next `dt` [s]."""
        goal = self._goal if now - self._heard <= self._watchdog else Twist()
        twist, top, change = self.twist, self._speed, self._acceleration
        if twist != goal:
            self.twist = Twist(_approach(twist.vx, goal.vx, top.vx, change.vx * dt),
                               _approach(twist.wz, goal.wz, top.wz, change.wz * dt),
                               _approach(twist.vy, goal.vy, top.vy, change.vy * dt))
        return self.twist


def _approach(value: float, goal: float, limit: float, step: float) -> float:
    goal = max(-limit, min(limit, goal))
    return value + max(-step, min(step, goal - value))
