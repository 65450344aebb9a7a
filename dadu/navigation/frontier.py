"""Frontiers: where what is known to be free meets what is unknown (Yamauchi 1997)."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from scipy.ndimage import binary_dilation, label

from dadu.core.geometry import Pose2
from dadu.navigation.costmap import Costmap
from dadu.navigation.path_planner import NoPath, plan_path
from dadu.world.occupancy import FREE, UNKNOWN, OccupancyMap

_LEAST = 0.5  # shorter frontiers are shadows and noise [m]
_NEAR = 1.5  # farthest place to stand from a frontier [m]
_TRIES = 8  # frontiers whose way is planned


def frontiers(map: OccupancyMap) -> list[np.ndarray]:
    """Groups of adjoining frontier cells as points (N, 2) [m] in map, the longest first."""
    edge = (map.grid == FREE) & binary_dilation(map.grid == UNKNOWN)
    groups, count = label(edge, structure=np.ones((3, 3)))
    cells = [np.argwhere(groups == i + 1) for i in range(count)]
    long = [c for c in cells if len(c) * map.resolution >= _LEAST]
    return [map.centres(c) for c in sorted(long, key=len, reverse=True)]


def next_frontier(costmap: Costmap, here: Pose2, avoid: Iterable[Pose2] = ()) -> Pose2 | None:
    """The nearest pose by way from which a frontier can be seen, facing it; None when all is known or out of reach.

    Poses within 0.5 m of one in `avoid` are left out.
    """
    turnable = costmap.map.centres(np.argwhere(costmap.distance > costmap.footprint.circumscribed + 0.02))
    poses = [pose for group in frontiers(costmap.map) if (pose := _facing(group, turnable)) is not None]
    poses = [p for p in poses if all(math.dist(p[:2], a[:2]) > 0.5 for a in avoid)]
    reachable = []
    for pose in sorted(poses, key=lambda p: math.dist(p[:2], here[:2]))[:_TRIES]:
        try:
            path = plan_path(costmap, here[:2], pose[:2])
        except NoPath:
            continue
        reachable.append((float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()), pose))
    return min(reachable, key=lambda entry: entry[0])[1] if reachable else None


def _facing(group: np.ndarray, places: np.ndarray) -> Pose2 | None:
    """The place (of (N, 2)) nearest to the middle cell of a frontier (M, 2), looking at it."""
    middle = group[np.argmin(np.linalg.norm(group - group.mean(axis=0), axis=1))]
    away = np.linalg.norm(places - middle, axis=1)
    if not len(places) or away.min() > _NEAR:
        return None
    x, y = (float(v) for v in places[int(np.argmin(away))])
    return Pose2(x, y, math.atan2(middle[1] - y, middle[0] - x))
