"""The true state from a ``dadu_interfaces/msg/GroundTruth``, whether it came off the wire or out of a bag."""

from __future__ import annotations

from typing import Any

import numpy as np

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2, is_pose, rotation
from dadu.world.boxes import OrientedBox
from dadu.world.state import ObjectState, WorldState


def world_state(message: Any) -> WorldState:
    """Any object with the fields of the message will do; bags from before it had all of them lack some. Errors:
    NotUsable for a place or size that is none."""
    stamp, robot = message.header.stamp, message.robot
    others = dict(zip(getattr(message, "other_names", ()), getattr(message, "others", ())))
    for name, p in {"the robot": robot, **others}.items():
        if not is_pose((p.x, p.y, p.theta), (0.0, 0.0, 0.0, 1.0)):
            raise NotUsable(f"the true place of {name} is none")
    return WorldState(
        stamp=stamp.sec + stamp.nanosec * 1e-9,
        robot=Pose2(robot.x, robot.y, robot.theta),
        bodies={b.name: _body(b) for b in message.objects},
        parts=dict(zip(message.part_names, map(float, message.part_values))),
        furniture=_furniture(message),
        others={name: Pose2(p.x, p.y, p.theta) for name, p in others.items()},
    )


def _furniture(message: Any) -> dict[str, dict[str, bool]]:
    """States by predicate by piece of furniture."""
    states: dict[str, dict[str, bool]] = {}
    for name, value in zip(getattr(message, "state_names", ()), getattr(message, "state_values", ())):
        piece, _, predicate = name.rpartition("/")
        states.setdefault(piece, {})[predicate] = bool(value)
    return states


def _body(b: Any) -> ObjectState:
    p, q = b.pose.position, b.pose.orientation
    size, turned = (b.size.x, b.size.y, b.size.z), (q.x, q.y, q.z, q.w)
    if not is_pose((p.x, p.y, p.z), turned) or not is_pose(size, (0.0, 0.0, 0.0, 1.0)):
        raise NotUsable(f"the true place or size of {b.name} is none")
    box = OrientedBox(np.array([p.x, p.y, p.z]), rotation(turned), np.array(size))
    return ObjectState(b.name, b.category, box, bool(b.held), dict(zip(b.state_names, map(bool, b.state_values))),
                       getattr(b, "holder", ""))
