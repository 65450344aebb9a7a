"""How far two sightings may be of one thing: where they are, and how they look.

Source: ConceptGraphs (Gu et al. 2024), whose similarity is the sum of a geometric one (the share of the points of one
that are near those of the other) and a semantic one (half of the cosine of the embeddings, and a half more). Memory
keeps boxes instead of points; so here the geometric one is the share of the smaller box that lies in the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from dadu.memory.association.labels import SURE
from dadu.memory.association.matching import colors_differ
from dadu.world.detection import Detection
from dadu.world.graph import Entity

ALIKE = 1.4
"""sum of both, of 2 at most, from which on two are one; ConceptGraphs has 1.1, with points"""
LARGER = 2.0
"""than it is known to be, a thing is seen by this factor at most"""
_RIM = 0.01
"""by which boxes may be off, each way [m]"""
Box = tuple[np.ndarray, np.ndarray]
"""lowest and highest corner (3,) [m, map]"""
Looks = Mapping[str, np.ndarray]
"""mean embeddings (D,) of unit length by entity, of those that have one"""


def similarity(a: Box, b: Box, look_a: np.ndarray, look_b: np.ndarray) -> float:
    """0 to 2; `look_a`, `look_b`: embeddings (D,) of unit length."""
    return _overlap(a, b) + 0.5 + 0.5 * float(look_a @ look_b)


def box_of(detection: Detection) -> Box:
    """Of what is seen of it."""
    return detection.centroid - detection.size / 2, detection.centroid + detection.size / 2


def find_alike(detections: Sequence[Detection], indices: Sequence[int], entities: Sequence[Entity], looks: Looks
               ) -> dict[int, Entity]:
    """Of the detections at `indices`, by detectors that waver, those that are one of `entities` by place and look,
    whatever they are called: the entity by index, one to one."""
    rows = [i for i in indices if detections[i].embedding is not None and detections[i].score < SURE]
    left = [e for e in entities if e.id in looks]
    if not rows or not left:
        return {}
    table = np.array([[_to_entity(detections[i], e, looks[e.id]) for e in left] for i in rows])
    found = zip(*linear_sum_assignment(-table), strict=True)
    return {rows[r]: left[c] for r, c in found if table[r, c] >= ALIKE}


def is_part(detection: Detection, others: Sequence[Detection]) -> bool:
    """True if what is seen is a part of one of `others`, in the same picture: a detector has cut one thing in two."""
    look = detection.embedding
    if look is None or detection.score >= SURE:
        return False
    return any(other.embedding is not None
               and similarity(box_of(detection), box_of(other), look, other.embedding) >= ALIKE for other in others)


def _to_entity(detection: Detection, entity: Entity, look: np.ndarray) -> float:
    embedding = detection.embedding
    if embedding is None or embedding.shape != look.shape or colors_differ(detection.attributes, entity.attributes):
        return 0.0
    if max(detection.size) > LARGER * max(entity.size):
        return 0.0  # a mask of several things, or of what they are on, would carry one of them off
    return similarity(box_of(detection), entity.bounds(), embedding, look)


def _overlap(a: Box, b: Box) -> float:
    """Share of the smaller box, both with a rim, that lies in the other."""
    (low_a, high_a), (low_b, high_b) = a, b
    both = np.minimum(high_a, high_b) - np.maximum(low_a, low_b) + 2 * _RIM
    if (both <= 0).any():
        return 0.0
    return float(both.prod() / min((high_a - low_a + 2 * _RIM).prod(), (high_b - low_b + 2 * _RIM).prod()))
