"""What is costly to hear, subscribed only while somebody looks: camera, transforms, routes, feedback, complaints."""

from __future__ import annotations

import time
from typing import Any

from dadu_interfaces.action import Articulate, Drive, Explore, Pick, Place
from dadu_nodes.operating.annotated_picture import AnnotatedPicture
from dadu_nodes.support import qos
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.transforms import TransformListener
from dadu_nodes.support.wall import PERIOD, SILENCE, STEADY
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from nav2_msgs.action import NavigateToPose
from nav_msgs.msg import OccupancyGrid, Path
from rclpy.node import Node

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.core.transforms import TransformError
from dadu.incoming.grid import occupancy
from dadu.incoming.numbers import plausible
from dadu.operator.console.live_plan import LivePlan


class OnDemandSubscriptions:
    """For as long as somebody looks."""

    def __init__(self, node: Node, plan: LivePlan) -> None:
        self._node, self._plan = node, plan
        self.eyes, self.activity, self.troubles = AnnotatedPicture(node), Activity(node), DiagnosticsMonitor(node)
        self.pose: Pose2 | None = None
        self.route: list[tuple[float, float]] = []
        """where it is about to drive [m]"""
        self._transforms = TransformListener(node)
        self._heard = PolledSubscriptions(node)
        self._heard.add(Path, "plan", self._on_route, qos.LATCHED)
        self._heard.add(OccupancyGrid, "map", self._on_map, qos.LATCHED)
        self._timer = node.create_timer(PERIOD, self._locate, clock=STEADY)

    def end(self) -> None:
        for part in (self.eyes, self.activity, self.troubles, self._transforms, self._heard):
            part.close()
        self._node.destroy_timer(self._timer)

    def _locate(self) -> None:
        self._heard.poll()
        try:
            self.pose = Pose2.from_matrix(self._transforms.tree.lookup("map", "base_link"))
            self._plan.at(self.pose)
            self.eyes.turn(self._transforms)
        except TransformError:
            return  # not localised yet

    def _on_route(self, message: Path, _waiting: int) -> None:
        if not plausible(value for p in message.poses for value in (p.pose.position.x, p.pose.position.y)):
            raise NotUsable("the route passes a place that is none")
        self.route = [(p.pose.position.x, p.pose.position.y) for p in message.poses]

    def _on_map(self, message: OccupancyGrid, _waiting: int) -> None:
        self._plan.chart(occupancy(message, self._transforms.frames.here(message.header.frame_id)))


_SKILLS = {"pick": Pick, "place": Place, "articulate": Articulate, "explore": Explore}
_DRIVES = {"drive_to_pose": Drive, "navigate_to_pose": NavigateToPose}


class Activity:
    """The newest feedback of any skill, in words."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._words, self._heard = "", -SILENCE
        self._subscriptions = [
            node.create_subscription(action.Impl.FeedbackMessage, f"{name}/_action/feedback", self._on_phase, qos.STATE)
            for name, action in _SKILLS.items()]
        self._subscriptions += [
            node.create_subscription(action.Impl.FeedbackMessage, f"{name}/_action/feedback", self._on_drive, qos.STATE)
            for name, action in _DRIVES.items()]

    def close(self) -> None:
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)

    def words(self) -> str:
        """Empty: nothing is under way."""
        return self._words if time.monotonic() - self._heard < SILENCE else ""

    def _on_phase(self, message: Any) -> None:
        self._say(message.feedback.phase.replace("_", " "))

    def _on_drive(self, message: Any) -> None:
        feedback = message.feedback
        again = f", {feedback.number_of_recoveries} times in difficulties" if feedback.number_of_recoveries else ""
        self._say(f"driving, {feedback.distance_remaining:.1f} m to go{again}")

    def _say(self, words: str) -> None:
        self._words, self._heard = words, time.monotonic()




class DiagnosticsMonitor:
    """The newest report of every node that was heard."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._heard: dict[str, tuple[float, str]] = {}
        self._subscription = node.create_subscription(DiagnosticArray, "diagnostics", self._on_reports, 50)

    def close(self) -> None:
        self._node.destroy_subscription(self._subscription)

    def sentences(self) -> list[str]:
        """One for each node with which something is wrong."""
        now = time.monotonic()
        told = {name: f"no answer for {now - when:.0f} s" if now - when > SILENCE else complaint
                for name, (when, complaint) in tuple(self._heard.items())}
        return [f"{name}: {sentence}" for name, sentence in sorted(told.items()) if sentence]

    def _on_reports(self, message: DiagnosticArray) -> None:
        for status in message.status:
            fine = status.level == DiagnosticStatus.OK
            self._heard[status.name] = time.monotonic(), "" if fine else status.message
