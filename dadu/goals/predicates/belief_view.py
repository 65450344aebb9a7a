"""What the robot believes as a view: the world graph, in which much is not known."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.predicates.view import Answer, told
from dadu.goals.predicates.whereabouts import FLOOR_TOLERANCE
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Articulation, Edge, Entity, Kind, Relation, WorldGraph


class BeliefView:
    """A graph as it is now. Cheap to make; it keeps nothing."""

    unheard: Answer = None
    exact = False

    def __init__(self, graph: WorldGraph) -> None:
        self.graph = graph

    def kind(self, id: str) -> Kind | None:
        whole, _, part = id.partition("/")
        entity = self.graph.entities.get(whole)
        known = entity is not None and (not part or any(p.name == part for p in entity.parts))
        return entity.kind if entity is not None and known else None

    def category(self, id: str) -> str:
        entity = self.graph.entities.get(id)
        return entity.category if entity is not None else ""

    def held(self, id: str) -> bool:
        """The robot knows what is in its hand; of others' it is told."""
        edge = self.graph.support(id)
        return edge is not None and edge.relation is Relation.HELD_BY

    def held_by(self, id: str, agent: str) -> bool:
        edge = self.graph.support(id)
        return edge is not None and edge.relation is Relation.HELD_BY and edge.object == agent

    def supports(self, id: str) -> tuple[Edge, ...] | None:
        edge, entity = self.graph.support(id), self.graph.entities.get(id)
        if edge is not None:
            return () if edge.relation is Relation.HELD_BY else (edge, *self._open_to_the_top(edge))
        free = entity is not None and entity.kind is not Kind.OBJECT
        return () if free or self.lies_on_floor(id) else None

    def _open_to_the_top(self, edge: Edge) -> tuple[Edge, ...]:
        """What lies in a sink lies on it, too, if it is known to lie where nothing shuts."""
        holder = self.graph.entities.get(edge.object)
        carries = holder is not None and any(s.name == edge.part and s.carries for s in holder.surfaces)
        return (replace(edge, relation=Relation.ON),) if carries and edge.relation is Relation.IN else ()

    def lies_on_floor(self, id: str) -> Answer:
        """What was seen at the floor and is on nothing lies there."""
        entity = self.graph.entities.get(id)
        if entity is None or self.graph.support(id) is not None or entity.kind is not Kind.OBJECT:
            return False
        return True if _seen(entity) and entity.box.bottom <= FLOOR_TOLERANCE else None

    def rooms(self, id: str) -> frozenset[str] | None:
        room = self.graph.room_of(id)
        return None if room is None else frozenset((room.id,))

    def box(self, id: str) -> OrientedBox | None:
        """Where it stands, or was seen; a place that nobody told of is none."""
        entity = self.graph.entities.get(id)
        if entity is None or entity.kind in (Kind.ROOM, Kind.HOUSE):
            return None
        placed = entity.kind is not Kind.OBJECT or _seen(entity) or self.graph.support(id) is not None
        return entity.box if placed else None

    def state(self, id: str, name: str, opposite: str = "") -> Answer:
        entity = self.graph.entities.get(id)
        return told(entity.states, name, opposite) if entity is not None else None

    def parts(self, id: str) -> tuple[Articulation, ...] | None:
        """None where none is known: there may be some all the same."""
        whole, _, name = id.partition("/")
        entity = self.graph.entities.get(whole)
        return tuple(p for p in entity.parts if name in ("", p.name)) or None if entity is not None else None


def _seen(entity: Entity) -> bool:
    return entity.provenance == "detection"
