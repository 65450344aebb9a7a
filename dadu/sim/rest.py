"""Tells a world in which nothing happens, so that nobody has to be told again and again that nothing does."""

from __future__ import annotations

import mujoco
import numpy as np

STILL = 2e-5
"""by which nothing moves that stands [m, or rad]: less than any sensor tells, and a fiftieth of a pixel's width at the
focal length of 640x480"""
_SETTLED = 1.0
"""[s] without any movement or work after which a world rests"""


class Rest:
    """Asked after every step of a simulation."""

    def __init__(self) -> None:
        self._places = np.zeros(0)
        self._since = 0.0

    def resting(self, data: mujoco.MjData, busy: bool) -> bool:
        """True if for a while nothing has moved, and nobody was at work (`busy`)."""
        places = np.concatenate((data.qpos, data.mocap_pos.ravel(), data.mocap_quat.ravel()))
        moved = len(places) != len(self._places) or np.abs(places - self._places).max(initial=0.0) > STILL
        if moved:
            self._places = places
        if moved or busy or data.time < self._since:
            self._since = data.time
        return bool(data.time - self._since > _SETTLED)
