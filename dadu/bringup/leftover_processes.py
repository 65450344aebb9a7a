"""Ends processes that whoever started them leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil

from dadu.bringup.process import PATIENCE


def end_all(pids: Iterable[int], patience: float = PATIENCE) -> None:
    """SIGTERM to those that still run, and to what they started; SIGKILL to those that do so after `patience` [s]."""
    found: list[psutil.Process] = []
    for pid in pids:
        try:
            process = psutil.Process(pid)
            found += [process, *process.children(recursive=True)]
        except psutil.NoSuchProcess:
            continue
    for process in found:
        _send(process.terminate)
    for process in psutil.wait_procs(found, patience)[1]:
        _send(process.kill)


def _send(signal: Callable[[], None]) -> None:
    with suppress(psutil.NoSuchProcess):
        signal()
