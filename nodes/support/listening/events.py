"""Events of the middleware, such as a publisher that offers less than is asked for, are looked for once a second.

rclpy has two of them for each subscription and each publisher wake the executor: that is most of the wait set, which it
builds anew for every message. Without them a wake-up of a node with a dozen of each takes 0.4 ms in place of 0.95.
"""

from __future__ import annotations

from dadu_nodes.support.polled import NeverReady
from rclpy._rclpy_pybind11 import WaitSet
from rclpy.event_handler import EventHandler
from rclpy.node import Node
from rclpy.waitable import Waitable

_ASKED = NeverReady()


def keep_quiet(waitable: Waitable) -> None:
    """Where it is such an event, it no longer wakes the executor, and `tell_events` looks for it."""
    if isinstance(waitable, EventHandler):
        waitable.callback_group = _ASKED


def tell_events(node: Node) -> None:
    """Calls back for those of the node's that have happened; in the executor's thread."""
    handlers = [w for w in node.waitables if isinstance(w, EventHandler) and w.callback_group is _ASKED]
    if not handlers:
        return
    wait_set = WaitSet(0, 0, 0, 0, 0, len(handlers), node.context.handle)
    wait_set.clear_entities()
    for handler in handlers:
        handler.add_to_wait_set(wait_set)
    wait_set.wait(0)
    for handler in [h for h in handlers if h.is_ready(wait_set)]:
        handler.callback(handler.take_data())
