"""Messages of other nodes, which may be of another version, or nobody's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rclpy.node import Node

M = TypeVar("M")
T = TypeVar("T")


def read_or_leave_out(node: Node, what: str, convert: Callable[[M], T], message: M) -> T | None:
    """What `convert` makes of a message; None, which the node's log says, where it raises ValueError. `what` names such
    messages there."""
    try:
        return convert(message)
    except ValueError as error:
        node.get_logger().warning(f"{what} left out, which cannot be read: {error}", throttle_duration_sec=5.0)
        return None
