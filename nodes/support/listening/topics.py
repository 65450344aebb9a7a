"""The topics of this robot, as they appear."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from rclpy.node import Node
from rclpy.topic_endpoint_info import TopicEndpointInfo

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
