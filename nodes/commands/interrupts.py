"""Ctrl-C in programs that spin a node of their own."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Iterator[None]:
    """Within, SIGINT and SIGTERM raise KeyboardInterrupt, also where whoever started this ignored them, and also in the
    middle of a message, of which rclpy's conversion makes a RuntimeError."""
    came: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    try:
        yield
    except RuntimeError:
        if came:
            raise KeyboardInterrupt from None
        raise
