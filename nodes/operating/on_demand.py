"""What is costly to hear, subscribed only while somebody looks: camera, transforms, routes, feedback, complaints."""

from __future__ import annotations

from dadu_nodes.operating.activity import Activity
from dadu_nodes.operating.annotated_picture import AnnotatedPicture
from dadu_nodes.operating.diagnostics_monitor import DiagnosticsMonitor
from dadu_nodes.support import qos
from dadu_nodes.support.transforms import TransformListener
from nav_msgs.msg import OccupancyGrid, Path
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.core.transforms import TransformError
from dadu.incoming.grid import occupancy
from dadu.incoming.numbers import plausible
from dadu.operator.console.live_plan import LivePlan

_POSE_PERIOD = 0.2
"""[s, wall]"""


class OnDemandSubscriptions:
    """For as long as somebody looks."""

    def __init__(self, node: Node, plan: LivePlan) -> None:
        self._node, self._plan = node, plan
        self.eyes, self.activity, self.troubles = AnnotatedPicture(node), Activity(node), DiagnosticsMonitor(node)
        self.pose: Pose2 | None = None
        self.route: list[tuple[float, float]] = []
        """where it is about to drive [m]"""
        self._transforms = TransformListener(node)
        self._subscriptions = [
            node.create_subscription(Path, "plan", self._on_route, qos.LATCHED),
            node.create_subscription(OccupancyGrid, "map", self._on_map, qos.LATCHED)]
        self._timer = node.create_timer(_POSE_PERIOD, self._locate, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def end(self) -> None:
        for part in (self.eyes, self.activity, self.troubles, self._transforms):
            part.close()
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)
        self._node.destroy_timer(self._timer)

    def _locate(self) -> None:
        try:
            self.pose = Pose2.from_matrix(self._transforms.tree.lookup("map", "base_link"))
            self._plan.at(self.pose)
            self.eyes.turn(self._transforms)
        except TransformError:
            return  # not localised yet

    def _on_route(self, message: Path) -> None:
        if not plausible(value for p in message.poses for value in (p.pose.position.x, p.pose.position.y)):
            raise NotUsable("the route passes a place that is none")
        self.route = [(p.pose.position.x, p.pose.position.y) for p in message.poses]

    def _on_map(self, message: OccupancyGrid) -> None:
        self._plan.chart(occupancy(message))
