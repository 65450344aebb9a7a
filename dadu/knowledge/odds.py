"""Where a thing may be: common sense, what was met where before, and what is known of now, weighed as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dadu.knowledge.embedding import remembering_embedder
from dadu.knowledge.usual_places import named_for, place_rank
from dadu.knowledge.vocabulary import Vocabulary
from dadu.world.graph import Entity, Kind, Relation, WorldGraph

ELSEWHERE = ""
"""in `Chances.by_place`: places that are not known yet"""
_COMMON_SENSE = 2.0
"""sightings that common sense is worth, all places together"""
_NAMED, _ALSO_NAMED, _BESIDE, _OTHER, _SHUT = 3.0, 0.5, 0.02, 0.006, 0.002
"""how likely a thing is on furniture that bears its name, or has it among its other names; on what common sense does
not list, in a room where something is that it does list, or in another; and shut in there; the first of the list is 1.
In 30 generated homes a piece in the list held a thing ever more rarely the later it comes (56, 29, 19, 16, 15 %), one
that is not listed in 3.1 % beside one that is, else in 0.8 %, one with doors in 0 of 1487 cases"""
_STEEP = 3.0
"""the second of the list is 2 to the minus this as likely as the first, the third 3...: steeper than in those homes, so
that the fridge is opened for milk before every table in sight is looked at"""
_MANY = 12
"""of more categories than this, likeness to one of them says nothing"""


@dataclass(frozen=True)
class Chances:
    """Where a thing of some kind may be."""

    by_place: Mapping[str, float]
    """by furniture, and by room for its floor, how likely it is there; 1 in all"""
    shut_in: Mapping[str, float]
    """by furniture, how likely it is in what has to be opened: what was met at furniture with an open top is taken to
    have been on it"""
    told_apart: frozenset[str]
    """furniture that is likelier than its kind alone says: by its name, or since such things were met there"""


@dataclass(frozen=True)
class Odds:
    """What is drawn on beside common sense."""

    semantic_map: bool = True
    """long-term memory, `Entity.seen_here`; can be taken away (ablation)"""
    moved: frozenset[str] = frozenset()
    """things that the robot has moved in this task: where it has put them says nothing of others"""

    def chances(self, categories: tuple[str, ...], graph: WorldGraph, vocabulary: Vocabulary, elsewhere: bool = False
                ) -> Chances:
        """Of a thing of these categories; `elsewhere`: there may be more places than are known. Common sense counts as
        some sightings (a Dirichlet prior)."""
        sense = _sense(categories, graph, vocabulary) | ({ELSEWHERE: 1.0} if elsewhere else {})
        whole = sum(sense.values()) or 1.0
        seen = self._seen(categories, graph, vocabulary)
        for id, likely in self._known(categories, graph).items():
            seen[id] = max(seen[id], likely)  # it may be the same sighting
        total = _COMMON_SENSE + sum(seen.values())
        named = {p.id for p in graph.of(Kind.FURNITURE) if named_for(p, categories, vocabulary)}
        before = {id: _COMMON_SENSE * likely / whole / total for id, likely in sense.items()}
        by_place = {id: before.get(id, 0.0) + seen.get(id, 0.0) / total for id in before.keys() | seen.keys()}
        topped = {p.id for p in graph.of(Kind.FURNITURE) if any(not s.inside for s in p.surfaces)}
        return Chances(by_place, {id: (before if id in topped else by_place)[id] for id in before},
                       frozenset(named | {id for id in seen if seen[id] > 0.0}))

    def _seen(self, categories: tuple[str, ...], graph: WorldGraph, vocabulary: Vocabulary) -> defaultdict[str, float]:
        """By place, how many things of this kind, or like it, were met there."""
        found: defaultdict[str, float] = defaultdict(float)
        for place in graph if self.semantic_map else ():
            for category, count in place.seen_here.items():
                found[place.id] += count * _alike(category, categories, vocabulary)
        return defaultdict(float, {id: count for id, count in found.items() if count > 0.0})

    def _known(self, categories: tuple[str, ...], graph: WorldGraph) -> Mapping[str, float]:
        """By furniture, how many of the things that are known to be there now are of these `categories`: what is called
        otherwise, as far as it may be one."""
        found: defaultdict[str, float] = defaultdict(float)
        for edge in graph.edges:
            thing, piece = graph.entities.get(edge.subject), graph.entities.get(edge.object)
            if (edge.relation in (Relation.ON, Relation.IN) and thing is not None and piece is not None
                    and thing.kind is Kind.OBJECT and piece.kind is Kind.FURNITURE and thing.id not in self.moved):
                found[piece.id] += max(thing.category in categories, thing.share_of(categories))
        return {id: likely for id, likely in found.items() if likely > 0.0}


DEFAULT = Odds()


def _sense(categories: tuple[str, ...], graph: WorldGraph, vocabulary: Vocabulary) -> dict[str, float]:
    """What common sense says, by furniture, on no particular scale."""
    pieces = [piece for piece in graph.of(Kind.FURNITURE) if piece.surfaces]
    listed = {p.id: likely for p in pieces if (likely := _listed(p, categories, vocabulary)) > 0}
    rooms = {p.id: graph.room_of(p.id) for p in pieces}
    likely_rooms = {room.id for id in listed if (room := rooms[id]) is not None}
    return {p.id: listed[p.id] if p.id in listed else _unlisted(p, rooms[p.id], likely_rooms) for p in pieces}


def _listed(piece: Entity, categories: tuple[str, ...], vocabulary: Vocabulary) -> float:
    """0 where common sense does not list it."""
    rank = place_rank(piece, categories, vocabulary)
    if rank is not None and rank < 0:
        return _NAMED
    if named_for(piece, categories, vocabulary):
        return max(_ALSO_NAMED, (1 + rank) ** -_STEEP if rank is not None else 0.0)
    return (1 + rank) ** -_STEEP if rank is not None else 0.0


def _unlisted(piece: Entity, room: Entity | None, likely_rooms: Collection[str]) -> float:
    if all(s.inside for s in piece.surfaces):
        return _SHUT
    return _BESIDE if room is not None and room.id in likely_rooms else _OTHER


def _alike(category: str, categories: tuple[str, ...], vocabulary: Vocabulary) -> float:
    if category in categories:
        return 1.0
    if len(categories) > _MANY:
        return 0.0
    own = phrase(category, vocabulary)
    return max((likeness(own, phrase(c, vocabulary)) for c in categories), default=0.0)


_NOTHING, _ALL = 0.35, 0.8
"""cosines up to which a pair of kinds says nothing of each other, and from which on they are kept alike. Of all pairs
of the catalogue those with cosines of 0.2 to 0.4 share 11 % of where people keep them (`dadu/homes/things.yaml`), of
0.4 to 0.5 28 %, 0.5 to 0.6 53 %, 0.6 to 0.7 73 %, above that 79 %"""


@lru_cache(maxsize=65536)
def likeness(one: str, other: str) -> float:
    """0 to 1, of two phrases as `phrase` makes them, or as people say them."""
    if one == other:
        return 1.0
    a, b = remembering_embedder().embed([one, other])
    return float(np.clip((a @ b - _NOTHING) / (_ALL - _NOTHING), 0.0, 1.0))


@lru_cache(maxsize=8192)
def phrase(category: str, vocabulary: Vocabulary) -> str:
    """A category with the more general words for it: ``apple: food, fruit``. By names alone an apple is nearer to a
    laptop than to a pear, and the cosines go with where things are kept by 0.35 (correlation) instead of 0.57."""
    entry = vocabulary.entries.get(category)
    name = category.replace("_", " ")
    more = sorted(" ".join(words) for words in entry.hypernyms) if entry is not None else []
    return f"{name}: {', '.join(more)}" if more else name
