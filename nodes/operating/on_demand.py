"""What is costly to hear, subscribed only while somebody looks: camera, transforms, routes, feedback, complaints."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from dadu_interfaces.action import Articulate, Drive, Explore, Pick, Place
from dadu_interfaces.msg import DetectionArray
from dadu_nodes.support import qos
from dadu_nodes.support.clock import SAME, seconds
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.listening.offered import SensorSubscription
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.transforms import TransformListener
from dadu_nodes.support.wall import LATE, PERIOD, SILENCE, STEADY
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from nav2_msgs.action import NavigateToPose
from nav_msgs.msg import OccupancyGrid, Path
from rclpy.node import Node
from rclpy.subscription import Subscription
from sensor_msgs.msg import CompressedImage, Image

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.core.transforms import TransformError
from dadu.incoming.grid import occupancy
from dadu.incoming.numbers import plausible
from dadu.incoming.pictures import color
from dadu.operator.console.live_plan import LivePlan
from dadu.operator.console.sight import outside_view, sight_view
from dadu.operator.console.state import SightView
from dadu.perception.upright import quarter_turns
from dadu.replay import messages
from dadu.world.detection import DetectionFrame
from dadu.world.graph import WorldGraph


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


_KEPT = 10
"""pictures that wait for their detections"""


class AnnotatedPicture:
    """Subscribed for as long as this is open. `sight` is called by the web server's threads, the rest by the node's."""

    def __init__(self, node: Node) -> None:
        self._pictures: deque[Image] = deque(maxlen=_KEPT)
        self._node, self._turns = node, 0
        self._heard = -LATE
        self._shown: tuple[Image, DetectionFrame | None] | None = None
        self._made: tuple[object, SightView | None] = None, None
        """what was made of which `_shown`"""
        self._camera = SensorSubscription(node, Image, "camera/color/image_raw", self._on_image, qos.CAMERA)
        self._seen = node.create_subscription(DetectionArray, "perception/detections", self._on_detections, qos.STATE)

    def close(self) -> None:
        self._camera.close()
        self._node.destroy_subscription(self._seen)

    def turn(self, transforms: TransformListener) -> None:
        """Finds out which way up the camera is. Errors: TransformError."""
        if self._pictures:
            camera = transforms.frames.here(self._pictures[-1].header.frame_id)
            self._turns = quarter_turns(transforms.tree.lookup("map", camera)[:3, :3])

    def sight(self, after: float, graph: WorldGraph) -> SightView | None:
        """None: there is no picture, or it is that of the stamp `after`, or cannot be read."""
        shown = self._shown
        if shown is None or abs((stamp := seconds(shown[0].header.stamp)) - after) < SAME:
            return None
        of, made = self._made
        if of is not shown:
            made = None
            try:
                made = sight_view(stamp, color(shown[0]), self._turns, shown[1], graph)
            except NotUsable as unusable:
                Intake.of(self._node).refuse("camera/color/image_raw", str(unusable))
            self._made = shown, made
        return made

    def _on_image(self, message: Image) -> None:
        self._pictures.append(message)
        if time.monotonic() - self._heard > LATE:
            self._shown = message, None

    def _on_detections(self, message: DetectionArray) -> None:
        self._heard, stamp = time.monotonic(), seconds(message.header.stamp)
        for picture in self._pictures:
            if abs(seconds(picture.header.stamp) - stamp) < SAME:
                self._shown = picture, messages.detections(message)


TOPIC = "sim/outside/compressed"


class OutsidePicture:
    """Subscribed while the page asks for it: the simulator draws no longer than that. `sight` is called by the web
    server's threads, the rest by the node's."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._asked = -SILENCE
        self._subscription: Subscription | None = None
        self._shown: SightView | None = None
        self.there = False
        """True where a simulator offers such pictures"""

    def sight(self, after: float) -> SightView | None:
        """None: there is no picture, or it is that of the stamp `after`."""
        self._asked = time.monotonic()
        shown = self._shown
        return None if shown is None or shown.stamp == after else shown

    def check(self) -> None:
        """Now and then."""
        self.there = self._node.count_publishers(TOPIC) > 0
        looking = time.monotonic() - self._asked < SILENCE
        if looking and self._subscription is None:
            self._subscription = self._node.create_subscription(CompressedImage, TOPIC, self._on_picture, qos.NEWEST)
        elif not looking and self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = self._shown = None

    def _on_picture(self, message: CompressedImage) -> None:
        self._shown = outside_view(seconds(message.header.stamp), bytes(message.data))
