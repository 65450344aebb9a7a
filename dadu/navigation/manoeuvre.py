"""Out of a place without room to turn, or into one: straight moves and turns on the spot, as when parking a car.

Dijkstra's search over poses: steps along the base's x axis, of an omnidirectional one also sideways, and turns in
place, from the pose given.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from itertools import count

import numpy as np

from dadu.core.geometry import Pose2, wrap
from dadu.navigation.costmap import SPARE, Costmap
from dadu.navigation.path_planner import SPACING

_TURN = math.radians(10.0)
_RADIAN = 0.25  # cost of turning by a radian [m]
_CHANGE = 0.1  # cost of going over to another kind of move [m]
_FARTHEST = 1.2  # from where it begins [m]
_SEARCHED = 2000  # poses
_MOVES = tuple(Pose2(*move) for move in (
    (SPACING, 0.0, 0.0), (-SPACING, 0.0, 0.0), (0.0, 0.0, _TURN), (0.0, 0.0, -_TURN), (0.0, SPACING, 0.0),
    (0.0, -SPACING, 0.0)))
_DIFFERENTIAL = 4  # of these, the first
_CHECKED = (0.25, 0.5, 0.75, 1.0)  # shares of a move: a corner passes a cell in less than a whole turn
_LARGEST = math.pi / 2 - _TURN  # turn at once [rad]
_CELL = 0.5 * SPACING  # poses nearer to each other than this are one


def turning_place_path(costmap: Costmap, start: Pose2) -> list[Pose2]:
    """Poses from `start` to the place nearest by where the base can turn freely, each reached from the one before by a
    straight move or by a turn on the spot that touches no more than is touched before; empty where there is no way.

    Backwards it is a way into `start`.
    """
    if costmap.turns(start):
        return [start]
    return _search(costmap, start, SPARE) or _search(costmap, start, 0.0)


def _search(costmap: Costmap, start: Pose2, margin: float) -> list[Pose2]:
    order = count()
    done: set[tuple[int, int, int]] = set()
    before: dict[Pose2, tuple[Pose2 | None, int]] = {}
    queue: list[tuple[float, int, Pose2, int, Pose2 | None]] = [(0.0, next(order), start, -1, None)]
    while queue and len(done) < _SEARCHED:
        cost, _, pose, last, parent = heapq.heappop(queue)
        key = (round((pose.x - start.x) / _CELL), round((pose.y - start.y) / _CELL),
               round(math.remainder(pose.yaw - start.yaw, 2 * math.pi) / _TURN))
        if key in done:
            continue
        done.add(key)
        before[pose] = parent, last
        if costmap.turns(pose, margin):
            return _corners(before, pose)
        for move, there in _free_moves(costmap, pose):
            if math.dist(there[:2], start[:2]) < _FARTHEST:
                length, turn = math.hypot(*_MOVES[move][:2]), abs(_MOVES[move].yaw)
                price = length + _RADIAN * turn + (_CHANGE if last not in (-1, move) else 0.0)
                heapq.heappush(queue, (cost + price, next(order), there, move, pose))
    return []


def _free_moves(costmap: Costmap, pose: Pose2) -> Iterator[tuple[int, Pose2]]:
    """Moves, by number, and where they lead, that touch nothing more than now."""
    moves = _MOVES if costmap.omnidirectional else _MOVES[:_DIFFERENTIAL]
    ways = [[pose * Pose2(*(share * part for part in move)) for share in _CHECKED] for move in moves]
    now = costmap.collisions(np.array(pose))
    free = np.all(costmap.collisions(np.array(ways)) <= now, axis=1)
    yield from ((move, way[-1]) for move, way in enumerate(ways) if free[move])


def _corners(before: dict[Pose2, tuple[Pose2 | None, int]], pose: Pose2) -> list[Pose2]:
    """The way to `pose`, without what lies on the way of one and the same move; but no turn beyond a right angle at
    once, as it must not be taken the other way round."""
    way, (parent, move) = [pose], before[pose]
    while parent is not None:
        further, earlier = before[parent]
        if further is None or earlier != move or abs(wrap(parent.yaw - way[-1].yaw)) > _LARGEST:
            way.append(parent)
        parent, move = further, earlier
    return way[::-1]
