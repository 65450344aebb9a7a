"""Simulated time without waking the node: a thread of its own waits for ``/clock``.

An executor of rclpy builds its wait set, of some fifty entities here, anew for every message; fifty clock messages a
simulated second cost an idle node a tenth of a core that way. This thread waits for one subscription. Timers on the
simulated clock wake the executor themselves when they are due.
"""

from __future__ import annotations

import threading
from typing import cast

from dadu_nodes.support.polled import NeverReady
from rclpy._rclpy_pybind11 import WaitSet
from rclpy.event_handler import EventHandler
from rclpy.node import Node
from rclpy.subscription import Subscription

_PATIENCE = 200_000_000
"""[ns] without a clock message after which the thread looks whether it is to end"""


class SimClock:
    """Takes the node's own subscription of ``/clock``, where it has one, out of the executor's hands."""

    def __init__(self, node: Node) -> None:
        self._context = node.context
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        clock = next((s for s in node.subscriptions if s.topic_name == "/clock"), None)
        if clock is not None:  # use_sim_time
            clock.callback_group = NeverReady()
            for event in cast("list[EventHandler]", clock.event_handlers):  # they would wake the executor, too
                event.callback_group = NeverReady()
            self._thread = threading.Thread(target=self._follow, args=(clock,), name="clock", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Ends the thread; the node's clock stands still from then on."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()

    def _follow(self, clock: Subscription) -> None:
        with clock.handle:
            wait_set = WaitSet(1, 0, 0, 0, 0, 0, self._context.handle)
            while self._context.ok() and not self._ending.is_set():
                wait_set.clear_entities()
                wait_set.add_subscription(clock.handle)
                wait_set.wait(_PATIENCE)
                taken = clock.handle.take_message(clock.msg_type, False)
                if taken is not None:
                    clock.callback(taken[0])
