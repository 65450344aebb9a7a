"""Where a thing is and how large, fused over sightings that each show only part of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dadu.memory.association.labels import SURE
from dadu.world.detection import Detection
from dadu.world.graph import Entity

GAIN = 0.5
"""share of a correction that one sighting makes"""
STEP = 0.01
"""by which a sighting of a detector that wavers makes a thing smaller; larger by twice as much [m]"""
RELOCATED = 0.1
"""seen this far from where it was [m], a thing has been moved and may lie another way"""


def fuse(entity: Entity, detection: Detection, jitter: float, back: bool = False) -> Entity:
    """The entity after one more sighting.

    The visible box lies within the true one, so along each axis the true centre is within (true - visible) / 2 of the
    visible centre: the estimate moves no farther than that demands. The size grows with what is seen and never
    shrinks, unless the thing was moved or only told of. A detector that wavers gives masks that are too large, too:
    then one sighting counts for little either way. A correction smaller than `jitter` [m] is not made. `back`: it had
    been lost.
    """
    low, high = entity.bounds()
    size = high - low
    moved = back or entity.provenance != "detection" or (
        np.linalg.norm(detection.centroid - np.array(entity.position)) > RELOCATED + max(size) / 2)
    if (moved or not size.any()) and not detection.truncated:
        return replace(entity, position=_tuple(detection.centroid), size=_tuple(detection.size), yaw=0.0)

    full = np.maximum(size, detection.size) if detection.score >= SURE else _between(size, detection.size)
    slack = np.maximum(full - detection.size, 0) / 2
    target = np.clip(entity.position, detection.centroid - slack, detection.centroid + slack)
    gain = 1.0 if moved else GAIN
    shift = gain * (target - entity.position)
    grown = full - size
    if np.abs(shift).max() < jitter and np.abs(grown).max() < jitter:
        return entity
    position = _tuple(np.array(entity.position) + shift)
    if np.abs(grown).max() < jitter:
        return replace(entity, position=position)
    return replace(entity, position=position, size=_tuple(size + gain * grown), yaw=0.0)


def _between(size: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(3,) [m]: a step from `size` (3,) towards what was `seen` (3,) [m]; in the end, two thirds of what is seen are
    smaller."""
    step: np.ndarray = size + np.clip(seen - size, -STEP, 2 * STEP)
    return step


def _tuple(v: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (round(float(c), 4) for c in v)
    return x, y, z
