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

_CORNERS = 48  # at most so many cells of a path may become corners


class Reason(Enum):
    """Why there is no path."""

    START_BLOCKED = "the robot stands too close to an obstacle to plan from here"
    GOAL_BLOCKED = "the goal is too close to an obstacle"
    NO_PATH = "no way is wide enough"


class NoPath(DaduError):
    """The planner found no path; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def plan_path(costmap: Costmap, start: ArrayLike, goal: ArrayLike, spacing: float = 0.05) -> np.ndarray:
    """(N, 2) points [m] in map, about `spacing` apart, from `start` (2,) to `goal` (2,).

    Errors: NoPath.
    """
    costs = costmap.costs()
    start_cell, goal_cell = (tuple(int(i) for i in costmap.map.cells(p)) for p in (start, goal))
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
    corners = cells[index]
    best, before = np.full(len(index), np.inf), np.full(len(index), -1)
    best[0] = 0.0
    for j in range(1, len(index)):
        along = best[j - 1] + _length(costs, cells[index[j - 1]:index[j] + 1])
        through = best[:j] + _segments(costs, corners[:j], corners[j])
        i = int(np.argmin(through))
        best[j], before[j] = (through[i], i) if through[i] <= along else (along, -1)
    pieces, j = [], len(index) - 1
    while j > 0:
        i = before[j]
        pieces.append(corners[j:j + 1] if i >= 0 else cells[index[j]:index[j - 1]:-1])
        j = i if i >= 0 else j - 1
    return float(best[-1]), np.concatenate([*pieces, cells[:1]])[::-1]


def resample(points: np.ndarray, spacing: float) -> np.ndarray:
    """(N, 2) points every `spacing` [m] or closer along a polyline (M, 2), in its frame; keeps its ends and corners."""
    pieces = []
    for a, b in zip(points[:-1], points[1:], strict=True):
        n = max(1, int(np.ceil(np.linalg.norm(b - a) / spacing)))
        pieces.append(a + (b - a) * np.arange(n)[:, None] / n)
    return np.concatenate([*pieces, points[-1:]])


def _segments(costs: np.ndarray, starts: np.ndarray, end: np.ndarray) -> np.ndarray:
    """(N,) costs of the straight segments from cells `starts` (N, 2) to the cell `end` (2,)."""
    lengths = np.linalg.norm(end - starts, axis=1)
    t = np.linspace(0, 1, max(2, int(np.ceil(2 * lengths.max())) + 1))
    samples = np.rint(starts[:, None] + (end - starts)[:, None] * t[:, None]).astype(int)
    return lengths * costs[samples[..., 0], samples[..., 1]].mean(axis=1)


def _length(costs: np.ndarray, cells: np.ndarray) -> float:
    """Cost of a chain of neighbouring cells (N, 2)."""
    steps = np.linalg.norm(np.diff(cells, axis=0), axis=1)
    values = costs[cells[:, 0], cells[:, 1]]
    return float(steps @ (values[1:] + values[:-1]) / 2)
