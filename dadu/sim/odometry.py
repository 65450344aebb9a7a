"""Wheel odometry: the true motion with a scale error and noise, so that it drifts as a real one does."""

from __future__ import annotations

import math

import numpy as np
from pydantic import Field

from dadu.core.config import Settings
from dadu.core.geometry import Pose2, wrap

_JUMP = 0.3
"""more than this between two samples is no motion of wheels but somebody's hand [m]"""


class OdometrySettings(Settings):
    """Errors of the wheels."""

    scale: float = Field(0.005, ge=0)
    """standard deviation of the constant relative error of distances and of turns, drawn once"""
    noise: float = Field(0.005, ge=0)
    """standard deviation of position over one metre [m] and of heading over one metre or radian [rad]"""


class Odometry:
    """Integrates true poses into a pose in odom, which starts at the origin."""

    def __init__(self, settings: OdometrySettings, seed: int) -> None:
        self._settings = settings
        self._rng = np.random.default_rng(max(0, seed))
        self._scale = 1 + self._rng.normal(0.0, settings.scale, 2)
        self.pose = Pose2(0.0, 0.0, 0.0)
        self._last: Pose2 | None = None

    def update(self, true_pose: Pose2) -> Pose2:
        """T_odom_base after moving to `true_pose` (map). A jump is passed on unchanged: odom stays put in map."""
        if self._last is None:
            self._last = true_pose
        step = self._last.inverse() * true_pose
        self._last = true_pose
        distance = math.hypot(step.x, step.y)
        if distance < _JUMP:
            step = self._disturbed(step, distance)
        self.pose = self.pose * step
        return self.pose

    def state(self) -> np.ndarray:
        """(6,) for a checkpoint: x, y [m], yaw [rad] of the pose in odom and of the last true pose."""
        return np.array([*self.pose, *(self._last or self.pose)])

    def restore(self, state: np.ndarray) -> None:
        """Goes on from `state`."""
        self.pose, self._last = Pose2(*map(float, state[:3])), Pose2(*map(float, state[3:]))

    def _disturbed(self, step: Pose2, distance: float) -> Pose2:
        turn = abs(step.yaw)
        if distance < 1e-6 and turn < 1e-6:
            return step
        along, heading = self._rng.normal(0.0, self._settings.noise, 2) * np.sqrt((distance, distance + turn))
        share = along / distance if distance > 1e-6 else 0.0
        scale = self._scale[0] + share
        return Pose2(step.x * scale, step.y * scale, wrap(step.yaw * self._scale[1] + heading))
