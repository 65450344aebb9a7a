"""What has changed in the world graph between two looks at it, beyond what the robot itself did."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation, WorldGraph

_HOLDS = (Relation.ON, Relation.IN, Relation.HELD_BY)


@dataclass(frozen=True)
class GraphChange:
    """One thing that is otherwise than before."""

    id: str
    kind: str
    """seen, moved, gone, opened, closed"""
    text: str


def changes(before: WorldGraph, after: WorldGraph) -> list[GraphChange]:
    """By id. `before`: the graph as it should be after what the robot did (`dadu.skills.effects.apply`)."""
    found, was_on, is_on = [], _supports(before), _supports(after)
    for entity in sorted((*before, *(e for e in after if e.id not in before)), key=lambda e: e.id):
        if entity.kind is Kind.OBJECT:
            found.append(_object_change(entity, before, after, was_on.get(entity.id), is_on.get(entity.id)))
        elif entity.kind is Kind.FURNITURE and entity.id in before and entity.id in after:
            found.append(_furniture_change(before[entity.id], after[entity.id]))
        elif entity.kind in (Kind.FURNITURE, Kind.ROOM) and entity.id not in before:
            found.append(GraphChange(entity.id, "seen", seen(after, entity)))
    return [change for change in found if change is not None]


def seen(graph: WorldGraph, entity: Entity) -> str:
    """``mug_0(red) on counter_0``; of a place no more than its name."""
    if entity.kind is not Kind.OBJECT:
        return entity.id
    color = entity.attributes.get("color", "")
    return f"{entity.id}{f'({color})' if color else ''} {_place(graph, entity.id)}"


def _supports(graph: WorldGraph) -> dict[str, Edge]:
    """As `WorldGraph.support` has it, of all at once."""
    return {edge.subject: edge for edge in graph.edges if edge.relation in _HOLDS}


def _object_change(entity: Entity, before: WorldGraph, after: WorldGraph, was: Edge | None, now: Edge | None
               ) -> GraphChange | None:
    id = entity.id
    if id not in after:
        return GraphChange(id, "gone", f"{id} no longer there")
    if id not in before:
        return GraphChange(id, "seen", seen(after, entity))
    same = (was.relation, was.object) == (now.relation, now.object) if was and now else was is now
    return None if same else GraphChange(id, "moved", f"{id} now {_place(after, id)}")


def _furniture_change(was: Entity, now: Entity) -> GraphChange | None:
    if not now.is_container or was.closed == now.closed:
        return None
    kind = "closed" if now.closed else "opened"
    return GraphChange(now.id, kind, f"{now.id} {'closed' if now.closed else 'open'}")


def _place(graph: WorldGraph, id: str) -> str:
    edge, room = graph.support(id), graph.room_of(id)
    if edge is not None:
        return "in the hand" if edge.object == ROBOT else f"{edge.relation.value} {edge.object}"
    return f"on the floor of {room.id}" if room is not None else "somewhere"
