"""Where to stand when a room is the goal."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dadu.core.geometry import Pose2
from dadu.navigation.standing.base_poses import BasePoseCandidate
from dadu.world.graph import Entity, points_in_polygon

_STEP = 0.25  # [m]


def room_base_poses(room: Entity) -> Iterator[BasePoseCandidate]:
    """Poses all over the room, the middle preferred, facing the middle."""
    corners = np.array(room.polygon, float)
    if len(corners) < 3:
        yield BasePoseCandidate(room.pose, 0.0)
        return
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle = (low + high) / 2
    for x in np.arange(low[0] + _STEP, high[0], _STEP):
        for y in np.arange(low[1] + _STEP, high[1], _STEP):
            if points_in_polygon(room.polygon, (x, y)):
                away = math.dist((x, y), middle)
                yaw = math.atan2(middle[1] - y, middle[0] - x) if away > 0.1 else 0.0
                yield BasePoseCandidate(Pose2(float(x), float(y), yaw), 0.5 * away)
