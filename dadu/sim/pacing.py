"""How fast simulated time passes: at a set factor, or as fast as all who listen can follow."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

from pydantic import Field, PositiveFloat

from dadu.core.config import Settings
from dadu.sim.time_sync import TimeSyncBacklog, WorkReport

_BACKLOG = 0.25
"""wall seconds of delay that are caught up; more is forgotten"""
_HICCUP = 0.02
"""wall seconds that time may stand still before it is to pass more slowly"""
_STALE = 30.0
"""a lag beyond this [s] is another clock, not a slow listener"""

_LOOK = 0.003
"""wall seconds between two looks at what was heard while the clock stands still"""
_SLOWEST = 0.5
"""with rtf 0, never held back below this"""


class PacingSettings(Settings):
    """Real-time factor: simulated seconds per wall second."""

    rtf: float = Field(1.0, ge=0)
    """0: as fast as the listeners can follow"""
    rtf_max: PositiveFloat = 6.0
    """with rtf 0, never faster than this"""
    lag: PositiveFloat = 0.2
    """with rtf 0: how far the listeners' clocks may be behind [s of simulated time]"""


class Pacer:
    """Says how long to sleep between steps. With ``rtf: 0`` it speeds up slowly while reported lags are small, and
    backs off at once when one is large (additive increase, multiplicative decrease, as in TCP)."""

    def __init__(self, settings: PacingSettings) -> None:
        self._settings = settings
        self.target = settings.rtf or min(2.0, settings.rtf_max)
        self.measured = 0.0
        """simulated over wall time, over about the last second"""
        self._due = self._mark_wall = time.monotonic()
        self._sim = self._mark_sim = 0.0

    def start(self, sim_time: float) -> None:
        """Counts from here, at time `sim_time` [s]."""
        self._due = self._mark_wall = time.monotonic()
        self._sim = self._mark_sim = sim_time

    def set_factor(self, rtf: float) -> None:
        """From now on another factor than the settings'; 0 as there. Any thread may ask for it."""
        self._settings = self._settings.model_copy(update={"rtf": rtf})
        self.target = rtf or min(2.0, self._settings.rtf_max)

    def report(self, lag: float) -> None:
        """A listener's clock was `lag` [s] behind the simulation's."""
        if self._settings.rtf > 0 or not 0 <= lag < _STALE:
            return
        if lag > self._settings.lag:
            self.target = max(_SLOWEST, 0.85 * self.target)
        else:
            self.target = min(self._settings.rtf_max, self.target + 0.05)

    def stood(self, seconds: float) -> None:
        """Time stood still for `seconds` [s, wall] because somebody was behind: that is not caught up."""
        self._due += seconds
        if seconds > _HICCUP:
            self.report(2 * self._settings.lag)

    def ahead(self, sim_time: float) -> float:
        """Wall seconds until `sim_time` [s] is due, 0 or less where it is."""
        now = time.monotonic()
        self._due = max(self._due + (sim_time - self._sim) / self.target, now - _BACKLOG)
        self._sim = sim_time
        if now - self._mark_wall >= 1.0:
            self.measured = (sim_time - self._mark_sim) / (now - self._mark_wall)
            self._mark_wall, self._mark_sim = now, sim_time
        return self._due - now


class Brake:
    """Used by the thread that steps a simulation, before every step."""

    def __init__(self, backlog: TimeSyncBacklog, reports: Callable[[], Iterable[WorkReport]]) -> None:
        """`reports`: what nodes have said since it was called last."""
        self.backlog, self._reports = backlog, reports
        self.held = 0.0
        """wall seconds that the clock stood still, in all"""
        self._written_off: tuple[str, ...] = ()

    def take_written_off(self) -> tuple[str, ...]:
        """The nodes that the clock went on without since this was asked last."""
        taken, self._written_off = self._written_off, ()
        return taken

    def listen(self) -> None:
        """Takes in what nodes have said since."""
        for report in self._reports():
            self.backlog.hear(report)

    def wait(self, time_next: float, stop: threading.Event) -> float:
        """Returns once the clock may go to `time_next` [s], or `stop` is set: the wall seconds that it stood still."""
        begun = now = time.monotonic()
        while not stop.is_set():
            self.listen()
            if time_next <= self.backlog.limit():
                break
            if now - begun > self.backlog.settings.patience:
                self._written_off = self.backlog.write_off(time_next)
                break
            stop.wait(_LOOK)
            now = time.monotonic()
        self.held += now - begun
        return now - begun
