"""Where a thing is and how large, fused over sightings that each show only part of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dadu.world.detection import Detection
from dadu.world.graph import Entity

GAIN = 0.5
"""share of a correction of the place that one sighting makes"""
STEP = 0.03
"""by which a sighting that shows no more than the best one makes a thing larger or smaller, at most: masks waver [m]"""
BETTER = 2.0
"""so many times the pixels of the best sighting show it so much better that the size is theirs"""
RELOCATED = 0.1
"""seen this far from where it was [m], a thing has been moved and may lie another way"""


def fuse(entity: Entity, detection: Detection, jitter: float, best: int) -> Entity:
    """The entity after one more sighting.

    The size is the mean over sightings, each of the weight of its pixels beside those of the `best` one, 0 where none
    counts any more. What is cut off by the picture's border only makes it larger. The visible box lies within the true
    one, so along each axis the true centre is within (true - visible) / 2 of the visible centre: the estimate moves no
    farther than that demands. A correction smaller than `jitter` [m] is not made.
    """
    low, high = entity.bounds()
    size = high - low
    most = np.inf if detection.pixels >= BETTER * best else STEP
    change = np.clip(detection.size - size, 0.0 if detection.truncated else -most, most)
    change *= detection.pixels / max(detection.pixels + best, 1)
    slack = np.maximum(size + change - detection.size, 0) / 2
    target = np.clip(entity.position, detection.centroid - slack, detection.centroid + slack)
    shift = (GAIN if best else 1.0) * (target - entity.position)
    if np.abs(shift).max() < jitter and np.abs(change).max() < jitter:
        return entity
    position = _tuple(np.array(entity.position) + shift)
    if np.abs(change).max() < jitter:
        return replace(entity, position=position)
    return replace(entity, position=position, size=_tuple(size + change), yaw=0.0)


def has_moved(entity: Entity, detection: Detection) -> bool:
    """True if it is seen for the first time, or so far from where it was that it may lie another way."""
    low, high = entity.bounds()
    away = float(np.linalg.norm(detection.centroid - np.array(entity.position)))
    return entity.provenance != "detection" or away > RELOCATED + max(high - low) / 2


def _tuple(v: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (round(float(c), 4) for c in v)
    return x, y, z
