"""Stops a simulated clock for nodes that are behind with their work, each for a while and none for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

from dadu.sim.time_sync import TimeSyncBacklog, WorkReport

_LOOK = 0.003
"""wall seconds between two looks at what was heard while the clock stands still"""


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

    def wait(self, time_next: float, stop: threading.Event) -> float:
        """Returns once the clock may go to `time_next` [s], or `stop` is set: the wall seconds that it stood still."""
        begun = now = time.monotonic()
        while not stop.is_set():
            for report in self._reports():
                self.backlog.hear(report)
            if time_next <= self.backlog.limit():
                break
            if now - begun > self.backlog.settings.patience:
                self._written_off = self.backlog.write_off(time_next)
                break
            stop.wait(_LOOK)
            now = time.monotonic()
        self.held += now - begun
        return now - begun
