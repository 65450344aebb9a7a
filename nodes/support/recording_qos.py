"""Quality of service for a recorder: asks for the best that every publisher offers, and notes it down for playback."""

from __future__ import annotations

from collections.abc import Sequence

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
