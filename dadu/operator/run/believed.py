"""Where a recorded robot took itself to be: its odometry, and the corrections that its localisation told."""

from __future__ import annotations

import numpy as np

from dadu.core.geometry import Pose2

_CURRENT = 1.0
"""a correction stands for so long after the next should have come [s]"""
_GAP = 0.2
"""between two odometry messages, beyond which others were lost that said what happened meanwhile [s]"""


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
