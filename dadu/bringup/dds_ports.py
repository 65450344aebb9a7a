"""Ports of Fast DDS, each process's own.

In shared memory a port's name is its number, and Fast DDS gives away the lowest that nobody reads from. After a reader
was killed, those who wrote to it drop its port and make it anew, several at a time; whoever gets the number meanwhile
may read from one port while some or all of the others write to another of that name, for ever. So a process reads
where nobody has lately. Where participants look for each other stays where the standard has it.
"""

from __future__ import annotations

import os
from pathlib import Path

from dadu.bringup.domain import ros_domain
from dadu.bringup.shared_memory import FOLDER, PORT

_BASE, _DOMAIN = 7400, 250
"""the first port, and how many a domain has; metatraffic is at +0 and +10, user data from +11 on, in steps of 2"""
_UNIQUE = -400
"""from the first port: the lowest for readers that want one for themselves alone (what tells of ROS's nodes); that
can be shifted with the first port only"""
_READERS = 4
"""such ports of one process, at the most"""
_SLOTS = range(1, 100)
"""0: Fast DDS's own choice; with 100 the last port of user data is at +209, in the same domain"""
STANDARD = 0


def variables(slot: int = STANDARD) -> dict[str, str]:
    """What the profile's ports are made of, for `fresh_slot` or the standard's."""
    shift = _READERS * slot
    return {"DADU_DDS_BASE": str(_BASE - shift), "DADU_DDS_MULTICAST": str(shift), "DADU_DDS_UNICAST": str(shift + 10),
            "DADU_DDS_USER": str(shift + 11 + 2 * slot)}


def fresh_slot(folder: Path = FOLDER, process: int | None = None) -> int:
    """One whose ports no other process reads from, or left behind; another one for the next process."""
    first = os.getpid() if process is None else process
    slots = [_SLOTS[(first + further) % len(_SLOTS)] for further in range(len(_SLOTS))]
    return next((slot for slot in slots if not any(_exist(folder, port) for port in _ports(slot))), slots[0])


def _ports(slot: int) -> tuple[int, int]:
    domain = ros_domain()
    user = _BASE + _DOMAIN * (int(domain) if domain.isdigit() else 0) + 11 + 2 * slot
    return _BASE + _UNIQUE - _READERS * slot, user


def _exist(folder: Path, port: int) -> bool:
    name = PORT.format(port)
    return any((folder / (name + ending)).exists() for ending in ("", "_el"))
