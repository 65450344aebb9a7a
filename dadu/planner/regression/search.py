"""Where to look next for a thing whose place is not known: where the words say, else where the chance to find it is
greatest for what it costs to go there and look; at last, from nearby, at the furniture where it usually is and in
what is open but deep, such as a basin or a shelf.

To take places in the order of chance by cost keeps the expected cost of a search least where each costs the same
whenever it is looked at (Blackwell); here the way depends on where the robot stands, so it is made anew each time.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from dadu.goals.goal import Description
from dadu.knowledge.odds import DEFAULT, ELSEWHERE, Chances, Odds
from dadu.knowledge.usual_places import place_rank
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.situation import UNKNOWN
from dadu.skills.effects import position_of
from dadu.world.graph import ROBOT, Entity, Kind, Relation, WorldGraph

_FIRST_CHOICES = 4
"""rank up to which things of a kind are taken to be there as a rule"""
_GLANCE, _TURN, _OPEN, _BEYOND = 9.5, 11.0, 28.0, 16.0
"""what it costs to look at furniture, to look all round, to open and close something, to see what lies beyond the
known, 8 of each for a step that may be in vain: what could be driven in that time [m]"""
_SIGHT = 4.0
"""what is farther than this from the middle of a room has to be driven to [m]"""


_NO_CHANCES = Chances({}, {}, frozenset())


@dataclass(frozen=True)
class SearchSpot:
    """One place to look: explore a room, or look at or into a piece of furniture."""

    id: str
    kind: Kind
    named: bool = False
    """the instruction says that the thing is there"""


_BEYOND_THE_KNOWN = SearchSpot(UNKNOWN, Kind.HOUSE)


def next_spot(description: Description | None, categories: tuple[str, ...], graph: WorldGraph,
              looked: Mapping[str, int], vocabulary: Vocabulary, since: int = 0, near: str = ROBOT,
              open_only: bool = False, odds: Odds = DEFAULT) -> SearchSpot | None:
    """The best place not `looked` at after step `since` (steps count from 1); None when everything has been searched.

    Without `categories` the nearest to the entity `near` that is in the open comes first. `open_only` leaves out what
    would have to be opened, and everything but the places that the words name, if any. `odds`: what memory has to say
    of where such things are.
    """
    named = list(_named(description, graph)) if description is not None else []
    unseen = [s for s in named if looked.get(s.id, 0) <= since]
    if unseen or (open_only and named):
        return unseen[0] if unseen else None
    chances = odds.chances(categories, graph, vocabulary, not layout_known(graph)) if categories else _NO_CHANCES
    house = _House(graph, looked, since)
    spots = list(house.everywhere(open_only, chances.told_apart))
    if not spots and not open_only:  # at last what was seen from the room's middle, but perhaps not well enough
        spots = [s for s in _half_seen(categories, graph, vocabulary) if looked.get(s.id, 0) <= since]
    if not categories:
        return min(spots, key=lambda s: (house.hidden(s), house.away(s, near), s.id), default=None)
    return min(spots, key=lambda s: (-house.chance(s, chances) / (house.effort(s) + house.away(s, near)), s.id),
               default=None)


def likely_inside(categories: tuple[str, ...], graph: WorldGraph, looked: Mapping[str, int], vocabulary: Vocabulary
                  ) -> SearchSpot | None:
    """The nearest closed container not looked into yet that is among the first choices for such things."""
    house = _House(graph, looked, 0)
    spots = [SearchSpot(p.id, p.kind) for p in graph.of(Kind.FURNITURE) if p.is_container and p.id not in looked
             and (rank := place_rank(p, categories, vocabulary)) is not None and rank <= _FIRST_CHOICES]
    return min(spots, key=lambda s: (house.away(s, ROBOT), s.id), default=None)


def _named(description: Description, graph: WorldGraph) -> Iterator[SearchSpot]:
    for where in description.where:
        for id in where.ids:
            if id in graph and where.relation is not Relation.NEXT_TO:
                yield SearchSpot(id, graph[id].kind, True)


def layout_known(graph: WorldGraph) -> bool:
    """True if the rooms and furniture of the house were told beforehand, rather than seen one by one."""
    return any(piece.provenance == "prior" for piece in graph.of(Kind.FURNITURE))


def objects_known_in_advance(graph: WorldGraph) -> bool:
    """True if memory was told beforehand which things there are, rather than having seen them one by one."""
    return any(thing.provenance == "prior" for thing in graph.of(Kind.OBJECT))


def _half_seen(categories: tuple[str, ...], graph: WorldGraph, vocabulary: Vocabulary) -> Iterator[SearchSpot]:
    """Furniture where such things are, or of which a look from far does not show all that stands in it."""
    for piece in graph.of(Kind.FURNITURE):
        deep = not piece.is_container and any(surface.inside for surface in piece.surfaces)
        if deep or place_rank(piece, categories, vocabulary) is not None:
            yield SearchSpot(piece.id, Kind.FURNITURE)


class _House:
    """The places there are, what was `looked` at of them after step `since`, and what it costs to look."""

    def __init__(self, graph: WorldGraph, looked: Mapping[str, int], since: int) -> None:
        self._graph, self._looked, self._since = graph, looked, since
        self._open: dict[str, list[str]] = {room.id: [] for room in graph.of(Kind.ROOM)}
        """by room, furniture that something can stand on in sight and that was not looked at"""
        for piece in graph.of(Kind.FURNITURE):
            room = graph.room_of(piece.id)
            if room is not None and _in_sight(piece) and max(looked.get(piece.id, 0), looked.get(room.id, 0)) <= since:
                self._open.setdefault(room.id, []).append(piece.id)

    def everywhere(self, open_only: bool, told_apart: Collection[str]) -> Iterator[SearchSpot]:
        """What was not looked at: rooms; unless `open_only`, containers, and what is `told_apart` of the furniture that
        can be seen from its room's middle; and what is not known yet."""
        graph = self._graph
        spots = self._rooms()
        if not open_only:
            spots += [SearchSpot(piece.id, Kind.FURNITURE) for piece in graph.of(Kind.FURNITURE) if piece.is_container]
            spots += [SearchSpot(id, Kind.FURNITURE) for ids in self._open.values() for id in ids
                      if id in told_apart and not graph[id].is_container]
        if not graph.of(Kind.ROOM) or not layout_known(graph):
            spots.append(_BEYOND_THE_KNOWN)
        return (s for s in spots if self._is_new(s))

    def _rooms(self) -> list[SearchSpot]:
        """One that was found on the way was looked at on the way: it comes anew only where nothing lies beyond."""
        unfinished = not layout_known(self._graph) and self._is_new(_BEYOND_THE_KNOWN)
        return [SearchSpot(room.id, Kind.ROOM) for room in self._graph.of(Kind.ROOM)
                if room.provenance == "prior" or not unfinished]

    def _is_new(self, spot: SearchSpot) -> bool:
        return self._looked.get(spot.id, 0) <= self._since

    def chance(self, spot: SearchSpot, chances: Chances) -> float:
        """Of finding the thing there: in a room on its floor, and on what is open in it."""
        if spot.kind is Kind.ROOM:
            return sum(chances.by_place.get(id, 0.0) for id in (spot.id, *self._open[spot.id]))
        if spot.kind is Kind.FURNITURE and self._graph[spot.id].is_container:
            return chances.shut_in.get(spot.id, 0.0)
        return chances.by_place.get(spot.id if spot.kind is Kind.FURNITURE else ELSEWHERE, 0.0)

    def effort(self, spot: SearchSpot) -> float:
        """What it costs to look once one is there [m]."""
        if spot.kind is Kind.HOUSE:
            return _BEYOND
        if spot.kind is Kind.FURNITURE:
            return max(_GLANCE, _OPEN * _shut(self._graph[spot.id]))
        return _TURN + max(0.0, sum(self._graph[spot.id].size[:2]) - 2 * _SIGHT)

    def hidden(self, spot: SearchSpot) -> int:
        """How unlikely something that lies about is to be in sight there: 0 to 2."""
        if spot.kind is Kind.FURNITURE:
            return 2
        return 0 if self._open.get(spot.id) else 1

    def away(self, spot: SearchSpot, near: str) -> float:
        """[m] from the entity `near`."""
        graph = self._graph
        if spot.id not in graph or near not in graph:
            return 0.0
        here = position_of(graph, near)[:2]
        room = graph.room_at(here)
        return 0.0 if room is not None and room.id == spot.id else math.dist(position_of(graph, spot.id)[:2], here)


def _shut(piece: Entity) -> float:
    """Share of its doors and drawers that is left to open before all of it is seen: a wardrobe of which one door stands
    open is looked into to the end, and not closed for what seemed nearer, and opened again from there."""
    return sum(0.0 if p.open else 1.0 - p.value / p.range for p in piece.parts) / max(1, len(piece.parts))


def _in_sight(piece: Entity) -> bool:
    return any(not s.inside for s in piece.surfaces)
