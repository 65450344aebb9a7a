"""Single key presses from a terminal, which is as it was afterwards, whatever happens; works over ssh."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from dadu.core.errors import DaduError

_ARROWS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left"}


class NoTerminal(DaduError):
    """Standard input is no terminal."""


@contextmanager
def raw_keys() -> Iterator[KeyReader]:
    """Reads keys unbuffered and unechoed within the block. Errors: NoTerminal."""
    descriptor = sys.stdin.fileno()
    if not os.isatty(descriptor):
        raise NoTerminal("the keyboard needs a terminal; publish geometry_msgs/Twist on /cmd_vel_teleop instead")
    before = termios.tcgetattr(descriptor)
    try:
        tty.setraw(descriptor, termios.TCSANOW)
        # Output stays cooked: lines that others print are not torn into stairs.
        mode = termios.tcgetattr(descriptor)
        mode[1] |= termios.OPOST
        termios.tcsetattr(descriptor, termios.TCSANOW, mode)
        yield KeyReader(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


class KeyReader:
    """Splits what a terminal sends into keys."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read(self, timeout: float) -> list[str]:
        """Keys pressed within `timeout` [s]: characters, or up, down, left, right; a closed terminal reads as q."""
        ready, _, _ = select.select([self._descriptor], [], [], timeout)
        if not ready:
            return []
        data = os.read(self._descriptor, 1024)
        return list(split_keys(data)) if data else ["q"]


def split_keys(data: bytes) -> Iterator[str]:
    """Characters and arrow keys (``ESC [ A`` or ``ESC O A``); other escape sequences are dropped."""
    i = 0
    while i < len(data):
        if data[i:i + 1] != b"\x1b":
            yield chr(data[i]).lower()
            i += 1
            continue
        end = i + 2
        while end < len(data) and not 0x40 <= data[end] <= 0x7E:
            end += 1
        if data[i + 1:i + 2] in (b"[", b"O") and end == i + 2 and data[end:end + 1] in _ARROWS:
            yield _ARROWS[data[end:end + 1]]
        i = end + 1
