"""A ROS domain of one's own, for graphs that must not meet another's on the same machine."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path
from typing import IO

DOMAINS = range(1, 101)
"""beyond them Fast DDS's ports are among those that the kernel gives away"""
_taken: list[IO[str]] = []
"""locks, which the kernel gives back when this process ends"""


def free_domain() -> int:
    """A domain that no other process has got here; this one has it until it ends. Where all are taken, a shared one."""
    for domain in sorted(DOMAINS, key=lambda number: (number - os.getpid()) % len(DOMAINS)):
        lock = (Path(tempfile.gettempdir()) / f"dadu-domain-{os.getuid()}-{domain}").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        _taken.append(lock)
        return domain
    return DOMAINS[os.getpid() % len(DOMAINS)]
