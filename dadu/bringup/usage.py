"""Processor time and memory of the graph's processes, a JSON line per sample."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path

import psutil


class UsageLog:
    """Appends ``{"time": wall [s], "nodes": {name: {"cpu": [s], "rss": [byte], "pid", "starts"}}}`` to a file.

    ``cpu`` is that of the process `pid`: a restarted node counts from 0 again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[int, psutil.Process] = {}

    def sample(self, processes: Mapping[str, tuple[int | None, int]]) -> None:
        """`processes`: name to process id (None: not running) and number of starts."""
        nodes = {}
        for name, (pid, starts) in processes.items():
            if pid is None:
                continue
            try:
                nodes[name] = {**self._measure(pid), "pid": pid, "starts": starts}
            except psutil.Error:
                self._known.pop(pid, None)  # it died between the two
        with self._path.open("a") as out:
            out.write(json.dumps({"time": round(time.time(), 3), "nodes": nodes}) + "\n")

    def _measure(self, pid: int) -> dict[str, float]:
        process = self._known.setdefault(pid, psutil.Process(pid))
        with process.oneshot():
            cpu = process.cpu_times()
            return {"cpu": round(cpu.user + cpu.system, 2), "rss": process.memory_info().rss}
