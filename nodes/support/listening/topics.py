"""The topics of this robot, as they appear: their types, and the best quality of service that all publishers offer."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.topic_endpoint_info import TopicEndpointInfo
from rosbags.interfaces import Qos, QosDurability, QosHistory, QosLiveliness, QosReliability, QosTime

PICTURES = 100
"""rides out a stall of the disk; latched topics with several publishers need one place each"""
SMALL = 2000
"""the same for messages that are no pictures: some ten seconds of transforms at several times real time"""


def requested(publishers: Sequence[TopicEndpointInfo], depth: int = PICTURES) -> QoSProfile:
    """Reliable and latched only where all publishers are: a stricter request than an offer gets nothing."""
    reliable = all(p.qos_profile.reliability is ReliabilityPolicy.RELIABLE for p in publishers)
    latched = all(p.qos_profile.durability is DurabilityPolicy.TRANSIENT_LOCAL for p in publishers)
    return QoSProfile(
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )


def offered(qos: QoSProfile) -> tuple[Qos, ...]:
    """The same as a bag stores it; default deadline, lifespan and lease (infinite)."""
    infinite = QosTime(2147483647, 4294967295)
    return (Qos(QosHistory.KEEP_LAST, qos.depth, QosReliability[qos.reliability.name],
                QosDurability[qos.durability.name], infinite, infinite, QosLiveliness.AUTOMATIC, infinite, False),)


_SHARED = ("/tf", "/tf_static", "/clock")


class Topic(NamedTuple):
    """One that somebody publishes."""

    name: str
    type: str
    """such as ``std_msgs/msg/String``"""
    publishers: list[TopicEndpointInfo]


def published_topics(node: Node, known: Container[str]) -> Iterator[Topic]:
    """Those in the node's namespace, and what robots share, that are not among the `known` names."""
    there = node.get_namespace().rstrip("/") + "/"
    for name, types in node.get_topic_names_and_types():
        ours = name.startswith(there) or name in _SHARED
        if ours and name not in known and not types[0].endswith("_Event"):
            publishers = node.get_publishers_info_by_topic(name)
            if publishers:
                yield Topic(name, types[0], publishers)
