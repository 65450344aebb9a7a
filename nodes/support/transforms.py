"""Listens to ``/tf`` and ``/tf_static`` (tf2_ros has no wheel) and looks transforms up."""

from __future__ import annotations

from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from rclpy.node import Node
from tf2_msgs.msg import TFMessage

from dadu.transforms import TransformTree


class TransformListener:
    """Keeps `tree` up to date."""

    def __init__(self, node: Node, history: float = 10.0) -> None:
        self.tree = TransformTree(history)
        self._node = node
        self._subscriptions = [
            node.create_subscription(TFMessage, "/tf", self._moving, qos.TF),
            node.create_subscription(TFMessage, "/tf_static", self._fixed, qos.TF_STATIC),
        ]

    def close(self) -> None:
        """Stops listening."""
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)

    def _moving(self, message: TFMessage) -> None:
        for t in message.transforms:
            self.tree.set(t.header.frame_id, t.child_frame_id, *_parts(t.transform), seconds(t.header.stamp))

    def _fixed(self, message: TFMessage) -> None:
        for t in message.transforms:
            self.tree.set_static(t.header.frame_id, t.child_frame_id, *_parts(t.transform))


def _parts(transform) -> tuple[tuple[float, ...], tuple[float, ...]]:
    p, q = transform.translation, transform.rotation
    return (p.x, p.y, p.z), (q.x, q.y, q.z, q.w)
