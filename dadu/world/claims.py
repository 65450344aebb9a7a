"""Whose top it is where two pieces of furniture seem to overlap: eyes take a counter and the sink in its row for one
long counter, and see the sink as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dadu.core.geometry import Pose2, wrap
from dadu.world.graph import Entity, Kind, Surface, WorldGraph

LEVEL = 0.06
"""tops that differ by less may be one [m]"""
SMALLER = 0.8
"""share of a top's area below which another one on it is a piece of its own, and not the same seen twice"""
ACROSS = 0.6
"""share of its width that the other one covers at least"""
ALONG = 0.1
"""by which the two may be turned to each other [rad]"""
LEAST = 0.35
"""what is left of a top has to be as long as this to be its own [m]"""


def own_part(graph: WorldGraph, piece: Entity, surface: Surface) -> Surface:
    """`surface` of `piece` without what smaller pieces beside it claim: the longest stretch between them; all of it
    where little would be left, or it is inside."""
    if surface.inside:
        return surface
    length = max(surface.size)
    axis = surface.size.index(length)
    free = [(-length / 2, length / 2)]
    for low, high in _claims(graph, piece, surface, axis):
        free = [part for a, b in free for part in ((a, min(b, low)), (max(a, high), b)) if part[1] > part[0]]
    low, high = max(free, key=lambda part: part[1] - part[0], default=(0.0, 0.0))
    if high - low < LEAST or high - low >= length:
        return surface
    middle, left = (low + high) / 2, high - low
    if axis == 0:
        return replace(surface, pose=surface.pose * Pose2(middle, 0.0, 0.0), size=(left, surface.size[1]))
    return replace(surface, pose=surface.pose * Pose2(0.0, middle, 0.0), size=(surface.size[0], left))


def _claims(graph: WorldGraph, piece: Entity, surface: Surface, axis: int) -> Iterator[tuple[float, float]]:
    """Stretches along an axis of the surface [m, from its middle]."""
    half = surface.size[1 - axis] / 2
    for other in graph.of(Kind.FURNITURE):
        for top in other.surfaces if other.id != piece.id else ():
            askew = abs(wrap(2 * (top.pose.yaw - surface.pose.yaw))) / 2
            alike = abs(top.height - surface.height) < LEVEL and min(askew, np.pi / 2 - askew) < ALONG
            if top.inside or not alike or np.prod(top.size) > SMALLER * np.prod(surface.size):
                continue
            corners = top.pose.apply(np.array([(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]) * top.size)
            local = surface.pose.inverse().apply(corners)
            across = np.clip(local[:, 1 - axis], -half, half)
            if np.ptp(across) >= ACROSS * 2 * half:
                yield float(local[:, axis].min()), float(local[:, axis].max())
