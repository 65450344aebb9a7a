"""Joins a running graph, in the namespace that it has; Ctrl-C in programs that spin a node of their own."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import rclpy
from dadu_nodes.support import frames

from dadu.bringup.naming import ros_words, shared_names


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


def join(namespace: str = "", frame_prefix: str = "", **options: Any) -> None:
    """Initialises ROS so that all nodes of this process are in `namespace` and call their frames with `frame_prefix`;
    `options` are those of `rclpy.init`. To be called once a process."""
    words = ros_words(namespace, shared_names(namespace, frame_prefix))
    if frame_prefix:
        words += ["-p", f"{frames.PARAMETER}:={frame_prefix}"]
    rclpy.init(args=["--ros-args", *words] if words else None, **options)
