"""``dadu chaos``: gives the graph tasks, does what goes wrong meanwhile, and watches. `dadu.eval.chaos` judges."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import rclpy
from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Time
from dadu_interfaces.action import ExecuteTask
from dadu_interfaces.msg import DetectionArray, GroundTruth, SkillRecord
from dadu_interfaces.srv import SimDisturb
from dadu_nodes.commands.ready import wait_until_ready
from dadu_nodes.support import qos
from dadu_nodes.support.action_caller import Serving
from dadu_nodes.support.convert.outcome import result as outcome_of
from geometry_msgs.msg import Twist
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Empty

from dadu.bringup import guard
from dadu.core.errors import DaduError
from dadu.eval.chaos.draw import NODES
from dadu.eval.chaos.graph import RELAYED, graph_command, relayed
from dadu.eval.chaos.results import ChaosResult
from dadu.eval.chaos.run import ChaosOptions, run_chaos
from dadu.eval.chaos.task import ChaosTask, Fault, FaultKind
from dadu.eval.chaos.verdict import Evidence, changes_world
from dadu.goals.monitor import evaluate
from dadu.goals.suite_goal import parse_goal
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.world.from_message import world_state
from dadu.world.state import TrueWorld

_READY = 180.0
"""wall seconds in which the graph must be there"""
_LONGEST = 600.0
"""simulated seconds that a task may take"""
_HANG = 900.0
"""wall seconds after which a task that gave no result hangs"""
_ACCEPT = 30.0
"""wall seconds in which a planner must take a task"""
_REST = 1.5
"""simulated seconds in which the body comes to rest under the emergency stop"""
_FULL = 4096
"""bytes that may be written to a file on the full disk"""
_HELD = "gripper"
"""joints whose name holds this may give way under a load"""


def chaos(options: ChaosOptions, say: Callable[[str], None]) -> list[ChaosResult]:
    """Runs the tasks; when it returns, however, no process of the graph is left. Errors: DaduError."""
    os.environ.setdefault("ROS_DOMAIN_ID", str(1 + os.getpid() % 100))
    for number in (signal.SIGINT, signal.SIGTERM):  # also where they were ignored by whoever started this
        signal.signal(number, signal.default_int_handler)
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    graph = _Graph(options)
    try:
        return run_chaos(options, graph, say)
    finally:
        graph.close()
        rclpy.try_shutdown()


@dataclass
class _Ongoing:
    """A fault that lasts."""

    fault: Fault
    until: float
    """wall [s]"""
    end: Callable[[], None]


@dataclass
class _Run:
    """One task under way."""

    task: ChaosTask
    began: float
    """simulated [s]"""
    waiting: list[Fault] = field(default_factory=list)
    ongoing: list[_Ongoing] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    disturbed: float | None = None
    """simulated [s]"""
    cancelled: float | None = None
    """wall [s]"""
    steps: int = 0


class _Graph:
    """A `dadu.eval.chaos.run.FaultyGraph` over ROS."""

    def __init__(self, options: ChaosOptions) -> None:
        self._options = options
        self._layout = build_graph(load_house(options.house))
        self._process: subprocess.Popen[bytes] | None = None
        self._run_dir = options.out
        self._started = 0
        self._node = rclpy.create_node("dadu_chaos")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._truth: GroundTruth | None = None
        self._joints: dict[str, float] = {}
        self._stopped_at: tuple[float, GroundTruth, dict[str, float]] | None = None
        self._pressed: float | None = None
        self._moved = 0.0
        self._copies = {topic: 1.0 for topic in RELAYED}
        """how many of a message reach memory, on average"""
        self._random = random.Random(options.seed)
        node = self._node
        node.create_subscription(GroundTruth, "/sim/ground_truth", self._on_truth, qos.STATE)
        node.create_subscription(JointState, "/joint_states", self._on_joints, qos.SENSOR)
        self._clock = node.create_publisher(Clock, "/clock", qos.STATE)
        self._e_stop = node.create_publisher(Bool, "/e_stop", qos.STATE)
        self._teleop = node.create_publisher(Twist, "/cmd_vel_teleop", qos.COMMAND)
        self._release = node.create_publisher(Empty, "/operator/release", qos.STATE)
        self._disturb = node.create_client(SimDisturb, "/sim/disturb")
        self._client = ActionClient(node, ExecuteTask, "/execute_task")
        for topic, kind in zip(RELAYED, (DetectionArray, SkillRecord), strict=True):
            self._relay(topic, kind)

    # The graph and its processes.

    def _start(self) -> None:
        self._started += 1
        self._run_dir = self._options.out / f"run-{int(time.time())}-{self._started}"
        self._run_dir.mkdir(parents=True)
        with (self._run_dir / "graph.log").open("wb") as log:
            command = [*guard.prefix(), *graph_command(self._options.house, self._run_dir.absolute())]
            self._process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        missing = wait_until_ready(NODES, _READY)
        if missing:
            raise DaduError(f"the graph is not ready after {_READY:.0f} s; missing: {', '.join(missing)}; see "
                            f"{self._run_dir / 'graph.log'}")
        self._until(lambda: self._truth is not None and self._disturb.service_is_ready(), 30.0)

    def _stop(self) -> tuple[str, ...]:
        """Ends the graph; the processes that it leaves behind."""
        if self._process is None:
            return ()
        family = list(self._children().values())
        self._process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(10.0)
        left = psutil.wait_procs(family, timeout=1.0)[1]
        for process in left:
            process.kill()
        if self._process.poll() is None:
            self._process.kill()
        self._process, self._truth = None, None
        return tuple(f"{p.pid}" for p in left)

    def close(self) -> None:
        """Ends everything."""
        self._stop()
        self._executor.shutdown()
        self._node.destroy_node()

    def _children(self) -> dict[str, psutil.Process]:
        """The nodes' processes by name."""
        found: dict[str, psutil.Process] = {}
        if self._process is None:
            return found
        for child in psutil.Process(self._process.pid).children(recursive=True):
            with suppress(psutil.Error):  # one that has just died
                line = " ".join(child.cmdline())
                found.update({name: child for name in NODES if f"dadu_nodes.{name} " in line})
        return found

    # One task.

    def carry_out(self, task: ChaosTask) -> Evidence:
        """Errors: DaduError where the graph cannot be started."""
        if self._process is None or self._process.poll() is not None:
            self._start()
        wall, logs = time.monotonic(), self._tracebacks()
        self._until(self._client.server_is_ready, 60.0)
        run = _Run(task, self._now(), waiting=list(task.faults))
        self._moved = 0.0
        reply = self._watch(run, wall + _HANG)
        ended = self._now()
        held = self._judged(task) if reply is not None and reply.success else None
        for ongoing in run.ongoing:
            ongoing.end()
        evidence = Evidence(
            ended=reply is not None, success=reply is not None and reply.success,
            code=outcome_of(reply.outcome).code.name if reply is not None else "",
            summary=reply.summary if reply is not None else "", goal_held=held,
            memory_readable=self._memory_readable(), moved_under_stop=self._moved,
            cancelled_after=time.monotonic() - run.cancelled if run.cancelled is not None else None,
            disturbed_at=ended - run.disturbed if run.disturbed is not None else None,
            orphans=self._stop() if reply is None else (),
            tracebacks=tuple(sorted(n for n, count in self._tracebacks().items() if count > logs.get(n, 0))),
            steps=run.steps, sim_seconds=max(0.0, ended - run.began), wall_seconds=time.monotonic() - wall,
            done=tuple(run.done))
        return evidence

    def _watch(self, run: _Run, deadline: float) -> Any | None:
        """Faults when they are due, until the task's result is there; the instruction is sent again to a planner that
        died. None: it hangs."""
        while time.monotonic() < deadline:
            handle = self._send(run)
            if handle is None:
                self._spin(run, 1.0)  # the planner is not back yet, or busy still
                continue
            serving, ended = Serving(self._node, "/execute_task"), handle.get_result_async()
            asked = False
            while not (ended.done() or serving.gone()) and time.monotonic() < deadline:
                if run.cancelled is not None and not asked:
                    handle.cancel_goal_async()
                    asked = True
                self._step(run)
            if ended.done() and ended.result().status != GoalStatus.STATUS_UNKNOWN:
                return ended.result().result
        return None

    def _send(self, run: _Run) -> Any | None:
        """The task's handle; None where no planner takes it."""
        goal = ExecuteTask.Goal(instruction=run.task.instruction, max_seconds=_LONGEST)
        serving = Serving(self._node, "/execute_task")
        sent = self._client.send_goal_async(goal, feedback_callback=lambda message: self._on_step(run, message))
        deadline = time.monotonic() + _ACCEPT
        while not (sent.done() or serving.gone()) and time.monotonic() < deadline:
            self._step(run)
        return sent.result() if sent.done() and sent.result().accepted else None

    def _spin(self, run: _Run, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._step(run)

    def _on_step(self, run: _Run, message: Any) -> None:
        run.steps = max(run.steps, message.feedback.step.step)

    def _step(self, run: _Run) -> None:
        """A moment: messages, faults that are due, faults that are over."""
        self._executor.spin_once(timeout_sec=0.02)
        elapsed, now = self._now() - run.began, time.monotonic()
        while run.waiting and run.waiting[0].at <= elapsed:
            fault = run.waiting.pop(0)
            said = self._happens(fault, run)
            run.done.append(f"{fault}{f': {said}' if said else ''}")
        for ongoing in [o for o in run.ongoing if o.until <= now]:
            ongoing.end()
            run.ongoing.remove(ongoing)
        if any(o.fault.kind is FaultKind.OVERRIDE for o in run.ongoing):
            self._teleop.publish(Twist())
        for slowed in (o for o in run.ongoing if o.fault.kind is FaultKind.SLOW):
            self._signal(slowed.fault.subject, signal.SIGSTOP if int(now * 20) % 2 else signal.SIGCONT)

    # Faults.

    def _happens(self, fault: Fault, run: _Run) -> str:
        """Does it; what came of it, where that is not plain."""
        kind = fault.kind
        if changes_world(kind) or kind is FaultKind.BLOCK:
            run.disturbed = self._now() if changes_world(kind) else run.disturbed
            return self._disturbs(fault, run)
        if kind is FaultKind.KILL:
            self._signal(fault.subject, signal.SIGKILL)
        elif kind is FaultKind.CANCEL:
            run.cancelled = time.monotonic()
        elif kind is FaultKind.CLOCK:
            self._clock.publish(Clock(clock=_time(max(0.0, self._now() + fault.shift))))
        else:
            begin, end = self._lasting(fault)
            begin()
            run.ongoing.append(_Ongoing(fault, time.monotonic() + fault.seconds, end))
        return ""

    def _lasting(self, fault: Fault) -> tuple[Callable[[], None], Callable[[], None]]:
        """How it begins, and how it ends."""
        node, awake = fault.subject, lambda: self._signal(fault.subject, signal.SIGCONT)
        copies = {FaultKind.LOSE: 0.5, FaultKind.DOUBLE: 2.0}
        if fault.kind in copies:
            return (lambda: self._copies.update({t: copies[fault.kind] for t in RELAYED}),
                    lambda: self._copies.update({t: 1.0 for t in RELAYED}))
        return {
            FaultKind.FREEZE: (lambda: self._signal(node, signal.SIGSTOP), awake),
            FaultKind.SLOW: (awake, awake),
            FaultKind.DISK_FULL: (lambda: self._limit(node, _FULL), lambda: self._limit(node, resource.RLIM_INFINITY)),
            FaultKind.E_STOP: (lambda: self._press(True), lambda: self._press(False)),
            FaultKind.OVERRIDE: (lambda: self._teleop.publish(Twist()), lambda: self._release.publish(Empty())),
        }[fault.kind]

    def _signal(self, name: str, number: int) -> None:
        child = self._children().get(name)
        if child is not None:
            with suppress(psutil.NoSuchProcess):
                child.send_signal(number)

    def _limit(self, name: str, size: int) -> None:
        child = self._children().get(name)
        if child is not None:
            with suppress(psutil.NoSuchProcess):
                _, hard = child.rlimit(resource.RLIMIT_FSIZE)
                child.rlimit(resource.RLIMIT_FSIZE, (size, hard))

    def _press(self, pressed: bool) -> None:
        self._e_stop.publish(Bool(data=pressed))
        self._pressed, self._stopped_at = (self._now() if pressed else None), None

    def _disturbs(self, fault: Fault, run: _Run) -> str:
        kinds = {FaultKind.MOVE: "move", FaultKind.DROP: "drop", FaultKind.CLOSE: "close", FaultKind.BLOCK: "block"}
        robot = world_state(self._truth).robot
        target = fault.target or (fault.subject if fault.kind is FaultKind.CLOSE else "")
        object = "" if fault.kind is FaultKind.CLOSE else fault.subject
        if fault.kind is FaultKind.BLOCK:
            x, y = robot.apply((0.9, 0.0))
            run.ongoing.append(_Ongoing(fault, time.monotonic() + fault.seconds, self._unblock))
            return self._ask("block", x=float(x), y=float(y))
        return self._ask(kinds[fault.kind], object, target)

    def _unblock(self) -> None:
        self._ask("unblock")

    def _ask(self, kind: str, object: str = "", target: str = "", x: float = 0.0, y: float = 0.0) -> str:
        if not self._disturb.service_is_ready():
            return "nobody heard it"
        request = SimDisturb.Request(kind=kind, object=object, target=target)
        request.position.x, request.position.y = x, y
        answer = self._disturb.call_async(request)
        self._until(answer.done, 5.0)
        return answer.result().message if answer.done() else "no answer"

    # What is seen.

    def _relay(self, topic: str, kind: Any) -> None:
        out = self._node.create_publisher(kind, relayed(topic), qos.STATE)

        def forward(message: Any) -> None:
            copies = self._copies[topic]
            for _ in range(int(copies) if copies >= 1.0 else self._random.random() < copies):
                out.publish(message)
        self._node.create_subscription(kind, topic, forward, qos.STATE)

    def _now(self) -> float:
        return world_state(self._truth).stamp if self._truth is not None else 0.0

    def _on_truth(self, message: GroundTruth) -> None:
        self._truth = message
        if self._pressed is None or self._now() < self._pressed + _REST:
            return
        if self._stopped_at is None:
            self._stopped_at = self._now(), message, dict(self._joints)
            return
        _, before, joints = self._stopped_at
        way = abs(message.robot.x - before.robot.x) + abs(message.robot.y - before.robot.y)
        turned = [abs(value - joints.get(name, value)) for name, value in self._joints.items() if _HELD not in name
                  and "wheel" not in name]
        self._moved = max(self._moved, way, *turned, 0.0)

    def _on_joints(self, message: JointState) -> None:
        self._joints.update(zip(message.name, message.position))

    def _judged(self, task: ChaosTask) -> bool | None:
        """Whether ground truth of this moment confirms the goal; None where there is none."""
        if not task.goal:
            return None
        self._until(lambda: False, 0.5)
        world = TrueWorld(self._layout, world_state(self._truth))
        return evaluate(parse_goal(task.goal, "chaos", world.names), [world]).success

    def _memory_readable(self) -> bool:
        path = self._run_dir / "memory.sqlite"
        try:
            with closing(sqlite3.connect(f"file:{path.absolute()}?mode=ro", uri=True, timeout=5.0)) as database:
                return database.execute("PRAGMA quick_check").fetchone() == ("ok",)
        except sqlite3.Error:
            return False

    def _tracebacks(self) -> dict[str, int]:
        """By node, how many its log has."""
        logs: list[Path] = sorted((self._run_dir / "logs").glob("*.log"))
        return {log.stem: log.read_bytes().count(b"Traceback (most recent call last)") for log in logs}

    def _until(self, condition: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not condition() and time.monotonic() < deadline:
            self._executor.spin_once(timeout_sec=0.02)


def _time(stamp: float) -> Time:
    return Time(sec=int(stamp), nanosec=int(stamp % 1.0 * 1e9))
