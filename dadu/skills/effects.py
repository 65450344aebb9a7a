"""What a skill that works does to the world graph: for looking ahead, and until memory has heard of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from dadu.house.catalogue import furniture_categories
from dadu.skills.call import SkillCall
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

ROBOT = "robot"
_BESIDE = 0.05
"""[m] how far from a thing what is put next to it is taken to be; on which side, looking will tell"""


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
    carrier = graph.entities.get(edge.object) if edge is not None else None
    if carrier is not None and carrier.kind in (Kind.AGENT, Kind.OBJECT):
        return position_of(graph, carrier.id)
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
    offset = _BESIDE if reference in graph else 0.0
    graph.set_support(held.id, Edge(held.id, Relation(relation), receptacle))
    graph.change(held.id, position=(x + offset, y, z))
    _settle_in(graph, receptacle)
    return held.id


def _articulate(graph: WorldGraph, receptacle: str, share: float) -> str:
    if receptacle in graph:
        entity: Entity = graph[receptacle]
        graph.change(receptacle, parts=tuple(replace(p, value=share * p.range) for p in entity.parts))
        _settle_in(graph, receptacle)
    return receptacle


def _settle_in(graph: WorldGraph, receptacle: str) -> None:
    """What furniture does to its contents once it is shut: a fridge cools them, an oven that is on heats them."""
    piece = graph[receptacle]
    if piece.kind is not Kind.FURNITURE or piece.parts and not piece.closed:
        return
    heats, cools = (piece.category in categories for categories in (heaters(), coolers()))
    change = {"is_hot": True, "is_cold": False} if heats and piece.states.get("is_powered_on") else \
        {"is_cold": True, "is_hot": False} if cools else None
    for thing in graph.contents(receptacle) if change else ():
        graph.change(thing.id, states=thing.states | change)


@cache
def heaters() -> frozenset[str]:
    """Categories of furniture that heat what is in or on them."""
    return frozenset(name for name, c in furniture_categories().items() if "heat" in c.affordances)


@cache
def coolers() -> frozenset[str]:
    """Categories of furniture that cool what is shut in them."""
    return frozenset(name for name, c in furniture_categories().items() if "cool" in c.affordances)


def _state(name: str, value: bool):
    def effect(graph: WorldGraph, id: str, *_: str) -> str:
        if id in graph:
            graph.change(id, states=graph[id].states | {name: value})
            if name == "is_powered_on":
                _settle_in(graph, id)
        return id
    return effect


def _pour(graph: WorldGraph, id: str, receptacle: str) -> str:
    for entity, value in ((id, False), (receptacle, True)):
        if entity in graph:
            graph.change(entity, states=graph[entity].states | {"is_filled": value})
    return receptacle


_EFFECTS = {
    "go_to": _go_to, "pick": _pick, "place": _place,
    "open": lambda graph, id: _articulate(graph, id, 1.0), "close": lambda graph, id: _articulate(graph, id, 0.0),
    "clean": _state("is_clean", True), "fill": _state("is_filled", True), "slice": _state("is_sliced", True),
    "pour": _pour, "power_on": _state("is_powered_on", True), "power_off": _state("is_powered_on", False),
}
