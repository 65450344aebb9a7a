"""Global paths: A* (pyastar2d) on the inflated costs, pulled straight where that is cheaper.

pyastar2d counts a diagonal step like a straight one, so what is shortest for it zigzags or bulges. Both its metrics
(with diagonals, and without) are searched, each path's cells are cut short by dynamic programming over straight
segments in the true metric, and the cheaper of the two is taken.
"""

from __future__ import annotations

from enum import Enum

import numpy as np
import pyastar2d
from numpy.typing import ArrayLike

from dadu.core.errors import DaduError
from dadu.navigation.costmap import Costmap
from dadu.navigation.footprint import resample

SPACING = 0.05
"""of the points of a path, and of steps [m]"""
TRIES = 8
"""places whose ways are planned before one of them is chosen"""
_CORNERS = 48  # at most so many cells of a path may become corners
_TOGETHER = 200  # segments that are priced at once


class Reason(Enum):
    """Why there is no path."""

    START_BLOCKED = "the robot stands too close to an obstacle to plan from here"
    GOAL_BLOCKED = "the goal is too close to an obstacle"
    GOAL_OUTSIDE = "the goal lies outside of the map"
    NO_PATH = "no way is wide enough"


class NoPath(DaduError):
    """The planner found no path; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def plan_path(costmap: Costmap, start: ArrayLike, goal: ArrayLike, spacing: float = SPACING) -> np.ndarray:
    """(N, 2) points [m] in map, about `spacing` apart, from `start` (2,) to `goal` (2,).

    Errors: NoPath.
    """
    costs = costmap.costs()
    start_cell, goal_cell = (tuple(int(i) for i in costmap.map.cells(p)) for p in (start, goal))
    if not costmap.map.contains(goal_cell):
        raise NoPath(Reason.GOAL_OUTSIDE)
    for cell, reason in ((start_cell, Reason.START_BLOCKED), (goal_cell, Reason.GOAL_BLOCKED)):
        if not costmap.map.contains(cell) or not np.isfinite(costs[cell]):
            raise NoPath(reason)
    found = [pyastar2d.astar_path(costs, start_cell, goal_cell, allow_diagonal=d) for d in (True, False)]
    if any(cells is None for cells in found):
        # The diagonal search may slip between two obstacles that touch at a corner; that way is not wide enough.
        raise NoPath(Reason.NO_PATH)
    total, corners = min((straighten(costs, cells) for cells in found), key=lambda candidate: candidate[0])
    points = costmap.map.centres(corners)
    points[0], points[-1] = start, goal
    return resample(points, spacing)


def straighten(costs: np.ndarray, cells: np.ndarray) -> tuple[float, np.ndarray]:
    """The cheapest way along a path's cells (N, 2) that may cut straight between some of them: its cost [cells] and
    its corners (M, 2).

    Dynamic programming over at most `_CORNERS` of the cells; a segment costs its length times the mean of what it
    crosses, inf through a blocked cell. Following the cells themselves stays possible, so there always is a way.
    """
    index = np.unique(np.linspace(0, len(cells) - 1, min(len(cells), _CORNERS)).round().astype(int))
    corners, along = cells[index], _lengths(costs, cells)[index]
    through = _segments(costs, corners)
    best, before = np.full(len(index), np.inf), np.full(len(index), -1)
    best[0] = 0.0
    for j in range(1, len(index)):
        following, straight = best[j - 1] + along[j] - along[j - 1], best[:j] + through[:j, j]
        i = int(np.argmin(straight))
        best[j], before[j] = (straight[i], i) if straight[i] <= following else (following, -1)
    pieces, j = [], len(index) - 1
    while j > 0:
        i = before[j]
        pieces.append(corners[j:j + 1] if i >= 0 else cells[index[j]:index[j - 1]:-1])
        j = i if i >= 0 else j - 1
    return float(best[-1]), np.concatenate([*pieces, cells[:1]])[::-1]


def _segments(costs: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(N, N) costs [cells] of the straight segments between cells `corners` (N, 2), from the earlier to the later; 0 in
    the lower triangle."""
    out = np.zeros((len(corners), len(corners)), np.float32)
    first, last = np.triu_indices(len(corners), 1)
    steps = (corners[last] - corners[first]).astype(np.float32)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    reach = np.ceil(lengths).astype(int)
    order = np.argsort(reach)
    for group in np.array_split(order, max(1, len(order) // _TOGETHER)):  # of about the same length
        t = np.linspace(0, 1, int(reach[group].max(initial=1)) + 1, dtype=np.float32)[:, None]
        rows, columns = (np.rint(corners[first[group], k] + steps[group, k] * t).astype(np.intp) for k in (0, 1))
        out[first[group], last[group]] = lengths[group] * costs[rows, columns].mean(axis=0)
    return out


def _lengths(costs: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """(N,) cost from the first of a chain of neighbouring cells (N, 2) along it to each."""
    steps = np.linalg.norm(np.diff(cells, axis=0), axis=1)
    values = costs[cells[:, 0], cells[:, 1]]
    return np.concatenate([[0.0], np.cumsum(steps * (values[1:] + values[:-1]) / 2)])
