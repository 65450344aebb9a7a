"""``dadu chaos``: gives the graph one task after the other, and watches. What goes wrong is done, and how it went
judged, by `dadu.eval.chaos`."""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Callable
from typing import Any

import rclpy
from action_msgs.msg import GoalStatus
from dadu_interfaces.action import ExecuteTask
from dadu_nodes.commands.chaos_hands import GraphHands
from dadu_nodes.commands.joining import interruptible
from dadu_nodes.commands.ready import wait_until_ready
from dadu_nodes.support.actions.action_caller import Serving
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.transforms import TransformListener
from dadu_nodes.support.wall import LATE
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from dadu.bringup.domain import free_domain
from dadu.core.errors import DaduError
from dadu.core.geometry import Pose2
from dadu.core.transforms import TransformError
from dadu.eval.chaos.draw import NODES
from dadu.eval.chaos.faults import Faults
from dadu.eval.chaos.graph import graph_command
from dadu.eval.chaos.processes import GraphProcesses
from dadu.eval.chaos.results import ChaosResult
from dadu.eval.chaos.run import ChaosOptions, run_chaos
from dadu.eval.chaos.task import ChaosTask
from dadu.eval.chaos.verdict import Evidence, memory_readable, more, tracebacks
from dadu.goals.monitor import evaluate
from dadu.goals.suite_goal import parse_goal
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.replay import messages
from dadu.world.state import TrueWorld

_READY = 180.0
"""wall seconds in which the graph must be there"""
_LONGEST = 600.0
"""simulated seconds that a task may take"""
_HANG = 900.0
"""wall seconds after which a task that gave no result hangs..."""
_SLOW = 2700.0
"""...and where its simulated seconds are not over yet: on a machine that much else uses they take long"""
_ACCEPT = 30.0
"""wall seconds in which a planner must take a task"""


def chaos(options: ChaosOptions, say: Callable[[str], None]) -> list[ChaosResult]:
    """Runs the tasks; when it returns, however, no process of the graph is left. Errors: DaduError."""
    os.environ.setdefault("ROS_DOMAIN_ID", str(free_domain()))
    # By Fast DDS's shared memory nothing large came out of here any more, after some ten listeners had been killed.
    os.environ.setdefault("FASTDDS_BUILTIN_TRANSPORTS", "UDPv4")
    processes = GraphProcesses(options.out, lambda run_dir: graph_command(options.house, run_dir))
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    try:
        with interruptible():
            return run_chaos(options, _Graph(options, processes), say)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not cut the ending short
        processes.stop()
        rclpy.try_shutdown()


class _Graph:
    """A `dadu.eval.chaos.run.FaultyGraph` over ROS."""

    def __init__(self, options: ChaosOptions, processes: GraphProcesses) -> None:
        self._layout = build_graph(load_house(options.house))
        self._processes = processes
        self._node = rclpy.create_node("dadu_chaos")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._hands = GraphHands(self._node, self._executor, processes, options.seed)
        self._client = ActionClient(self._node, ExecuteTask, "/execute_task")
        self._steps = 0

    def carry_out(self, task: ChaosTask) -> Evidence:
        """Errors: DaduError where the graph cannot be started."""
        if not self._processes.running:
            self._start()
        self._hands.until(self._client.server_is_ready, 60.0)
        wall, began, logs = time.monotonic(), self._hands.now, tracebacks(self._processes.run_dir)
        self._steps, self._hands.cancelled, self._hands.standstill.moved = 0, None, 0.0
        faults = Faults(task.faults, self._hands)
        reply = self._watch(task, faults, began, lambda: self._hangs(wall, began))
        ended, success = self._hands.now, reply is not None and reply.success
        held = self._judged(task) if success else None
        faults.end()
        astray = self._astray()
        orphans = self._processes.orphans()
        if reply is None:  # nothing more is to be had of it
            orphans += self._processes.stop()
        run_dir, cancelled, changed = self._processes.run_dir, self._hands.cancelled, faults.disturbed
        return Evidence(
            ended=reply is not None, success=success,
            code=messages.result(reply.outcome).code.name if reply is not None else "",
            summary=reply.summary if reply is not None else "", goal_held=held,
            memory_readable=memory_readable(run_dir), moved_under_stop=self._hands.standstill.moved, astray=astray,
            cancelled_after=time.monotonic() - cancelled if cancelled is not None else None,
            disturbed_at=ended - began - changed if changed is not None else None,
            orphans=orphans, tracebacks=more(logs, tracebacks(run_dir)), steps=self._steps,
            sim_seconds=max(0.0, ended - began), wall_seconds=time.monotonic() - wall, done=tuple(faults.done))

    def _start(self) -> None:
        self._hands.forget()
        self._processes.start()
        missing = wait_until_ready(NODES, _READY)
        if missing:
            raise DaduError(f"the graph is not ready after {_READY:.0f} s; missing: {', '.join(missing)}; see "
                            f"{self._processes.run_dir / 'graph.log'}")
        self._hands.until(self._hands.ready, 30.0)

    def _hangs(self, wall: float, began: float) -> bool:
        """True if a task that began at these times [s], wall and simulated, should have ended by now."""
        over = self._hands.now - began > _LONGEST
        return time.monotonic() > wall + (_HANG if over else _SLOW)

    def _watch(self, task: ChaosTask, faults: Faults, began: float, hangs: Callable[[], bool]) -> Any | None:
        """Faults when they are due, until the task's result is there; the instruction is sent again to a planner that
        died. None: it hangs."""
        def moment() -> None:
            self._executor.spin_once(timeout_sec=0.02)
            faults.step(self._hands.now - began, time.monotonic())

        while not hangs():
            handle = self._send(task, moment)
            if handle is None:
                again = time.monotonic() + 1.0  # the planner is not back yet, or busy still
                while time.monotonic() < again:
                    moment()
                continue
            serving, ended, asked = Serving(self._node, "/execute_task"), handle.get_result_async(), False
            while not (ended.done() or serving.gone() or hangs()):
                if self._hands.cancelled is not None and not asked:
                    handle.cancel_goal_async()
                    asked = True
                moment()
            if ended.done() and ended.result().status != GoalStatus.STATUS_UNKNOWN:
                return ended.result().result
        return None

    def _send(self, task: ChaosTask, moment: Callable[[], None]) -> Any | None:
        """The task's handle; None where no planner takes it."""
        goal = ExecuteTask.Goal(instruction=task.instruction, max_seconds=_LONGEST)
        serving = Serving(self._node, "/execute_task")
        sent = self._client.send_goal_async(goal, feedback_callback=self._on_step)
        deadline = time.monotonic() + _ACCEPT
        while not (sent.done() or serving.gone()) and time.monotonic() < deadline:
            moment()
        return sent.result() if sent.done() and sent.result().accepted else None

    def _on_step(self, message: Any) -> None:
        self._steps = max(self._steps, message.feedback.step.step)

    def _astray(self) -> float | None:
        """How far from where it is the robot takes itself to be now [m], by tf; None where that does not say."""
        transforms = TransformListener(self._node, newest=True)  # a new one: the clock may have been set back
        found: list[Pose2] = []

        def heard() -> bool:
            try:
                found.append(Pose2.from_matrix(transforms.tree.lookup("map", "base_link")))
            except TransformError:
                return False
            return True
        self._hands.until(heard, LATE)
        transforms.close()
        truth = self._hands.truth
        return math.dist(found[-1][:2], truth.robot[:2]) if found and truth is not None else None

    def _judged(self, task: ChaosTask) -> bool | None:
        """True if ground truth of this moment confirms the goal; None where there is none."""
        if not task.goal:
            return None
        self._hands.until(lambda: False, 0.5)
        truth = self._hands.truth
        if truth is None:
            return None
        world = TrueWorld(self._layout, truth)
        return evaluate(parse_goal(task.goal, "chaos", world.names), [world]).success
