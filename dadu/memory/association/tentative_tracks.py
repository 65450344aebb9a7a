"""What single pictures say of furniture without being sure: it counts once pictures from elsewhere say so, too.

A network's chance for a piece of furniture is that its mask is right and so is its name; that something stands there is
far likelier. So what one picture is not sure of is neither forgotten nor believed. Errors of pictures from one place
are alike, those from several are taken to be independent of each other.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from dadu.knowledge.house_words import DetectorVocabulary
from dadu.memory.association.labels import LIKELY, NEWS, View, Votes
from dadu.world.detection import Detection
from dadu.world.graph import Entity, Kind, WorldGraph

SAME = 0.5
"""share of the smaller floor from which on two sightings, or two found pieces, are one"""
Corners = tuple[np.ndarray, np.ndarray]
"""lowest and highest corner of a box along the axes of the map, (3,) [m] each"""


@dataclass(eq=False)
class _Suspect:
    """What stands somewhere, if anything does."""

    low: np.ndarray
    high: np.ndarray
    pixels: int
    """of the picture that shows most of it, whose box this is"""
    id: str
    votes: Votes = field(default_factory=Votes)
    names: dict[str, float] = field(default_factory=dict)
    """how likely each is"""


@dataclass
class TentativeTracks:
    """Pieces that are not believed yet, and how far those that are might reach."""

    _suspects: list[_Suspect] = field(default_factory=list)
    _count: int = 0
    """of suspects, ever"""
    _reach: dict[str, dict[View, Corners]] = field(default_factory=dict)
    """by piece, and by where it was seen from"""

    def believed(self, detection: Detection, view: View, vocabulary: DetectorVocabulary, enough: float) -> Votes | None:
        """Counts a sighting of furniture that memory does not know. What all sightings of it say, once they make some
        name of it likelier than `enough`; None while they do not."""
        suspect = self._at(detection)
        suspect.votes.count(view, detection)
        suspect.names = likely(suspect.votes, vocabulary)
        if max(suspect.names.values()) < enough:
            return None
        self._suspects.remove(suspect)
        return suspect.votes

    def _at(self, detection: Detection) -> _Suspect:
        """Who stands where something was seen; a new one where nobody does."""
        low, high = corners(detection)
        suspect = next((s for s in self._suspects if share_floor((s.low, s.high), (low, high), SAME)), None)
        if suspect is None:
            suspect = _Suspect(low, high, detection.pixels, f"suspect_{self._count}")
            self._count += 1
            self._suspects.append(suspect)
        elif detection.pixels > suspect.pixels:
            suspect.low, suspect.high, suspect.pixels = low, high, detection.pixels
        return suspect

    def extent(self, piece: Entity, detection: Detection, view: View) -> Corners:
        """The corners of what is seen of `piece` in a picture that is not sure of it; outside of the piece only as far
        as a picture from elsewhere reaches, too."""
        low, high = corners(detection)
        others = [box for other, box in self._reach.setdefault(piece.id, {}).items() if other != view]
        before = self._reach[piece.id].get(view, (low, high))
        self._reach[piece.id][view] = np.minimum(low, before[0]), np.maximum(high, before[1])
        inner, outer = piece.bounds()
        lowest = np.min([inner, *(box[0] for box in others)], axis=0)
        highest = np.max([outer, *(box[1] for box in others)], axis=0)
        return np.maximum(low, lowest), np.minimum(high, highest)

    def tell(self, graph: WorldGraph, stamp: float) -> None:
        """Brings the suspects in the graph up to date, so that a robot that misses something may look there again."""
        there = {s.id: s for s in self._suspects if max(s.names.values(), default=0.0) >= LIKELY}
        for gone in [e.id for e in graph.of(Kind.SUSPECT) if e.id not in there]:
            graph.remove(gone)
        for suspect in there.values():
            may_be = {name: round(chance, 2) for name, chance in suspect.names.items() if chance >= LIKELY}
            told = graph.entities.get(suspect.id)
            if told is None or any(abs(told.may_be.get(name, 0.0) - may_be.get(name, 0.0)) >= NEWS
                                   for name in told.may_be.keys() | may_be.keys()):
                graph.put(_entity(suspect, may_be, stamp))

    def keep(self, ids: Collection[str]) -> None:
        """What is not among these is gone."""
        self._reach = {id: reach for id, reach in self._reach.items() if id in ids}


def _entity(suspect: _Suspect, may_be: dict[str, float], stamp: float) -> Entity:
    (x, y, _), size = (suspect.low + suspect.high) / 2, suspect.high - suspect.low
    best = max(may_be, key=lambda name: may_be[name])
    return Entity(suspect.id, Kind.SUSPECT, best, position=(float(x), float(y), 0.0),
                  size=(float(size[0]), float(size[1]), float(suspect.high[2])), may_be=may_be,
                  provenance="detection", stamp=stamp, confidence=may_be[best], pixels=suspect.pixels)


def likely(votes: Votes, vocabulary: DetectorVocabulary) -> dict[str, float]:
    """How likely each name is that some view gives, one that means the same counting as well: that not every view is
    wrong."""
    wrong: dict[str, float] = {}
    for pictures, said in votes.views.values():
        for name in said:
            same = {name, *(alias.replace(" ", "_") for alias in vocabulary.aliases(name))}
            chance = sum(score for other, score in said.items() if other in same) / pictures
            wrong[name] = wrong.get(name, 1.0) * (1.0 - min(chance, 1.0))
    return {name: 1.0 - chance for name, chance in wrong.items()}


def corners(detection: Detection) -> Corners:
    """Of the box about what is seen."""
    half = detection.size / 2
    return detection.centroid - half, detection.centroid + half


def share_floor(a: Corners, b: Corners, least: float) -> bool:
    """True if two boxes cover more than the share `least` of the smaller one's floor together."""
    (low_a, high_a), (low_b, high_b) = a, b
    overlap = np.maximum(np.minimum(high_a, high_b) - np.maximum(low_a, low_b), 0)[:2].prod()
    return bool(overlap > least * min((high_a - low_a)[:2].prod(), (high_b - low_b)[:2].prod()) > 0)
