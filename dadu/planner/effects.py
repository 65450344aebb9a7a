"""What a skill that works does to the world graph: for looking ahead, and until memory has heard of it."""

from __future__ import annotations

from dataclasses import replace

from dadu.memory.graph import Edge, Entity, Kind, Relation, WorldGraph
from dadu.skills.call import SkillCall

ROBOT = "robot"


def apply(graph: WorldGraph, call: SkillCall, stamp: float | None = None) -> WorldGraph:
    """A copy of `graph` after `call`, with `stamp` [s] on what it changed. Skills without a lasting effect change
    nothing."""
    after, effect = graph.copy(), _EFFECTS.get(call.skill)
    if effect is not None:
        changed = effect(after, *call.arguments)
        if changed in after and stamp is not None:
            after.change(changed, stamp=stamp, provenance="skill")
    return after


def position_of(graph: WorldGraph, id: str) -> tuple[float, float, float]:
    """Where an entity is, or where what carries it is [m]."""
    edge = graph.support(id)
    if edge is not None and edge.relation is Relation.HELD_BY and edge.object in graph:
        return graph[edge.object].position
    return graph[id].position


def _go_to(graph: WorldGraph, target: str) -> str:
    if target in graph and ROBOT in graph:
        x, y, _ = position_of(graph, target)
        graph.change(ROBOT, position=(x, y, 0.0))
    return ROBOT


def _pick(graph: WorldGraph, object: str) -> str:
    graph.set_support(object, Edge(object, Relation.HELD_BY, ROBOT))
    return object


def _place(graph: WorldGraph, relation: str, receptacle: str, _next_to: str = "", reference: str = "") -> str:
    held = graph.held(ROBOT)
    if held is None or receptacle not in graph:
        return ""
    x, y, z = graph[reference if reference in graph else receptacle].position
    offset = 0.15 if reference in graph else 0.0
    graph.set_support(held.id, Edge(held.id, Relation(relation), receptacle))
    graph.change(held.id, position=(x + offset, y, z))
    return held.id


def _articulate(graph: WorldGraph, receptacle: str, share: float) -> str:
    if receptacle in graph:
        entity: Entity = graph[receptacle]
        graph.change(receptacle, parts=tuple(replace(p, value=share * p.range) for p in entity.parts))
    return receptacle


def _state(name: str, value: bool):
    def effect(graph: WorldGraph, id: str, *_: str) -> str:
        if id in graph and graph[id].kind is Kind.OBJECT:
            graph.change(id, states=graph[id].states | {name: value})
        return id
    return effect


_EFFECTS = {
    "go_to": _go_to, "pick": _pick, "place": _place,
    "open": lambda graph, id: _articulate(graph, id, 1.0), "close": lambda graph, id: _articulate(graph, id, 0.0),
    "clean": _state("is_clean", True), "fill": _state("is_filled", True), "slice": _state("is_sliced", True),
    "power_on": _state("is_powered_on", True), "power_off": _state("is_powered_on", False),
}
