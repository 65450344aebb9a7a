"""The error of localisation that all things in one picture share.

Where the robot believes to stand 30 cm beside where it stands, everything that it sees is 30 cm off, all the same way.
The offset that most pairs of a detection and a thing it may be agree on is taken for that error.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dadu.memory.association.matching import same_kind
from dadu.world.detection import Detection
from dadu.world.graph import Entity

AGREEMENT = 0.1
"""offsets this close to each other are one [m]"""
WITNESSES = 3
"""things that must agree, beyond those that are where they were"""


def common_offset(detections: Sequence[Detection], entities: Sequence[Entity], reach: float) -> np.ndarray:
    """float64 (3,) [m] in map to be added to where things are remembered, at most `reach`; zeros where nothing speaks
    for an offset."""
    pairs = [(i, e.id, detection.centroid - np.array(e.position)) for i, detection in enumerate(detections)
             for e in entities if same_kind(detection, e)]
    near = [pair for pair in pairs if np.linalg.norm(pair[2]) <= reach]
    if len(near) < WITNESSES:
        return np.zeros(3)
    offsets = np.array([offset for _, _, offset in near])
    agreeing = [np.linalg.norm(offsets - offset, axis=1) <= AGREEMENT for offset in (np.zeros(3), *offsets)]
    support = [_witnesses(near, which) for which in agreeing]
    best = int(np.argmax(support))
    if best == 0 or support[best] < support[0] + WITNESSES:
        return np.zeros(3)
    return offsets[agreeing[best]].mean(axis=0)


def _witnesses(pairs: Sequence[tuple[int, str, np.ndarray]], which: np.ndarray) -> int:
    """Different things among the chosen pairs, each seen by a detection of its own."""
    chosen = [pair for pair, take in zip(pairs, which, strict=True) if take]
    return min(len({i for i, _, _ in chosen}), len({id for _, id, _ in chosen}))
