"""Who has the base: autonomy, a person at the controls, or nobody (emergency stop).

A pure state machine, so that every path through it is tested without ROS. Times are seconds on a steady clock: a
person's silence counts in wall time, whatever the simulation's speed.
"""

from __future__ import annotations

import math
from dataclasses import astuple
from enum import IntEnum

from pydantic import Field, PositiveFloat

from dadu.core.config import Settings
from dadu.core.robot import Twist


class Authority(IntEnum):
    """Values as in ``dadu_interfaces/msg/OperatorState``."""

    AUTONOMY = 0
    TELEOP = 1
    STOPPED = 2


class ArbiterSettings(Settings):
    """Times and limits of the arbiter."""

    hold: PositiveFloat = 2.0
    """silence after which a person at the controls gives the base back [s]"""
    command_timeout: PositiveFloat = 0.5
    """age at which a teleop command no longer moves the base [s]"""
    speed: float = Field(1.0, gt=0, le=1)
    """share of the robot's top speeds that is let through, whoever drives"""


class Arbiter:
    """Decides which twist reaches the base. Emergency stop beats teleop, teleop beats autonomy."""

    def __init__(self, limits: Twist, settings: ArbiterSettings | None = None, stopped: bool = False) -> None:
        """`limits`: top speeds, 0 in which ways the base does not move. `stopped` restores an
        emergency stop that was pressed before a restart."""
        self._limits = limits
        self.settings = settings or ArbiterSettings()
        """may be replaced at any time"""
        self._last_teleop = -math.inf
        self.state = Authority.STOPPED if stopped else Authority.AUTONOMY
        self.reason = "emergency stop, kept over a restart" if stopped else "start"

    def autonomy(self, twist: Twist) -> Twist | None:
        """The twist to forward, or None where autonomy does not have the base."""
        return self.limit(twist) if self.state is Authority.AUTONOMY else None

    def teleop(self, twist: Twist, now: float) -> Twist:
        """A person's command takes the base at once, unless the emergency stop is pressed."""
        if self.state is Authority.STOPPED:
            return Twist()
        self._last_teleop = now
        self._enter(Authority.TELEOP, "a person drives")
        return self.limit(twist)

    def release(self) -> None:
        """The person hands the base back."""
        if self.state is Authority.TELEOP:
            self._enter(Authority.AUTONOMY, "released by the operator")

    def stop(self, pressed: bool) -> None:
        """Emergency stop: latches when pressed; only a release (False) ends it."""
        if pressed:
            self._enter(Authority.STOPPED, "emergency stop")
        elif self.state is Authority.STOPPED:
            self._enter(Authority.AUTONOMY, "emergency stop released")

    def tick(self, now: float) -> Twist | None:
        """To be called regularly: hands the base back after silence; a twist to force (zero), or None."""
        if self.state is Authority.STOPPED:
            return Twist()
        if self.state is Authority.TELEOP:
            silence = now - self._last_teleop
            if silence >= self.settings.hold:
                self._enter(Authority.AUTONOMY, f"no teleop command for {self.settings.hold:g} s")
                return Twist()
            if silence >= self.settings.command_timeout:
                return Twist()
        return None

    def limit(self, twist: Twist) -> Twist:
        """Scaled down as a whole, so that a curve keeps its radius; zero where it is not finite."""
        if not all(map(math.isfinite, (twist.vx, twist.vy, twist.wz))):
            return Twist()
        share, top = self.settings.speed, self._limits
        able = Twist(*(wanted if most > 0 else 0.0 for wanted, most in zip(astuple(twist), astuple(top), strict=True)))
        excess = max([1.0, *(abs(wanted) / (most * share) for wanted, most in
                             zip(astuple(able), astuple(top), strict=True) if most > 0)])
        return Twist(vx=able.vx / excess, wz=able.wz / excess, vy=able.vy / excess)

    def _enter(self, state: Authority, reason: str) -> None:
        if state is not self.state:
            self.state, self.reason = state, reason
