"""Which things stand next to each other: edges derived from positions, with hysteresis so that noise flips none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from dadu.memory.settings import NearnessSettings
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph


class Nearness:
    """Keeps the ``next_to`` edges of a graph in step with where its objects are. The relation is symmetric: both
    directions are in the graph."""

    def __init__(self, settings: NearnessSettings) -> None:
        self.settings = settings
        self._seen: Mapping[str, tuple[Entity, tuple[str, str]]] = {}

    def update(self, graph: WorldGraph) -> None:
        """Looks again at objects that have changed, and at those that share a place with them."""
        now = {e.id: (e, place) for e, place in _places(graph)}
        before, self._seen = self._seen, now
        stale = {id for id in before.keys() | now.keys() if before.get(id) != now.get(id)}
        if not stale:
            return
        old = {e for e in graph.edges if e.relation is Relation.NEXT_TO}
        neighbours = _by_place(now.values())
        fresh = {e for e in old if not stale & {e.subject, e.object}}
        for id in stale & now.keys():
            entity, place = now[id]
            for other in neighbours[place]:
                if other.id != id and _gap(entity, other) <= self._limit(old, id, other.id):
                    fresh |= {Edge(id, Relation.NEXT_TO, other.id), Edge(other.id, Relation.NEXT_TO, id)}
        graph.edges = (graph.edges - old) | fresh

    def _limit(self, old: set[Edge], a: str, b: str) -> float:
        held = Edge(a, Relation.NEXT_TO, b) in old
        return self.settings.distance + (self.settings.slack if held else 0.0)


def _places(graph: WorldGraph) -> Iterable[tuple[Entity, tuple[str, str]]]:
    """Objects with what they stand on (furniture and surface), or the room whose floor they lie on."""
    where = {e.subject: (e.object, e.part) for e in graph.edges if e.relation in (Relation.ON, Relation.IN)}
    held = {e.subject for e in graph.edges if e.relation is Relation.HELD_BY}
    for entity in graph.of(Kind.OBJECT):
        if entity.id in where:
            yield entity, where[entity.id]
        elif entity.id not in held:
            room = graph.room_at(entity.position[:2])
            yield entity, (room.id if room is not None else "", "")


def _by_place(objects: Iterable[tuple[Entity, tuple[str, str]]]) -> Mapping[tuple[str, str], list[Entity]]:
    groups: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for entity, place in objects:
        groups[place].append(entity)
    return groups


def _gap(a: Entity, b: Entity) -> float:
    """Horizontal distance between two boxes [m]."""
    (low_a, high_a), (low_b, high_b) = a.bounds(), b.bounds()
    apart = np.maximum(np.maximum(low_a - high_b, low_b - high_a), 0.0)
    return float(np.hypot(apart[0], apart[1]))
