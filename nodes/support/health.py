"""What a node reports of itself on ``/diagnostics``, once a second: processor time, memory, and named timings."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.listening.events import tell_events
from dadu_nodes.support.listening.peer_monitor import PeerMonitor, watched_over
from dadu_nodes.support.sim_clock import SimClock
from dadu_nodes.support.wall import STEADY
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node

_EARLY_REPORTS, _EARLY_PERIOD = 5, 0.2
"""how many come sooner, [s] apart: somebody waits for the first"""


@dataclass
class _Check:
    """Something that may be wrong."""

    level: bytes
    complaint: Callable[[], str]
    patience: float
    """[s]"""
    since: float | None = None
    """when it was found wrong first, as it has been ever since [s]"""

    def told(self, now: float) -> str:
        """The sentence, once it has been wrong for long enough."""
        sentence = self.complaint()
        if not sentence:
            self.since = None
            return ""
        self.since = now if self.since is None else self.since
        return sentence if now - self.since >= self.patience else ""


class Health:
    """Collects counters and timings and publishes them in wall time, also while a simulated clock stands still."""

    def __init__(self, node: Node, clock: SimClock | None = None, period: float = 1.0) -> None:
        """`clock`: the node's, where that may trail; stamps are by its newest message."""
        self._node, self._clock = node, clock
        self._process = psutil.Process()
        self._publisher = node.create_publisher(DiagnosticArray, "diagnostics", 10)
        self._peers = PeerMonitor(node, "diagnostics") if watched_over() else None
        self._timings: dict[str, tuple[int, float, float]] = {}
        self._values: dict[str, float] = {}
        self._problem = ""
        self._checks: list[_Check] = []
        self._intake = Intake.of(node)
        self.check(self._intake.trouble, error=True)
        self.hardware_id = socket.gethostname()
        """the body that the node works for, and the machine that it runs on"""
        self._early, self._period = _EARLY_REPORTS, period
        self._timer = node.create_timer(_EARLY_PERIOD, self._tick, clock=STEADY)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Adds the wall time of a block to ``name.count``, ``name.seconds`` and ``name.worst``."""
        start = time.perf_counter()
        try:
            yield
        finally:
            elapsed = time.perf_counter() - start
            count, total, worst = self._timings.get(name, (0, 0.0, 0.0))
            self._timings[name] = (count + 1, total + elapsed, max(worst, elapsed))

    def count(self, name: str, by: float = 1.0) -> None:
        self._values[name] = self._values.get(name, 0.0) + by

    def set(self, name: str, value: float) -> None:
        self._values[name] = value

    def problem(self, sentence: str) -> None:
        """What keeps the node from its work: it reports an error with that sentence, until told that there is none."""
        self._problem = sentence

    def check(self, complaint: Callable[[], str], *, error: bool, patience: float = 0.0) -> None:
        """Asks once a second what is wrong (empty: nothing), which is an error, or a warning, where it has been wrong
        for `patience` [s, wall]."""
        self._checks.append(_Check(DiagnosticStatus.ERROR if error else DiagnosticStatus.WARN, complaint, patience))

    def _verdict(self) -> tuple[bytes, str]:
        """Level and sentence of the worst that is wrong."""
        now = time.monotonic()
        found = [(check.level, sentence) for check in self._checks if (sentence := check.told(now))]
        if self._problem:
            found.append((DiagnosticStatus.ERROR, self._problem))
        left_out = self._intake.complaint()
        if not found:
            return (DiagnosticStatus.WARN, left_out) if left_out else (DiagnosticStatus.OK, "running")
        level, sentence = max(found, key=lambda entry: entry[0])
        return level, f"{sentence}; {left_out}" if left_out else sentence  # often the reason

    def _tick(self) -> None:
        if self._early > 0:
            self._early -= 1
            if self._early == 0:
                self._timer.timer_period_ns = round(self._period * 1e9)
        self._publish()
        tell_events(self._node)
        if self._peers is not None:
            self._peers.look()

    def _publish(self) -> None:
        cpu, memory = self._process.cpu_times(), self._process.memory_info()
        values = {"cpu_seconds": cpu.user + cpu.system, "rss_bytes": float(memory.rss), **self._intake.counts(),
                  **self._values}
        for name, (count, total, worst) in self._timings.items():
            values |= {f"{name}.count": float(count), f"{name}.seconds": total, f"{name}.worst": worst}
        told = [KeyValue(key=k, value=f"{v:.6g}") for k, v in sorted(values.items())]
        if self._peers is not None:
            told.append(self._peers.told)
        level, sentence = self._verdict()
        status = DiagnosticStatus(level=level, name=self._node.get_name(), message=sentence,
                                  hardware_id=self.hardware_id, values=told)
        message = DiagnosticArray(status=[status])
        if self._clock is not None:
            self._clock.refresh()
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)
