"""Processor time and memory of the graph's processes, a JSON line per sample."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil

_SHARES = 10
"""every so many samples hold ``pss``, too: the kernel walks through all of a process's pages for it"""


class UsageLog:
    """Appends ``{"time": wall [s], "nodes": {name: {"cpu": [s], "rss": [byte], "pid", "starts"}}}`` to a file.

    ``cpu`` is that of the process `pid`: a restarted node counts from 0 again. Now and then there is ``pss`` [byte],
    too, in which a page that several processes share counts by its share: only these add up.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[int, psutil.Process] = {}
        self._count = itertools.count()

    def sample(self, processes: Mapping[str, tuple[int | None, int]]) -> None:
        """`processes`: name to process id (None: not running) and number of starts."""
        nodes, shares = {}, next(self._count) % _SHARES == 0
        for name, (pid, starts) in processes.items():
            if pid is None:
                continue
            try:
                nodes[name] = {**self._measure(pid, shares), "pid": pid, "starts": starts}
            except psutil.Error:
                self._known.pop(pid, None)  # it died between the two
        with suppress(OSError), self._path.open("a") as out:  # on a full disk a sample is missing
            out.write(json.dumps({"time": round(time.time(), 3), "nodes": nodes}) + "\n")

    def _measure(self, pid: int, shares: bool) -> dict[str, float]:
        process = self._known.setdefault(pid, psutil.Process(pid))
        with process.oneshot():
            cpu = process.cpu_times()
            used = {"cpu": round(cpu.user + cpu.system, 2), "rss": process.memory_info().rss}
        if shares:
            used["pss"] = process.memory_full_info().pss
        return used
