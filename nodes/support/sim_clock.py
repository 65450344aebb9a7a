"""Simulated time without waking the node: a thread of its own waits for ``/clock``.

An executor of rclpy builds its wait set, of some fifty entities here, anew for every message; fifty clock messages a
simulated second cost an idle node a tenth of a core that way. This thread waits for one subscription, and takes two
messages a second, unless somebody works by the clock. Timers on the simulated clock wake the executor themselves when
they are due.
"""

from __future__ import annotations

import math
import threading
import time

from builtin_interfaces.msg import Time
from dadu_nodes.support.polled import NeverReady
from dadu_nodes.support.wall import AGAIN
from rclpy._rclpy_pybind11 import WaitSet
from rclpy.node import Node
from rclpy.subscription import Subscription
from rosgraph_msgs.msg import Clock

_PATIENCE = 200_000_000
"""[ns] without a clock message after which the thread looks whether it is to end"""


_PAUSED = 2.0
"""wall seconds for which a repeated time tells of a pause: an idle node looks twice a second"""


class SimClock:
    """Takes the node's own subscription of ``/clock``, where it has one, out of the executor's hands."""

    def __init__(self, node: Node) -> None:
        self._context = node.context
        self._ending, self._at_work = threading.Event(), threading.Event()
        self._at_work.set()
        self._taking = threading.Lock()
        self._thread: threading.Thread | None = None
        self._repeated = -math.inf
        """when the clock said the same time again [s, monotonic], as it does while a simulation is paused"""
        self._told: Time | None = None
        self._clock = next((s for s in node.subscriptions if s.msg_type is Clock), None)
        if self._clock is not None:  # use_sim_time
            self._clock.callback_group = NeverReady()
            self._thread = threading.Thread(target=self._follow, args=(self._clock,), name="clock", daemon=True)
            self._thread.start()

    @property
    def simulated(self) -> bool:
        """True if the node's time comes from ``/clock``; no more once it has been closed."""
        return self._clock is not None and not self._ending.is_set()

    @property
    def trails(self) -> bool:
        """True if the clock may be behind, since nobody works by it."""
        return not self._at_work.is_set()

    @property
    def paused(self) -> bool:
        """True while whoever publishes the clock says that it stands."""
        return time.monotonic() - self._repeated < _PAUSED

    def at_work(self, works: bool) -> None:
        """Notes that somebody works by the clock now, or nobody, so that it must not trail."""
        if works:
            self._at_work.set()
        else:
            self._at_work.clear()

    def refresh(self) -> None:
        """Sets the clock by what has come, however idle the node is."""
        if self._clock is not None and self.simulated:
            self._take(self._clock)

    def close(self) -> None:
        """Ends the thread; the node's clock stands still from then on."""
        self._ending.set()
        self._at_work.set()
        if self._thread is not None:
            self._thread.join()

    def _follow(self, clock: Subscription) -> None:
        with clock.handle:
            wait_set = WaitSet(1, 0, 0, 0, 0, 0, self._context.handle)
            while self._context.ok() and not self._ending.is_set():
                wait_set.clear_entities()
                wait_set.add_subscription(clock.handle)
                wait_set.wait(_PATIENCE)
                self._take(clock)
                self._at_work.wait(AGAIN)

    def _take(self, clock: Subscription) -> None:
        with self._taking, clock.handle:
            taken = clock.handle.take_message(clock.msg_type, False)
            if taken is not None:
                if taken[0].clock == self._told:
                    self._repeated = time.monotonic()
                self._told = taken[0].clock
                clock.callback(taken[0])
