"""Where along its plan the arm really is: drivers start late and are held up, and the base must go with the arm."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dadu.robots.timing import TimedPath

_STEP = 0.02  # resolution of the plan time [s]
_AHEAD = 0.6  # farthest the plan time advances in one tick, beside the tick's own length [s]
_TRAVEL = 0.03  # joints that move less say nothing: what they carry makes them sag a few millimetres [m or rad]
_FAR_OFF = 0.05  # share of the way that it goes, from which a joint counts as held by something
_FLAT = 2e-4  # a plan that moves less than this over the ticks in question says nothing [m or rad]


class Pace:
    """Follows the plan time that the joints' positions show. It never runs back, nor ahead of the clock."""

    def __init__(self, path: TimedPath) -> None:
        self._path = path
        self._telling = [name for name in path.moving if np.ptp(path.joints[name]) > _TRAVEL]
        self._t = 0.0
        self._delay = 0.0
        self._elapsed = 0.0

    def at(self, joints: Mapping[str, float], elapsed: float) -> float:
        """Plan time [s] at `elapsed` [s] since the plan was sent, from the joints' positions [m or rad]."""
        since, self._elapsed = elapsed - self._elapsed, elapsed
        candidates = np.arange(self._t, min(elapsed, self._t + _AHEAD + since) + _STEP / 2, _STEP)
        planned = [(np.interp(candidates, self._path.times, self._path.joints[name]), name)
                   for name in self._telling if name in joints]
        if len(candidates) > 1 and any(np.ptp(values) > _FLAT for values, _ in planned):
            misfit = np.sum([self._misfit(values - joints[name], name) for values, name in planned], axis=0)
            # Of equal ones the latest: a joint that rests at a turn of the path must not hold up the rest.
            self._t = float(candidates[len(misfit) - 1 - int(np.argmin(misfit[::-1]))])
            self._delay = elapsed - self._t
        else:
            self._t = max(self._t, min(elapsed, elapsed - self._delay))
        return self._t

    def _misfit(self, off: np.ndarray, name: str) -> np.ndarray:
        """(N,), unitless, from how far `off` the plan a joint is at N times [m or rad]. What is far off is held by
        something, and has little say: a wrist that a door does not let turn must not keep the base from moving."""
        share = np.square(off / (_FAR_OFF * np.ptp(self._path.joints[name])))
        return np.asarray(share / (1.0 + share))
