"""Joins a running graph, in the namespace that it has."""

from __future__ import annotations

from typing import Any

import rclpy
from dadu_nodes.support import frames

from dadu.bringup.naming import ros_words, shared_names


def join(namespace: str = "", frame_prefix: str = "", **options: Any) -> None:
    """Initialises ROS so that all nodes of this process are in `namespace` and call their frames with `frame_prefix`;
    `options` are those of `rclpy.init`. To be called once a process."""
    words = ros_words(namespace, shared_names(namespace, frame_prefix))
    if frame_prefix:
        words += ["-p", f"{frames.PARAMETER}:={frame_prefix}"]
    rclpy.init(args=["--ros-args", *words] if words else None, **options)
