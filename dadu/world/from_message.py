"""The true state from a ``dadu_interfaces/msg/GroundTruth``, whether it came off the wire or out of a bag."""

from __future__ import annotations

from typing import Any

import numpy as np

from dadu.core.geometry import Pose2, rotation
from dadu.world.boxes import OrientedBox
from dadu.world.state import ObjectState, WorldState


def world_state(message: Any) -> WorldState:
    """Any object with the fields of the message will do."""
    stamp, robot = message.header.stamp, message.robot
    return WorldState(
        stamp=stamp.sec + stamp.nanosec * 1e-9,
        robot=Pose2(robot.x, robot.y, robot.theta),
        bodies={b.name: _body(b) for b in message.objects},
        parts=dict(zip(message.part_names, map(float, message.part_values))),
        furniture=_furniture(message),
    )


def _furniture(message: Any) -> dict[str, dict[str, bool]]:
    """States by predicate by piece of furniture. Bags that were recorded before messages told them have none."""
    states: dict[str, dict[str, bool]] = {}
    for name, value in zip(getattr(message, "state_names", ()), getattr(message, "state_values", ())):
        piece, _, predicate = name.rpartition("/")
        states.setdefault(piece, {})[predicate] = bool(value)
    return states


def _body(b: Any) -> ObjectState:
    p, q = b.pose.position, b.pose.orientation
    box = OrientedBox(np.array([p.x, p.y, p.z]), rotation((q.x, q.y, q.z, q.w)),
                      np.array([b.size.x, b.size.y, b.size.z]))
    return ObjectState(b.name, b.category, box, bool(b.held), dict(zip(b.state_names, map(bool, b.state_values))))
