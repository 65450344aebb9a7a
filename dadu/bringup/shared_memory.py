"""Shared memory that processes of Fast DDS left behind when they were killed.

Its own tool (``fastdds shm clean``) takes what a starting process has made and not locked yet for abandoned, ports as
well as segments; a node without its port hears nothing. So what is young is left alone here, and so are ports: they are
small, and whoever opens one that a dead process had makes it anew.
"""

from __future__ import annotations

import fcntl
import time
from contextlib import suppress
from pathlib import Path

FOLDER = Path("/dev/shm")
_LOCKS = "fastrtps_????????????????_el"
"""a segment's lock, which its process holds as long as it lives; the segment has the name without the ending"""
_SETTLED = 60.0
"""[s] after which a process that makes a segment has certainly locked it"""


def free_abandoned_memory(folder: Path = FOLDER) -> None:
    """Frees the segments of processes that are gone."""
    for lock in folder.glob(_LOCKS):
        with suppress(OSError):  # in use, another user's, or gone meanwhile
            _free(lock)


def _free(lock: Path) -> None:
    """Errors: OSError, BlockingIOError among them where the process lives."""
    if time.time() - lock.stat().st_mtime < _SETTLED:
        return
    with lock.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.with_name(lock.name.removesuffix("_el")).unlink(missing_ok=True)
        lock.unlink()
