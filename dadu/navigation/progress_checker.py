"""Tells a drive that gets nowhere, as Nav2's SimpleProgressChecker tells it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation

MOVED = 0.1
"""what counts as progress [m]"""
PATIENCE = 15.0
"""without any [s]: it may take half of that to turn about"""


@dataclass
class ProgressChecker:
    """Of one drive."""

    _pose: Pose2 | None = None
    _since: float = 0.0

    def stalled(self, observation: Observation) -> bool:
        """True if the base has been at one place for too long."""
        pose, last = observation.base_pose, self._pose
        if last is None or math.dist(pose[:2], last[:2]) > MOVED:
            self._pose, self._since = pose, observation.stamp
        return observation.stamp > self._since + PATIENCE
