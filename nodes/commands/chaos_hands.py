"""What ``dadu chaos`` does to a graph over ROS, and what it sees of it: `dadu.eval.chaos.faults.Hands`."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from builtin_interfaces.msg import Time
from dadu_interfaces.msg import DetectionArray, GroundTruth, SkillRecord, WorldGraph
from dadu_interfaces.srv import SimDisturb
from dadu_nodes.support import qos
from dadu_nodes.support.wall import STEADY
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Twist
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Empty, Header

from dadu.eval.chaos.links import LINKS, RelayLink
from dadu.eval.chaos.processes import GraphProcesses
from dadu.eval.chaos.verdict import Standstill
from dadu.world.from_message import world_state
from dadu.world.state import WorldState

_AHEAD = 0.9
"""of the robot, where its way is blocked [m]"""
_TOPICS = {"/perception/detections": (DetectionArray, qos.STATE), "/skill_results": (SkillRecord, qos.STATE),
           "/world_graph": (WorldGraph, qos.LATCHED), "/cmd_vel_nav": (Twist, qos.COMMAND)}
"""those of the links"""


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
        self._leapt = 0.0
        """by which the clock was set ahead in all [s]"""
        self._copies: dict[RelayLink, float] = {}
        self._random = random.Random(seed)
        node.create_subscription(GroundTruth, "/sim/ground_truth", self._on_truth, qos.STATE)
        node.create_subscription(JointState, "/joint_states", self._on_joints, qos.SENSOR)
        self._clock = node.create_publisher(Clock, "/clock", qos.STATE)
        self._e_stop = node.create_publisher(Bool, "/e_stop", qos.STATE)
        self._teleop = node.create_publisher(Twist, "/cmd_vel_teleop", qos.COMMAND)
        self._release = node.create_publisher(Empty, "/operator/release", qos.STATE)
        self._disturb = node.create_client(SimDisturb, "/sim/disturb")
        self._health = node.create_publisher(DiagnosticArray, "/diagnostics", qos.STATE)
        node.create_timer(1.0, self._report, clock=STEADY)
        for link in LINKS:
            self._pass_on(node, link)

    @property
    def now(self) -> float:
        """Simulated seconds that were lived through: those over which the clock jumped do not count. 0 before the first
        ground truth."""
        return self.truth.stamp - self._leapt if self.truth is not None else 0.0

    def forget(self) -> None:
        """The graph that was seen is gone."""
        self.truth, self._leapt = None, 0.0

    def ready(self) -> bool:
        """True if the simulator is seen, and can be asked to change the world."""
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

    def relay(self, topic: str, node: str, copies: float) -> None:
        self._copies[RelayLink(topic, node)] = copies

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
        stamp = max(0.0, self.now + self._leapt + by)
        self._clock.publish(Clock(clock=_time(stamp)))

    def set_ahead(self, by: float) -> str:
        self._leapt += by  # before it is seen: what rests under the emergency stop has not rested the longer for it
        said, done = self._ask("set_ahead", "", str(by))
        if not done:
            self._leapt -= by
        return said

    def disturb(self, kind: str, thing: str, place: str) -> str:
        return self._ask(kind, thing, place)[0]

    def _ask(self, kind: str, thing: str, place: str) -> tuple[str, bool]:
        """What the simulator says to it, and whether it was done."""
        if not self._disturb.service_is_ready():
            return "nobody heard it", False
        request = SimDisturb.Request(kind=kind, object=thing, target=place)
        if kind == "block" and self.truth is not None:
            request.position.x, request.position.y = map(float, self.truth.robot.apply((_AHEAD, 0.0)))
        answer = self._disturb.call_async(request)
        self.until(answer.done, 5.0)
        return (answer.result().message, answer.result().success) if answer.done() else ("no answer", False)

    def cancel(self) -> None:
        self.cancelled = time.monotonic()

    def _report(self) -> None:
        """The simulation waits for the slowest who says how far it is: what is seen late here is judged wrongly."""
        if self.truth is not None:
            status = DiagnosticStatus(name="dadu_chaos", message="running")
            self._health.publish(DiagnosticArray(header=Header(stamp=_time(self.truth.stamp)), status=[status]))

    def _pass_on(self, node: Node, link: RelayLink) -> None:
        """Unread: nobody here needs to know what it says."""
        kind, quality = _TOPICS[link.topic]
        out = node.create_publisher(kind, link.relayed, quality)

        def forward(message: bytes) -> None:
            copies = self._copies.get(link, 1.0)
            whole = int(copies)
            for _ in range(whole + (self._random.random() < copies - whole)):
                out.publish(message)
        node.create_subscription(kind, link.topic, forward, quality, raw=True)

    def _on_truth(self, message: GroundTruth) -> None:
        self.truth = world_state(message)
        self.standstill.see(self.now, self.truth.robot, self._joints)

    def _on_joints(self, message: JointState) -> None:
        self._joints.update(zip(message.name, message.position))


def _time(stamp: float) -> Time:
    return Time(sec=int(stamp), nanosec=int(stamp % 1.0 * 1e9))
