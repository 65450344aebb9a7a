"""What a thing is, when a detector wavers: every sighting is a vote, and one place holds one thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from dadu.memory.association.matching import colors_differ
from dadu.world.detection import Detection
from dadu.world.graph import UNIDENTIFIED, Entity

SURE = 0.95
"""a detector that gives a label this score does not waver: another label is another thing"""
TOLD = 3.0
"""votes that a category has which was not seen but told beforehand"""
NEAR = 0.5
"""share of the smaller thing's size within which two centres are in one place..."""
TOLERANCE = 0.03
"""...and what positions are off by [m]"""


@dataclass
class Labels:
    """Votes by entity."""

    _votes: dict[str, dict[str, float]] = field(default_factory=dict)

    def vote(self, entity: Entity, detection: Detection) -> str:
        """Counts a sighting and returns the category that has most votes; the present one where votes are even."""
        votes = self._votes.get(entity.id)
        if votes is None:
            first = TOLD if entity.provenance != "detection" else entity.confidence
            if entity.category == UNIDENTIFIED:
                first = 0.0
            votes = self._votes[entity.id] = defaultdict(float, {entity.category: first})
        votes[detection.label] += detection.score
        best = max(votes.values())
        return entity.category if votes[entity.category] >= best else max(votes, key=lambda label: votes[label])


def same_place(detections: Sequence[Detection], indices: Iterable[int],
               entities: Sequence[Entity]) -> dict[int, Entity]:
    """Of the detections at `indices`, those that stand, under another name, exactly where one of `entities` is known:
    the entity by index, each at most once."""
    left, out = list(entities), {}
    for index in indices:
        detection = detections[index]
        found = None if detection.score >= SURE else _nearest(detection, left)
        if found is not None:
            left.remove(found)
            out[index] = found
    return out


def _nearest(detection: Detection, entities: Sequence[Entity]) -> Entity | None:
    def distance(entity: Entity) -> float:
        return float(np.linalg.norm(detection.centroid - np.array(entity.position)))

    fitting = [e for e in entities if distance(e) <= TOLERANCE + NEAR * min(max(detection.size), max(e.size))
               and 0.5 <= max(detection.size) / max(max(e.size), 1e-6) <= 2.0
               and not colors_differ(detection.attributes, e.attributes)]
    return min(fitting, key=distance, default=None)
