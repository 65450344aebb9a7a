"""Where to look next: at frontiers, where what is known to be free meets what is unknown (Yamauchi 1997), then at what
was driven past but not looked at from nearby."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from scipy.ndimage import binary_dilation, label

from dadu.core.geometry import Pose2, Vector2
from dadu.navigation.costmap import Costmap
from dadu.navigation.path_planner import TRIES, NoPath, plan_path
from dadu.navigation.survey import NEAR, Survey, visible_cells
from dadu.world.occupancy import FREE, UNKNOWN, OccupancyMap

_LEAST = 0.5  # shorter frontiers are shadows and noise [m]
_GRID = 0.6  # between places to look from [m]
_LOOK = 3.0  # what could be driven in the time of a look round [m]
_LEAST_AREA = 1.0  # less that was not looked at is no reason to go there [m^2]


def frontiers(map: OccupancyMap) -> list[np.ndarray]:
    """Groups of adjoining frontier cells as points (N, 2) [m] in map, the longest first."""
    edge = (map.grid == FREE) & binary_dilation(map.grid == UNKNOWN)
    groups, count = label(edge, structure=np.ones((3, 3)))
    cells = [np.argwhere(groups == i + 1) for i in range(count)]
    long = [c for c in cells if len(c) * map.resolution >= _LEAST]
    return [map.centres(c) for c in sorted(long, key=len, reverse=True)]


def next_frontier(costmap: Costmap, here: Pose2, survey: Survey, avoid: Iterable[Pose2] = ()) -> Pose2 | None:
    """The nearest pose by way from which a frontier can be seen, facing it; None when all is known or out of reach.

    Poses within 0.5 m of one in `avoid`, or of a place that was looked from, are left out: what is still unknown from
    there stays so.
    """
    places = _turnable(costmap)
    poses = [pose for group in frontiers(costmap.map) if (pose := _facing(group, places)) is not None]
    looked = [*survey.places, *(pose[:2] for pose in avoid)]
    return _nearest(costmap, here, [pose for pose in poses if _apart(pose, looked)])


def next_unseen(costmap: Costmap, here: Pose2, survey: Survey, near: float, avoid: Iterable[Pose2] = ()
                ) -> Pose2 | None:
    """The pose from which the most can be seen that was not looked at from within `near` [m], for what it costs to go
    there and look; None when nothing is left."""
    unseen = (costmap.map.grid == FREE) & ~survey.seen(costmap.map, near)
    left: list[tuple[float, Pose2]] = []
    for x, y in _one_a_square(_turnable(costmap)):
        cells = visible_cells(costmap.map, (x, y), near)
        new = costmap.map.centres(cells[unseen[tuple(cells.T)]])
        area = len(new) * costmap.map.resolution ** 2
        if area >= _LEAST_AREA:
            ahead = new.mean(axis=0) - (x, y)
            left.append((area, Pose2(float(x), float(y), math.atan2(ahead[1], ahead[0]))))
    left = [(area, pose) for area, pose in left if _apart(pose, [other[:2] for other in avoid])]
    left = sorted(left, key=lambda place: place[0] / (math.dist(place[1][:2], here[:2]) + _LOOK), reverse=True)[:TRIES]
    ways = [(area / (length + _LOOK), pose) for area, pose in left
            if (length := _way(costmap, here, pose)) is not None]
    return max(ways, key=lambda way: way[0])[1] if ways else None


def _one_a_square(places: np.ndarray) -> np.ndarray:
    """Of (N, 2) [m] the one that is nearest to the middle of each square of the floor that holds some."""
    squares = np.floor(places / _GRID)
    order = np.argsort(np.linalg.norm(places - (squares + 0.5) * _GRID, axis=1), kind="stable")
    _, first = np.unique(squares[order], axis=0, return_index=True)
    return places[order[first]]


def _turnable(costmap: Costmap) -> np.ndarray:
    """(N, 2) [m] in map: where the base can turn on the spot."""
    return costmap.map.centres(np.argwhere(costmap.turnable()))


def _apart(pose: Pose2, places: Iterable[Vector2]) -> bool:
    return all(math.dist(pose[:2], place) > 0.5 for place in places)


def _nearest(costmap: Costmap, here: Pose2, poses: Iterable[Pose2]) -> Pose2 | None:
    """By way; of those that are nearest as the crow flies."""
    near = sorted(poses, key=lambda p: math.dist(p[:2], here[:2]))[:TRIES]
    ways = [(length, pose) for pose in near if (length := _way(costmap, here, pose)) is not None]
    return min(ways, key=lambda way: way[0])[1] if ways else None


def _way(costmap: Costmap, here: Pose2, there: Pose2) -> float | None:
    """[m]; None where there is none."""
    try:
        path = plan_path(costmap, here[:2], there[:2])
    except NoPath:
        return None
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def _facing(group: np.ndarray, places: np.ndarray) -> Pose2 | None:
    """The place (of (N, 2)) nearest to the middle cell of a frontier (M, 2), looking at it."""
    middle = group[np.argmin(np.linalg.norm(group - group.mean(axis=0), axis=1))]
    away = np.linalg.norm(places - middle, axis=1)
    if not len(places) or away.min() > NEAR[1]:
        return None
    x, y = (float(v) for v in places[int(np.argmin(away))])
    return Pose2(x, y, math.atan2(middle[1] - y, middle[0] - x))
