"""How far the robot has driven."""

from __future__ import annotations

import math

from dadu.core.geometry import Pose2

_JITTER = 0.02
"""[m] below which a change of position is noise"""


class Odometer:
    """Adds up the way between poses [m]."""

    def __init__(self) -> None:
        self.length = 0.0
        self._last: Pose2 | None = None

    def at(self, pose: Pose2) -> None:
        if self._last is None:
            self._last = pose
        step = math.hypot(pose.x - self._last.x, pose.y - self._last.y)
        if step > _JITTER:
            self.length += step
            self._last = pose
