"""Floors as rectangles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dadu.world.graph import points_in_polygon


def rectangles(polygon: Sequence[tuple[float, float]], step: float = 0.25) -> list[tuple[np.ndarray, np.ndarray]]:
    """Lower and upper corners (2,) [m], in the polygon's frame, of disjoint rectangles that cover a polygon.

    Exact for outlines along the axes; slanted edges are approximated by strips of `step`.
    """
    corners = np.asarray(polygon, float)
    edges = np.roll(corners, -1, axis=0) - corners
    slanted = (np.abs(edges) > 1e-6).all(axis=1).any()
    xs, ys = (_cuts(corners[:, axis], step if slanted else None) for axis in (0, 1))
    found = []
    for y0, y1 in zip(ys, ys[1:], strict=False):
        start = None
        for x0, x1 in zip(xs, xs[1:], strict=False):
            covered = points_in_polygon(polygon, ((x0 + x1) / 2, (y0 + y1) / 2))
            if covered and start is None:
                start = x0
            if start is not None and (not covered or x1 == xs[-1]):
                found.append((np.array([start, y0]), np.array([x1 if covered else x0, y1])))
                start = None
    return found


def _cuts(values: np.ndarray, step: float | None) -> np.ndarray:
    """The distinct coordinates of corners, with steps in between where wanted."""
    cuts = np.unique(values)
    return cuts if step is None else np.unique(np.concatenate([cuts, np.arange(cuts[0], cuts[-1], step)]))
