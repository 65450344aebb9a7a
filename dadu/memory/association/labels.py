"""What a thing is, when a detector wavers: every view is a vote, and one place holds one thing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dadu.memory.association.matching import colors_differ
from dadu.world.detection import Detection
from dadu.world.graph import UNIDENTIFIED, Entity

SURE = 0.95
"""a detector that gives a label this score does not waver: another label is another thing"""
TOLD = 3.0
"""votes that a category has which was not seen but told beforehand"""
View = tuple[int, int, int]
"""direction, tilt and distance from which a thing is seen, in steps"""
_SECTOR, _NEARER, _NEAREST = math.radians(20), math.log(1.5), 0.1
"""the steps: angles [rad], logarithm of the factor of distance; and the least distance [m]"""
NEAR = 0.5
"""share of the smaller thing's size within which two centres are in one place..."""
TOLERANCE = 0.03
"""...and what positions are off by [m]"""


@dataclass
class _Votes:
    """On what one thing is."""

    prior: dict[str, float]
    views: dict[View, tuple[int, dict[str, float]]] = field(default_factory=dict)
    """how many pictures from there, and the sum of what they say"""

    def count(self, view: View, scores: Mapping[str, float]) -> None:
        """One picture more from there."""
        pictures, said = self.views.get(view, (0, {}))
        labels = said.keys() | scores.keys()
        self.views[view] = pictures + 1, {label: said.get(label, 0.0) + scores.get(label, 0.0) for label in labels}

    def totals(self) -> dict[str, float]:
        """Pictures from one place are alike, and so are their errors: together they have one vote."""
        out = dict(self.prior)
        for pictures, said in self.views.values():
            for label, score in said.items():
                out[label] = out.get(label, 0.0) + score / pictures
        return out

    def winner(self, present: str) -> str:
        """What has most votes; `present` where votes are even, or there are none."""
        totals = self.totals()
        best = max(sorted(totals), key=lambda label: totals[label], default=present)
        return present if totals.get(present, 0.0) >= totals.get(best, 0.0) else best


@dataclass
class Labels:
    """Votes by entity."""

    _votes: dict[str, _Votes] = field(default_factory=dict)

    def vote(self, entity: Entity, detection: Detection, view: View) -> str:
        """Counts a sighting and returns the category that has most votes; the present one where votes are even."""
        votes = self._of(entity)
        votes.count(view, {**dict(detection.others), detection.label: detection.score})
        return votes.winner(entity.category)

    def begin(self, entity: Entity) -> None:
        """A thing that nothing was known of before it was seen."""
        self._votes[entity.id] = _Votes({})

    def trust(self, entity: Entity) -> None:
        """The thing was taken for what it is called: it takes more than a few views to call it otherwise."""
        if entity.category != UNIDENTIFIED:
            prior = self._of(entity).prior
            prior[entity.category] = prior.get(entity.category, 0.0) + TOLD

    def has_been(self, id: str, label: str) -> bool:
        """Whether some view has called it so, first or else."""
        return id in self._votes and any(label in said for _, said in self._votes[id].views.values())

    def wavers(self, *ids: str) -> bool:
        """Whether some view of one of these things was not sure of its name."""
        return any(score / pictures < SURE for id in ids if id in self._votes
                   for pictures, said in self._votes[id].views.values() for score in [max(said.values(), default=0.0)])

    def unite(self, kept: Entity, gone: str) -> str:
        """The thing `gone` was `kept`, too: all views of both are of it. The category that has most votes."""
        votes, other = self._of(kept), self._votes.pop(gone, _Votes({}))
        for view, (pictures, said) in other.views.items():
            before, sums = votes.views.get(view, (0, {}))
            votes.views[view] = before + pictures, {label: sums.get(label, 0.0) + said.get(label, 0.0)
                                                    for label in sums.keys() | said.keys()}
        return votes.winner(kept.category)

    def _of(self, entity: Entity) -> _Votes:
        if entity.id not in self._votes:
            first = TOLD if entity.provenance != "detection" else entity.confidence
            known = entity.category != UNIDENTIFIED
            self._votes[entity.id] = _Votes({entity.category: first} if known else {})
        return self._votes[entity.id]


def view_of(camera: np.ndarray, thing: np.ndarray) -> View:
    """From where `thing` is seen, (3,) both [m], map."""
    away = camera - thing
    distance = max(float(np.linalg.norm(away)), _NEAREST)
    turn, tilt = math.atan2(away[1], away[0]), math.asin(max(-1.0, min(1.0, away[2] / distance)))
    return round(turn / _SECTOR), round(tilt / _SECTOR), round(math.log(distance) / _NEARER)


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
