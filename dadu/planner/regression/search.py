"""Where to look next for a thing whose place is not known: where the words say, then at furniture that is named after
such things, then in the room where they are usually found, then in every room, then in every container, and at last on
the furniture where they usually are, from nearby."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dadu.goals.goal import Description
from dadu.knowledge.usual_places import named_for, place_rank
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.situation import UNKNOWN
from dadu.skills.effects import ROBOT, position_of
from dadu.world.graph import Entity, Kind, Relation, WorldGraph

_FIRST_CHOICES = 4
"""rank up to which things of a kind are taken to be there as a rule"""
_WEAK = 2.0
"""rank from which on a thing may as well be anywhere: then what promises most for its way comes first"""
_EFFORT: Mapping[Kind, float] = {Kind.ROOM: 3.0, Kind.FURNITURE: 20.0, Kind.HOUSE: 3.0}
"""what it costs, beside the way there, to look round a room, or to open and close something: what could be driven in
that time [m]"""


@dataclass(frozen=True)
class SearchSpot:
    """One place to look: explore a room, or look at or into a piece of furniture."""

    id: str
    kind: Kind
    named: bool = False
    """the instruction says that the thing is there"""


def next_spot(description: Description | None, categories: tuple[str, ...], graph: WorldGraph,
              looked: Mapping[str, int], vocabulary: Vocabulary, since: int = 0, near: str = ROBOT,
              open_only: bool = False) -> SearchSpot | None:
    """The best place not `looked` at after step `since` (steps count from 1); None when everything has been searched.

    Places where such things are as a rule come first, of equally likely ones the nearest to the entity `near`; then, in
    a house whose layout is known, what promises most for its way. `open_only` leaves out what would have to be opened,
    and everything but the places that the words name, if any.
    """
    named = list(_named(description, graph)) if description is not None else []
    unseen = [s for s in named if looked.get(s.id, 0) <= since]
    if unseen or (open_only and named):
        return unseen[0] if unseen else None
    everywhere = [s for s in _everywhere(graph, open_only) if looked.get(s.id, 0) <= since]
    if open_only:
        spots = everywhere
    else:  # at last what was seen from the room's middle, but perhaps not well enough
        spots = (list(_named_for_them(categories, graph, looked, vocabulary, since)) or everywhere
                 or [s for s in _usual(categories, graph, vocabulary) if looked.get(s.id, 0) <= since])
    return min(spots, key=lambda s: (*_order(s, _distance(s, near, graph), categories, graph, vocabulary), s.id),
               default=None)


def likely_inside(categories: tuple[str, ...], graph: WorldGraph, looked: Mapping[str, int], vocabulary: Vocabulary
                  ) -> SearchSpot | None:
    """The nearest closed container not looked into yet that is among the first choices for such things."""
    spots = [SearchSpot(p.id, p.kind) for p in graph.of(Kind.FURNITURE) if p.is_container and p.id not in looked
             and (rank := place_rank(p, categories, vocabulary)) is not None and rank <= _FIRST_CHOICES]
    return min(spots, key=lambda s: (_distance(s, ROBOT, graph), s.id), default=None)


def _named(description: Description, graph: WorldGraph) -> Iterator[SearchSpot]:
    for where in description.where:
        for id in where.ids:
            if id in graph and where.relation is not Relation.NEXT_TO:
                yield SearchSpot(id, graph[id].kind, True)


def _named_for_them(categories: tuple[str, ...], graph: WorldGraph, looked: Mapping[str, int], vocabulary: Vocabulary,
                    since: int) -> Iterator[SearchSpot]:
    """Furniture that bears the name of such things and was not looked at, nor the room it is in: to see what is on it
    takes one drive, to see all of a shop many."""
    for piece in graph.of(Kind.FURNITURE):
        room = graph.room_of(piece.id)
        seen = max(looked.get(piece.id, 0), looked.get(room.id, 0) if room is not None else 0)
        if seen <= since and any(not s.inside for s in piece.surfaces) and named_for(piece, categories, vocabulary):
            yield SearchSpot(piece.id, Kind.FURNITURE)


def layout_known(graph: WorldGraph) -> bool:
    """Whether the rooms and furniture of the house were told beforehand, rather than seen one by one."""
    return any(piece.provenance == "prior" for piece in graph.of(Kind.FURNITURE))


def objects_known_in_advance(graph: WorldGraph) -> bool:
    """Whether memory was told beforehand which things there are, rather than having seen them one by one."""
    return any(thing.provenance == "prior" for thing in graph.of(Kind.OBJECT))


def _everywhere(graph: WorldGraph, open_only: bool) -> Iterator[SearchSpot]:
    for room in graph.of(Kind.ROOM):
        yield SearchSpot(room.id, Kind.ROOM)
    for piece in () if open_only else graph.of(Kind.FURNITURE):
        if piece.is_container:
            yield SearchSpot(piece.id, Kind.FURNITURE)
    if not graph.of(Kind.ROOM) or not layout_known(graph):
        yield SearchSpot(UNKNOWN, Kind.HOUSE)


def _usual(categories: tuple[str, ...], graph: WorldGraph, vocabulary: Vocabulary) -> Iterator[SearchSpot]:
    """Furniture where such things are."""
    for piece in graph.of(Kind.FURNITURE):
        if place_rank(piece, categories, vocabulary) is not None:
            yield SearchSpot(piece.id, Kind.FURNITURE)


def _order(spot: SearchSpot, away: float, categories: tuple[str, ...], graph: WorldGraph, vocabulary: Vocabulary
           ) -> tuple[float, ...]:
    """First where such things are as a rule; then what promises most for its way, `away` [m], and the looking."""
    rank = _unlikely(spot, categories, graph, vocabulary)
    # What lies about is near by; of a house that is not known yet what is known of a room says little.
    if rank < _WEAK or not categories or not layout_known(graph):
        return rank, 0.0, away
    return _WEAK, -_promise(spot, categories, graph, vocabulary) / (_EFFORT[spot.kind] + away), away


def _unlikely(spot: SearchSpot, categories: tuple[str, ...], graph: WorldGraph, vocabulary: Vocabulary) -> float:
    """0 for the first choice. A room is as likely as the open furniture in it, a container counts by itself."""
    if spot.kind is Kind.FURNITURE:
        return _rank(graph[spot.id], categories, vocabulary, shut=True)
    return min((_rank(p, categories, vocabulary, shut=False) for p in _open_in(graph, spot.id)), default=20.0)


def _promise(spot: SearchSpot, categories: tuple[str, ...], graph: WorldGraph, vocabulary: Vocabulary) -> float:
    """How likely the thing is there, on no particular scale: the more furniture a room has, the likelier."""
    if spot.kind is Kind.FURNITURE:
        return 1 / (1 + _rank(graph[spot.id], categories, vocabulary, shut=True))
    return sum(1 / (1 + _rank(p, categories, vocabulary, shut=False)) for p in _open_in(graph, spot.id))


def _open_in(graph: WorldGraph, room: str) -> list[Entity]:
    """The furniture of a room that something can stand on in sight."""
    return [p for p in graph.of(Kind.FURNITURE) if _in(graph, p, room) and any(not s.inside for s in p.surfaces)]


def _rank(piece: Entity, categories: tuple[str, ...], vocabulary: Vocabulary, *, shut: bool) -> float:
    rank = place_rank(piece, categories, vocabulary)
    if rank is not None:
        return rank + (0.5 if shut else 0.0)
    return 30.0 if shut else 15.0  # to open whatever there is comes last


def _in(graph: WorldGraph, piece: Entity, room: str) -> bool:
    found = graph.room_of(piece.id)
    return found is not None and found.id == room


def _distance(spot: SearchSpot, near: str, graph: WorldGraph) -> float:
    if spot.id not in graph or near not in graph:
        return 0.0
    here = position_of(graph, near)[:2]
    room = graph.room_at(here)
    return 0.0 if room is not None and room.id == spot.id else math.dist(position_of(graph, spot.id)[:2], here)

