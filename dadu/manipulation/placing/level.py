"""How high a surface is, as it is seen from nearby: memory may have it a few centimetres off, and would take all of it
for something that stands on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dadu.world.graph import Surface

OFF = 0.06
"""by which memory may be wrong [m]"""
FLAT, MOST = 0.008, 0.8
"""what lies this close to one level is of it [m], and is so much of what is seen about there, at least"""
FEWEST = 60
"""points from which a level is told"""
_RIM = 0.03
"""at the edge of a surface nothing is told [m]"""


def levelled(surface: Surface, points: np.ndarray) -> Surface:
    """`surface` at the level on which most of `points` (N, 3) [m, map] above and below it lie; unmoved where that is
    not clear."""
    local = np.abs(surface.pose.inverse().apply(points[:, :2]))
    over = (local < np.array(surface.size) / 2 - _RIM).all(axis=1) & (np.abs(points[:, 2] - surface.height) < OFF)
    heights = np.sort(points[over, 2])
    if len(heights) < FEWEST:
        return surface
    within = np.searchsorted(heights, heights + 2 * FLAT, side="right") - np.arange(len(heights))
    first = int(within.argmax())
    if within[first] < MOST * len(heights):
        return surface
    return replace(surface, height=float(np.median(heights[first:first + within[first]])))
