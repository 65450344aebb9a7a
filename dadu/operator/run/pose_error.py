"""How far the robot is from where it takes itself to be."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from dadu.core.config import Settings
from dadu.core.geometry import Pose2, wrap


class PoseError(Settings):
    """Over an episode: metres and radians."""

    mean: float
    max: float
    mean_yaw: float
    max_yaw: float


@dataclass
class PoseErrors:
    """Collects them while an episode runs."""

    mapped: bool
    """whether the robot was given a map: else its frame counts from where it started, and is laid over the true one
    there"""
    _frame: Pose2 | None = None
    _found: list[tuple[float, float]] = field(default_factory=list)

    def add(self, believed: Pose2, true: Pose2) -> None:
        """base_link in the robot's map, and in the true one, at one moment."""
        if self._frame is None:
            self._frame = Pose2(0.0, 0.0, 0.0) if self.mapped else true * believed.inverse()
        here = self._frame * believed
        self._found.append((math.dist(here[:2], true[:2]), abs(wrap(here.yaw - true.yaw))))

    def result(self) -> PoseError | None:
        """None where no pose was believed."""
        if not self._found:
            return None
        metres, radians = zip(*self._found)
        count = len(self._found)
        return PoseError(mean=round(sum(metres) / count, 4), max=round(max(metres), 4),
                         mean_yaw=round(sum(radians) / count, 4), max_yaw=round(max(radians), 4))
