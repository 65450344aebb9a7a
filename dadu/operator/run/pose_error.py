"""How far the robot is from where it takes itself to be."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from dadu.core.config import Settings
from dadu.core.geometry import Pose2, wrap

_CURRENT = 1.0
"""a correction stands for so long after the next should have come [s]"""
_GAP = 0.2
"""between two odometry messages, beyond which others were lost that said what happened meanwhile [s]"""


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


class BelievedPath:
    """Poses of base_link in the robot's map over time."""

    def __init__(self, odometry: np.ndarray, corrections: np.ndarray) -> None:
        """float64 (N, 4) and (M, 4), in the order of time: stamp [s], x, y [m], yaw [rad], of base_link in odom and of
        odom in map."""
        self._odometry, self._corrections = odometry, corrections
        self._headings = np.unwrap(odometry[:, 3]) if len(odometry) else np.zeros(0)

    @classmethod
    def unknown(cls) -> BelievedPath:
        """Of a robot that has told neither."""
        return cls(np.zeros((0, 4)), np.zeros((0, 4)))

    def at(self, stamp: float) -> Pose2 | None:
        """At a time [s]; None where it is not known."""
        then = int(np.searchsorted(self._corrections[:, 0], stamp, side="right")) - 1
        times = self._odometry[:, 0]
        if then < 0 or len(times) < 2 or not times[0] <= stamp <= times[-1]:
            return None
        after = max(1, int(np.searchsorted(times, stamp)))
        if stamp - self._corrections[then, 0] > _CURRENT or times[after] - times[after - 1] > _GAP:
            return None
        x, y = (float(np.interp(stamp, times, self._odometry[:, i])) for i in (1, 2))
        yaw = float(np.interp(stamp, times, self._headings))
        return Pose2(*map(float, self._corrections[then, 1:])) * Pose2(x, y, yaw)
