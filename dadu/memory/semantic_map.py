"""The semantic map: what kinds of things were met on which furniture and on which room's floor, over past tasks.

It lies in the world graph (`Entity.seen_here`), so that it is kept, told and edited with it. Only what was seen there
counts: not what somebody told of, and not what the robot itself has put there, for that says what was asked of it once,
and not where things are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation, WorldGraph

AGAIN = 3600.0
"""a thing that is still where it was counts once more after this long [s], and whenever the clock starts over"""
_KEPT = 0.95
"""what one more sighting of a kind leaves of the weight of the older ones: the last twenty or so count"""
_LEAST = 0.05
_WHERE = (Relation.ON, Relation.IN, Relation.HELD_BY)


class SemanticMap:
    """Counts what a graph comes to hold. What it holds at first was counted by whoever has kept it."""

    def __init__(self, graph: WorldGraph) -> None:
        self._counted = {(thing.id, place): thing.stamp for thing, place in _placed(graph)}
        """when a thing was last counted at a place [s]"""
        self._carried: set[str] = set()
        """what the robot had in its hand, until it is seen elsewhere"""

    def update(self, graph: WorldGraph) -> None:
        """Counts in `graph` what is newly seen where it is."""
        for thing, place in _placed(graph):
            if place == ROBOT:
                self._carried.add(thing.id)
            elif thing.provenance == "detection" and self._is_news(thing, place):
                _count(graph, place, thing)

    def _is_news(self, thing: Entity, place: str) -> bool:
        """True if a thing that is seen at a place counts there."""
        counted, put = self._counted.get((thing.id, place)), thing.id in self._carried
        self._carried.discard(thing.id)
        if counted is not None and -1.0 <= thing.stamp - counted < AGAIN:
            return False
        self._counted[thing.id, place] = thing.stamp
        return not put


def _placed(graph: WorldGraph) -> list[tuple[Entity, str]]:
    """Objects, each with what it is on, in or held by, or the room whose floor it is on."""
    where: Mapping[str, Edge] = {e.subject: e for e in graph.edges if e.relation in _WHERE}
    out = []
    for thing in graph.of(Kind.OBJECT):
        edge = where.get(thing.id)
        room = graph.room_at(thing.position[:2]) if edge is None else None
        place = edge.object if edge is not None else room.id if room is not None else ""
        if place in graph and (place == ROBOT or graph[place].kind in (Kind.FURNITURE, Kind.ROOM)):
            out.append((thing, place))
    return out


def _count(graph: WorldGraph, place: str, thing: Entity) -> None:
    """One more of its kind at a place, as far as it is certain; the older sightings count for less."""
    for entity in [e for e in graph if thing.category in e.seen_here]:
        faded = {c: n * _KEPT if c == thing.category else n for c, n in entity.seen_here.items()}
        graph.put(replace(entity, seen_here={c: n for c, n in faded.items() if n >= _LEAST}))
    seen = graph[place].seen_here
    graph.change(place, seen_here={**seen, thing.category: seen.get(thing.category, 0.0) + thing.confidence})
