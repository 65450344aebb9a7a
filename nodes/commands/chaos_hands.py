"""What ``dadu chaos`` does to a graph over ROS, and what it sees of it: `dadu.eval.chaos.faults.Hands`."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from builtin_interfaces.msg import Time
from dadu_interfaces.msg import DetectionArray, GroundTruth, SkillRecord
from dadu_interfaces.srv import SimDisturb
from dadu_nodes.support import qos
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Twist
from rclpy.clock import Clock as RosClock
from rclpy.clock import ClockType
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Empty, Header

from dadu.eval.chaos.graph import RELAYED, relayed
from dadu.eval.chaos.processes import GraphProcesses
from dadu.eval.chaos.standstill import Standstill
from dadu.world.from_message import world_state
from dadu.world.state import WorldState

_AHEAD = 0.9
"""of the robot, where its way is blocked [m]"""


class GraphHands:
    """One node's worth of publishers and subscriptions."""

    def __init__(self, node: Node, executor: SingleThreadedExecutor, processes: GraphProcesses, seed: int) -> None:
        self.standstill = Standstill()
        self.cancelled: float | None = None
        """when the task was last cancelled, wall [s]"""
        self._executor, self._processes = executor, processes
        self.truth: WorldState | None = None
        """the newest; None before the first"""
        self._joints: dict[str, float] = {}
        self._copies = 1.0
        self._random = random.Random(seed)
        node.create_subscription(GroundTruth, "/sim/ground_truth", self._on_truth, qos.STATE)
        node.create_subscription(JointState, "/joint_states", self._on_joints, qos.SENSOR)
        self._clock = node.create_publisher(Clock, "/clock", qos.STATE)
        self._e_stop = node.create_publisher(Bool, "/e_stop", qos.STATE)
        self._teleop = node.create_publisher(Twist, "/cmd_vel_teleop", qos.COMMAND)
        self._release = node.create_publisher(Empty, "/operator/release", qos.STATE)
        self._disturb = node.create_client(SimDisturb, "/sim/disturb")
        self._health = node.create_publisher(DiagnosticArray, "/diagnostics", qos.STATE)
        node.create_timer(1.0, self._report, clock=RosClock(clock_type=ClockType.STEADY_TIME))
        for topic, kind in zip(RELAYED, (DetectionArray, SkillRecord), strict=True):
            self._pass_on(node, topic, kind)

    @property
    def now(self) -> float:
        """Simulated [s]; 0 before the first ground truth."""
        return self.truth.stamp if self.truth is not None else 0.0

    def forget(self) -> None:
        """The graph that was seen is gone."""
        self.truth = None

    def ready(self) -> bool:
        """Whether the simulator is seen, and can be asked to change the world."""
        return self.truth is not None and self._disturb.service_is_ready()

    def until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Takes what comes until `condition()`, at most for so long (wall)."""
        deadline = time.monotonic() + seconds
        while not condition() and time.monotonic() < deadline:
            self._executor.spin_once(timeout_sec=0.02)

    def send(self, node: str, number: int) -> None:
        self._processes.send(node, number)

    def fill_disk(self, node: str, full: bool) -> None:
        self._processes.fill_disk(node, full)

    def relay(self, copies: float) -> None:
        self._copies = copies

    def press(self, pressed: bool) -> None:
        self._e_stop.publish(Bool(data=pressed))
        if pressed:
            self.standstill.press(self.now)
        else:
            self.standstill.release()

    def hold_base(self) -> None:
        self._teleop.publish(Twist())

    def release_base(self) -> None:
        self._release.publish(Empty())

    def shift_clock(self, by: float) -> None:
        stamp = max(0.0, self.now + by)
        self._clock.publish(Clock(clock=_time(stamp)))

    def disturb(self, kind: str, thing: str, place: str) -> str:
        if not self._disturb.service_is_ready():
            return "nobody heard it"
        request = SimDisturb.Request(kind=kind, object=thing, target=place)
        if kind == "block" and self.truth is not None:
            request.position.x, request.position.y = map(float, self.truth.robot.apply((_AHEAD, 0.0)))
        answer = self._disturb.call_async(request)
        self.until(answer.done, 5.0)
        return answer.result().message if answer.done() else "no answer"

    def cancel(self) -> None:
        self.cancelled = time.monotonic()

    def _report(self) -> None:
        """The simulation waits for the slowest who says how far it is: what is seen late here is judged wrongly."""
        if self.truth is not None:
            status = DiagnosticStatus(name="dadu_chaos", message="running")
            self._health.publish(DiagnosticArray(header=Header(stamp=_time(self.now)), status=[status]))

    def _pass_on(self, node: Node, topic: str, kind: Any) -> None:
        out = node.create_publisher(kind, relayed(topic), qos.STATE)

        def forward(message: Any) -> None:
            whole = int(self._copies)
            for _ in range(whole + (self._random.random() < self._copies - whole)):
                out.publish(message)
        node.create_subscription(kind, topic, forward, qos.STATE)

    def _on_truth(self, message: GroundTruth) -> None:
        self.truth = world_state(message)
        self.standstill.see(self.truth.stamp, self.truth.robot, self._joints)

    def _on_joints(self, message: JointState) -> None:
        self._joints.update(zip(message.name, message.position))


def _time(stamp: float) -> Time:
    return Time(sec=int(stamp), nanosec=int(stamp % 1.0 * 1e9))
