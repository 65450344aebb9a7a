"""The world graph's things as units of short-term memory, brought up to date by what has changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dadu.knowledge.embedding import Embedder
from dadu.memory.describe import describe_thing
from dadu.memory.recall.recall import ShortTermMemory, Unit
from dadu.memory.storage.store import Store
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

_KINDS = (Kind.OBJECT, Kind.FURNITURE)
_WHERE = (Relation.ON, Relation.IN, Relation.HELD_BY)


class Recollection:
    """Short-term memory of a graph's objects and furniture. The embedder is made at the first recall; vectors that a
    store has kept are not computed again."""

    def __init__(self, make_embedder: Callable[[], Embedder], store: Store | None = None) -> None:
        self._make_embedder, self._store = make_embedder, store
        self._short_term: ShortTermMemory | None = None
        self._seen: dict[str, tuple[Entity, Edge | None]] = {}

    def recall(self, graph: WorldGraph, query: str, limit: int) -> list[Unit]:
        """The `limit` units nearest in meaning to `query`, best first."""
        if self._short_term is None:
            self._short_term = ShortTermMemory(self._make_embedder())
        self._follow(self._short_term, graph)
        if self._store is not None:
            self._store.keep_vectors(self._short_term)
        return self._short_term.recall(query, limit)

    def _follow(self, short_term: ShortTermMemory, graph: WorldGraph) -> None:
        """Puts a unit for every object and piece of furniture that is new or changed, drops those that are gone."""
        where = {e.subject: e for e in graph.edges if e.relation in _WHERE}
        rooms = {e.subject: e.object for e in graph.edges if e.relation is Relation.IN_ROOM}
        known = self._seen
        self._seen = {e.id: (e, where.get(e.id)) for e in graph if e.kind in _KINDS}
        for id in known.keys() - self._seen.keys():
            short_term.drop(id)
        for id, (entity, support) in self._seen.items():
            before = known.get(id)
            if before is None or before[0] is not entity or before[1] != support:
                description = describe_thing(entity, support, _room(graph, entity, support, rooms))
                short_term.put(Unit(id, entity.category, entity.position, description), _names(entity))


def _room(graph: WorldGraph, entity: Entity, support: Edge | None, rooms: Mapping[str, str]) -> str:
    """The same as `WorldGraph.room_of`, without a search of all edges for each thing."""
    carrier = support.object if support is not None else entity.id
    if entity.id in rooms or carrier in rooms:
        return rooms.get(entity.id) or rooms[carrier]
    room = graph.room_at(graph[carrier].position[:2]) if carrier in graph else None
    return room.id if room is not None else ""


def _names(entity: Entity) -> tuple[str, ...]:
    name, color = entity.category.replace("_", " "), entity.attributes.get("color", "")
    return (entity.called, *entity.aliases, f"{color} {name}".strip())
