"""Velocities, in whichever of the two types the others have: Nav2 sends TwistStamped from Kilted on, Twist before.

One process cannot have both types on a topic (a DDS participant knows a topic by one type), so it is found out who is
there, and what was made for the other type is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dadu_nodes.support import qos
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.frames import FrameNames
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.wall import DISCOVERY, STEADY
from geometry_msgs.msg import Twist as TwistMsg
from geometry_msgs.msg import TwistStamped
from rclpy.node import Node
from rclpy.topic_endpoint_info import TopicEndpointInfo
from std_msgs.msg import Header

from dadu.core.robot import Twist
from dadu.incoming.numbers import velocity

_NAMES = {"geometry_msgs/msg/Twist": TwistMsg, "geometry_msgs/msg/TwistStamped": TwistStamped}


def _matched(ours: type, theirs: Sequence[TopicEndpointInfo]) -> type:
    """The type that whoever is there has; ours where some have it, or nobody has either."""
    there = {_NAMES[info.topic_type] for info in theirs if info.topic_type in _NAMES}
    return ours if ours in there or not there else there.pop()


class TwistSubscription:
    """Hears a topic of velocities; `callback` takes them in our type, and only those that are numbers."""

    def __init__(self, node: Node, topic: str, callback: Callable[[Twist], None]) -> None:
        self._node, self._topic, self._callback = node, topic, callback
        self._kind: type = TwistMsg
        self._subscription = self._subscribe()
        node.create_timer(DISCOVERY, self._look, clock=STEADY)

    def _subscribe(self) -> Any:
        return self._node.create_subscription(self._kind, self._topic, self._on_twist, qos.COMMAND)

    def _on_twist(self, message: Any) -> None:
        twist = message.twist if isinstance(message, TwistStamped) else message
        vx, wz, vy = velocity((twist.linear.x, twist.angular.z, twist.linear.y))
        self._callback(Twist(vx=vx, wz=wz, vy=vy))

    def _look(self) -> None:
        publishers = self._node.get_publishers_info_by_topic(self._node.resolve_topic_name(self._topic))
        kind = _matched(self._kind, publishers)
        if kind is not self._kind:
            self._node.destroy_subscription(self._subscription)
            self._kind = kind
            self._subscription = self._subscribe()
            self._node.get_logger().info(f"{self._topic} is published as {kind.__name__}, and heard so")
        others = [f"{info.node_name} ({info.topic_type})" for info in publishers
                  if _NAMES.get(info.topic_type) is not self._kind]
        if others:
            Intake.of(self._node).refuse(self._topic, f"it is heard as {self._kind.__name__}, and so not from "
                                       f"{', '.join(others)}; let all publish one type")


class TwistPublisher:
    """Publishes velocities as whoever subscribes takes them."""

    def __init__(self, node: Node, topic: str, stamped: bool = False) -> None:
        """`stamped`: as TwistStamped as long as nobody is there."""
        self._node, self._topic, self._frame = node, topic, FrameNames.from_node(node).outside("base_link")
        self._kind: type = TwistStamped if stamped else TwistMsg
        self.publisher = node.create_publisher(self._kind, topic, qos.COMMAND)
        node.create_timer(DISCOVERY, self._look, clock=STEADY)

    def publish(self, twist: Twist) -> None:
        """In base_link, and where it has a stamp, of now."""
        message: Any = encode.twist(twist)
        if self._kind is TwistStamped:
            now = self._node.now() if hasattr(self._node, "now") else self._node.get_clock().now().nanoseconds * 1e-9
            message = TwistStamped(header=Header(stamp=stamp(now), frame_id=self._frame), twist=message)
        self.publisher.publish(message)

    def _look(self) -> None:
        there = self._node.get_subscriptions_info_by_topic(self._node.resolve_topic_name(self._topic))
        kind = _matched(self._kind, there)
        if kind is not self._kind:
            self._node.destroy_publisher(self.publisher)
            self._kind = kind
            self.publisher = self._node.create_publisher(kind, self._topic, qos.COMMAND)
            self._node.get_logger().info(f"{self._topic} is taken as {kind.__name__}, and published so")
