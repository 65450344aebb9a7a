"""``dadu cancel``: ends what the running graph's robot was sent to do, whoever sent it."""

from __future__ import annotations

import time

import rclpy
from dadu_nodes.commands.joining import join
from dadu_nodes.support.actions.halt import WORK, Halt
from dadu_nodes.support.listening.task_monitor import TaskMonitor
from dadu_nodes.support.wall import AGAIN, ANSWER, DISCOVERY
from rclpy.executors import SingleThreadedExecutor

from dadu.core.errors import DaduError


def cancel(*, wait: float = 30.0, namespace: str = "") -> int:
    """Exit status: 0 once nothing runs any more, 1 where something goes on. `wait` [s, wall] is how long the graph is
    looked for. Errors: DaduError where there is none."""
    join(namespace)
    node = rclpy.create_node("dadu_cancel")
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    try:
        halt, at_work = Halt(node), {name: TaskMonitor(node, name) for name in WORK}
        _find(halt, executor, wait)
        ran: set[str] = set()
        begun = quiet = again = time.monotonic()
        while True:
            running = {name for name, monitor in at_work.items() if monitor.busy}
            ran, now = ran | running, time.monotonic()
            quiet = now if running else quiet  # whoever plans may begin the next skill before it hears of this
            if now > quiet + DISCOVERY or now > begun + ANSWER:
                break
            if now > again:
                halt.order()
                again = now + AGAIN
            executor.spin_once(timeout_sec=0.1)
    finally:
        executor.shutdown()
        node.destroy_node()
        rclpy.try_shutdown()
    if running:
        print(f"still at work: {', '.join(sorted(running))}; press the emergency stop (dadu teleop, or the console)")
        return 1
    print("stopped; the robot is at rest" if ran else "nothing was under way")
    return 0


def _find(halt: Halt, executor: SingleThreadedExecutor, wait: float) -> None:
    deadline = time.monotonic() + wait
    while not halt.order():
        if time.monotonic() > deadline:
            raise DaduError("no planner and no skill answers; start the graph first: dadu up")
        executor.spin_once(timeout_sec=0.1)
