"""Shared memory that processes of Fast DDS left behind.

Its own tool (``fastdds shm clean``) takes what a starting process has made and not locked yet for abandoned, ports as
well as segments; a node without its port hears nothing. So what is young is left alone here.

A port stays when one of those who wrote to it was killed; its reader's lock may be gone all the same, and then Fast DDS
takes the port for a good one. Whoever gets it next reads beside a listener that is dead: once the queue is full of what
that one has not read, 512 messages or 1024, nothing comes in any more.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

FOLDER = Path("/dev/shm")
_LOCKS = "fastrtps_????????????????_el"
"""a segment's lock, which its process holds as long as it lives; the segment has the name without the ending"""
PORT = "fastrtps_port{}"
_PORTS = PORT.format("*[0-9]")
"""with locks of the same name and these endings, held by those who read from it: one alone, or several"""
_READERS = ("_el", "_sl")
_SETTLED = 60.0
"""[s] after which a process that makes a segment, or a port, has certainly locked it"""


def free_abandoned_memory(folder: Path = FOLDER) -> None:
    """Frees the segments of processes that are gone, and ports that no process has."""
    for lock in folder.glob(_LOCKS):
        with suppress(OSError):  # in use, another user's, or gone meanwhile
            _free_segment(lock)
    ports = [port for port in folder.glob(_PORTS) if _settled(port)]
    in_use = _mapped(folder) if ports else set()
    for port in ports:
        with suppress(OSError):
            _free_port(port, in_use)


def _settled(path: Path) -> bool:
    with suppress(OSError):
        return time.time() - path.stat().st_mtime > _SETTLED
    return False


def _free_segment(lock: Path) -> None:
    """Errors: OSError, BlockingIOError among them where the process lives."""
    if not _settled(lock):
        return
    with lock.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.with_name(lock.name.removesuffix("_el")).unlink(missing_ok=True)
        lock.unlink()


def _free_port(port: Path, in_use: Iterable[Path]) -> None:
    """Errors: OSError, BlockingIOError among them where one that reads lives, in another container for example."""
    if port in in_use or port.stat().st_uid != os.geteuid():
        return
    locks = [lock for ending in _READERS if (lock := port.with_name(port.name + ending)).exists()]
    for lock in locks:
        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    for path in (port, *locks):
        path.unlink(missing_ok=True)


def _mapped(folder: Path) -> set[Path]:
    """What processes have of what is there; of other users' processes that is not known."""
    found = set()
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with suppress(OSError):
            found |= {Path(line.split(maxsplit=5)[5].strip()) for line in maps.read_text().splitlines()
                      if f" {folder}/" in line}
    return found
