"""The outline of a region of cells as a polygon."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import binary_fill_holes, binary_opening, label

TOLERANCE = 0.08
"""how far an outline may be off, to be of fewer corners [m]"""
Corner = tuple[int, int]


def outline(cells: np.ndarray, resolution: float, origin: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Corners [m] of the largest part of `cells`, bool (rows, cols), whose edges are `resolution` [m] long and whose
    first one's lower left corner is at `origin` [m]; none where nothing is left. Holes are filled."""
    parts, count = label(binary_opening(binary_fill_holes(cells), np.ones((2, 2))))
    if not count:
        return ()
    largest = parts == 1 + int(np.argmax(np.bincount(parts.ravel())[1:]))
    corners = np.array(_around(binary_fill_holes(largest)), float)
    points = corners[:, ::-1] * resolution + origin
    far = int(np.argmax(np.linalg.norm(points - points[0], axis=1)))
    kept = [*_thinned(points[:far + 1])[:-1], *_thinned(np.vstack([points[far:], points[:1]]))[:-1]]
    return tuple((round(float(x), 3), round(float(y), 3)) for x, y in kept)


def _around(cells: np.ndarray) -> list[Corner]:
    """Corners (row, column) of cells along the longest closed line between them and the rest."""
    p = np.pad(cells, 1)
    after: dict[Corner, list[Corner]] = {}

    def add(edges: np.ndarray, start: Corner, end: Corner) -> None:
        for r, c in np.argwhere(edges).tolist():
            after.setdefault((r + start[0], c + start[1]), []).append((r + end[0], c + end[1]))

    own = p[1:-1, 1:-1]
    add(own & ~p[:-2, 1:-1], (0, 0), (0, 1))
    add(own & ~p[1:-1, 2:], (0, 1), (1, 1))
    add(own & ~p[2:, 1:-1], (1, 1), (1, 0))
    add(own & ~p[1:-1, :-2], (1, 0), (0, 0))
    best: list[Corner] = []
    while after:
        start = next(iter(after))
        line: list[Corner] = []
        here = start
        while not line or here != start:
            line.append(here)
            ends = after[here]
            there = ends.pop()
            if not ends:
                del after[here]
            here = there
        best = max(best, line, key=len)
    return best


def _thinned(line: np.ndarray) -> np.ndarray:
    """An open line (N, 2) [m] with as few corners as `TOLERANCE` lets it have (Douglas, Peucker 1973)."""
    if len(line) < 3:
        return line
    along = line[-1] - line[0]
    length = float(np.hypot(*along))
    off = line - line[0]
    away = np.abs(off[:, 0] * along[1] - off[:, 1] * along[0]) / length if length > 0 else np.linalg.norm(off, axis=1)
    farthest = int(np.argmax(away))
    if away[farthest] <= TOLERANCE:
        return line[[0, -1]]
    return np.vstack([_thinned(line[:farthest + 1])[:-1], _thinned(line[farthest:])])
