"""Simulated time against wall time, from the ``/clock`` of a recording."""

from __future__ import annotations

import numpy as np


class ClockMap:
    """Piecewise linear; where there was no ``/clock`` (a real robot), both are the same."""

    def __init__(self, wall: list[float], simulated: list[float]) -> None:
        """Samples in the order of reception [s]; of a clock that was set back only what follows counts."""
        start = 1 + max((i for i in range(len(simulated) - 1) if simulated[i + 1] < simulated[i]), default=-1)
        self._wall, self._simulated = np.array(wall[start:]), np.array(simulated[start:])

    def wall(self, simulated: float) -> float:
        """[s]"""
        return float(np.interp(simulated, self._simulated, self._wall)) if len(self._wall) else simulated

    def speed(self) -> float:
        """Simulated over wall time, over the whole."""
        if len(self._wall) < 2 or self._wall[-1] == self._wall[0]:
            return 1.0
        return float((self._simulated[-1] - self._simulated[0]) / (self._wall[-1] - self._wall[0]))
