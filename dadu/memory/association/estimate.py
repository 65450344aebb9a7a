"""Where a thing is and how large, fused over sightings that each show only part of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dadu.world.detection import Detection
from dadu.world.graph import Entity

GAIN = 0.5
"""share of a correction that one sighting makes"""
RELOCATED = 0.1
"""seen this far from where it was [m], a thing has been moved and may lie another way"""


def fuse(entity: Entity, detection: Detection, jitter: float) -> Entity:
    """The entity after one more sighting.

    The visible box lies within the true one, so along each axis the true centre is within (true - visible) / 2 of the
    visible centre: the estimate moves no farther than that demands. The size grows with what is seen and never
    shrinks, unless the thing was moved or only told of. A correction smaller than `jitter` [m] is not made.
    """
    low, high = entity.bounds()
    size = high - low
    moved = entity.provenance != "detection" or (
        np.linalg.norm(detection.centroid - np.array(entity.position)) > RELOCATED + max(size) / 2)
    if (moved or not size.any()) and not detection.truncated:
        return replace(entity, position=_tuple(detection.centroid), size=_tuple(detection.size), yaw=0.0)

    full = np.maximum(size, detection.size)
    slack = (full - detection.size) / 2
    target = np.clip(entity.position, detection.centroid - slack, detection.centroid + slack)
    gain = 1.0 if moved else GAIN
    shift = gain * (target - entity.position)
    grown = full - size
    if np.abs(shift).max() < jitter and grown.max() < jitter:
        return entity
    position = _tuple(np.array(entity.position) + shift)
    if grown.max() < jitter:
        return replace(entity, position=position)
    return replace(entity, position=position, size=_tuple(size + gain * grown), yaw=0.0)


def _tuple(v: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (round(float(c), 4) for c in v)
    return x, y, z
