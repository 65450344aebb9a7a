"""Waiting in coroutines that the executor runs: for wall time, and for work in a thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future as Outcome
from threading import Thread
from typing import Any

from dadu_nodes.support.wall import POLL, STEADY
from rclpy.node import Node
from rclpy.task import Future

_GRACE = 0.5
"""wall seconds that work has to end once it is cancelled"""


async def sleep(node: Node, seconds: float) -> None:
    """`seconds` of wall time, whatever the simulated clock does."""
    future = Future(executor=node.executor)
    timer = node.create_timer(seconds, lambda: future.done() or future.set_result(None), clock=STEADY)
    try:
        await future
    finally:
        node.destroy_timer(timer)


async def wait_until(node: Node, done: Callable[[], bool], period: float, *events: Future) -> None:
    """Returns once `done()`, which is looked at now, every `period` of wall time [s], and when one of `events` has
    come. One timer all the time: one made anew for each look wakes the executor three times."""
    if done():
        return
    future = Future(executor=node.executor)

    def look() -> None:
        if not future.done() and done():
            future.set_result(None)

    for event in events:
        event.add_done_callback(lambda _: look())
    timer = node.create_timer(period, look, clock=STEADY)
    try:
        await future
    finally:
        node.destroy_timer(timer)


async def run_in_thread(node: Node, work: Callable[[], Any], cancelled: Callable[[], bool]) -> Any | None:
    """What `work` returns, run in a thread while the executor goes on; its exception is raised here. None when it has
    not ended soon after `cancelled()`: it then ends by itself, unheard, or with the process."""
    running, left = _begun(work), _GRACE

    def over() -> bool:
        nonlocal left
        if not running.done() and cancelled():
            left -= POLL
        return running.done() or left <= 0

    await wait_until(node, over, POLL)
    return running.result() if running.done() else None


def _begun(work: Callable[[], Any]) -> Outcome[Any]:
    """In a thread that nobody waits for at the end of the process, as they would for a pool's: it may hear a server
    out for a minute."""
    running: Outcome[Any] = Outcome()

    def run() -> None:
        try:
            running.set_result(work())
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            running.set_exception(error)
    Thread(target=run, daemon=True).start()
    return running
