"""ROS domains of this machine's graphs: two in one would hear each other's commands."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path
from typing import IO

from dadu.core.errors import ConfigError

DOMAINS = range(1, 101)
"""beyond them Fast DDS's ports are among those that the kernel gives away"""
_taken: list[IO[str]] = []
"""locks, which the kernel gives back when this process ends"""


def ros_domain() -> str:
    """The one that this process's nodes are in."""
    return os.environ.get("ROS_DOMAIN_ID") or "0"


def free_domain() -> int:
    """A domain that no other process has got here; this one has it until it ends. Where all are taken, a shared one."""
    for domain in sorted(DOMAINS, key=lambda number: (number - os.getpid()) % len(DOMAINS)):
        if _take(f"domain-{os.getuid()}-{domain}"):
            return domain
    return DOMAINS[os.getpid() % len(DOMAINS)]


def claim_domain(namespace: str = "") -> None:
    """The ROS domain in use is this process's, for a graph in `namespace`, until it ends. Errors: ConfigError where
    another process of this user here has a graph there already."""
    domain = ros_domain()
    if not _take(f"graph-{os.getuid()}-{domain}-{namespace.strip('/')}".replace("/", "+")):
        where = f"ROS domain {domain}" + (f", namespace {namespace}" if namespace else "")
        raise ConfigError(f"a graph runs already in {where}, and would hear this one's commands; end it, or set "
                          "ROS_DOMAIN_ID to another number from 0 to 100")


def _take(name: str) -> bool:
    """The lock of that name, unless another process has it."""
    lock = (Path(tempfile.gettempdir()) / f"dadu-{name}").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return False
    _taken.append(lock)
    return True
