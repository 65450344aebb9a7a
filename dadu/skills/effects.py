"""What a skill that works does to the world graph: for looking ahead, and until memory has heard of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, singledispatch

from dadu.house.catalogue import furniture_categories
from dadu.skills.call import SkillCall
from dadu.skills.specification import Effect, MovesBase, MovesPart, Puts, SetsState, Shows, Takes
from dadu.skills.table import SKILLS
from dadu.world.graph import Edge, Entity, Kind, Relation, Surface, WorldGraph
from dadu.world.handles import split_handle_path

ROBOT = "robot"
_BESIDE = 0.05
"""[m] how far from a thing what is put next to it is taken to be; on which side, looking will tell"""
_TABLE = 0.75
"""[m]: height of a table"""


def apply(graph: WorldGraph, call: SkillCall, stamp: float | None = None) -> WorldGraph:
    """A copy of `graph` after `call`, with `stamp` [s] on what it changed, as the table of skills has its effects.
    Skills without a lasting effect change nothing."""
    after = graph.copy()
    spec = SKILLS.get(call.skill)
    if spec is None:
        return after
    for effect in spec.effects:
        changed = _take_effect(effect, after, spec.named(call.arguments))
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


@singledispatch
def _take_effect(effect: Effect, graph: WorldGraph, given: Mapping[str, str]) -> str:
    """Changes `graph`; `given`: the call's arguments by name. Returns the entity that was changed, or nothing."""
    raise NotImplementedError(type(effect).__name__)


@_take_effect.register
def _(effect: Shows, graph: WorldGraph, given: Mapping[str, str]) -> str:
    return ""  # what will be seen cannot be told


@_take_effect.register
def _(effect: MovesBase, graph: WorldGraph, given: Mapping[str, str]) -> str:
    target = given[effect.target]
    if target in graph and ROBOT in graph:
        x, y, _ = position_of(graph, target)
        graph.change(ROBOT, position=(x, y, 0.0))
    return ROBOT


@_take_effect.register
def _(effect: Takes, graph: WorldGraph, given: Mapping[str, str]) -> str:
    object = given[effect.object]
    graph.set_support(object, Edge(object, Relation.HELD_BY, ROBOT))
    return object


@_take_effect.register
def _(effect: Puts, graph: WorldGraph, given: Mapping[str, str]) -> str:
    held, receptacle, reference = graph.held(ROBOT), given[effect.receptacle], given.get(effect.reference, "")
    if held is None or receptacle not in graph:
        return ""
    relation = Relation(given[effect.relation])
    surface = _surface(graph[receptacle], relation, held)
    x, y, z = graph[reference if reference in graph else receptacle].position
    if reference in graph:
        x += _BESIDE
    elif surface is not None:
        pose = graph[receptacle].surface_pose(surface)
        x, y, z = pose.x, pose.y, surface.height + held.size[2] / 2
    graph.set_support(held.id, Edge(held.id, relation, receptacle))
    graph.change(held.id, position=(x, y, z))
    _settle_in(graph, receptacle)
    return held.id


@_take_effect.register
def _(effect: MovesPart, graph: WorldGraph, given: Mapping[str, str]) -> str:
    (receptacle, part), share = split_handle_path(given[effect.receptacle]), 1.0 if effect.open else 0.0
    if receptacle in graph:
        entity: Entity = graph[receptacle]
        graph.change(receptacle, parts=tuple(replace(p, value=share * p.range) if part in ("", p.name) else p
                                             for p in entity.parts))
        _settle_in(graph, receptacle)
    return receptacle


@_take_effect.register
def _(effect: SetsState, graph: WorldGraph, given: Mapping[str, str]) -> str:
    id = given[effect.argument]
    if id in graph:
        graph.change(id, states=graph[id].states | {effect.state.name: effect.state.value})
        _settle_in(graph, id)
    return id


def _surface(piece: Entity, relation: Relation, thing: Entity) -> Surface | None:
    """Where in or on it a thing is put, as far as can be told: where it fits, at a table's height if there is a choice,
    which arms reach best."""
    fit = (s for s in piece.surfaces if s.inside == (relation is Relation.IN) and s.clearance > thing.size[2])
    return min(fit, key=lambda s: abs(s.height - _TABLE), default=None)


def _settle_in(graph: WorldGraph, receptacle: str) -> None:
    """What furniture does to its contents once it is shut: a fridge cools them, an oven that is on heats them."""
    piece = graph[receptacle]
    if piece.kind is not Kind.FURNITURE or piece.parts and not piece.closed:
        return
    heats, cools = (piece.category in categories for categories in (heaters(), coolers()))
    if heats and piece.states.get("is_powered_on"):
        change = {"is_hot": True, "is_cold": False}
    elif cools:
        change = {"is_cold": True, "is_hot": False}
    else:
        return
    for thing in graph.contents(receptacle):
        graph.change(thing.id, states=thing.states | change)


@cache
def heaters() -> frozenset[str]:
    """Categories of furniture that heat what is in or on them."""
    return frozenset(name for name, c in furniture_categories().items() if "heat" in c.affordances)


@cache
def coolers() -> frozenset[str]:
    """Categories of furniture that cool what is shut in them."""
    return frozenset(name for name, c in furniture_categories().items() if "cool" in c.affordances)
