"""Which entities of the graph fit a description."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dadu.goals.belief import known_not_to_be, known_to_be, next_to
from dadu.goals.goal import Description, Where
from dadu.knowledge.lexicon import default_lexicon
from dadu.world.graph import LIGHTNESS, ROBOT, Entity, Kind, Relation, WorldGraph


def candidates(description: Description, graph: WorldGraph) -> list[Entity]:
    """What the graph holds that fits, by id; of a superlative only the one that fits it most."""
    without = {e.id for other in description.without for e in candidates(other, graph)}
    if description.alternatives:
        found = {e.id: e for alternative in description.alternatives for e in candidates(alternative, graph)}
        return [found[id] for id in sorted(found) if id not in without]
    fitting = [e for e in graph.of(description.kind) if e.id not in without and _fits(e, description, graph)]
    if description.states:
        # Those that are known to be so, where some are; where none is, all that may be so, unless it has to be sure.
        known = [e for e in fitting if all(known_to_be(graph, e.id, state) for state in description.states)]
        fitting = known if description.sure else known or fitting
    return _most(sorted(fitting, key=lambda e: e.id), description.superlative, graph)


def _fits(entity: Entity, description: Description, graph: WorldGraph) -> bool:
    """True if it is called so, has what it must have, is where it must be, and nothing speaks against its states."""
    called = entity.id in description.ids or entity.category in description.categories
    return (called and _has(entity, description.attributes)
            and not any(known_not_to_be(graph, entity.id, state) for state in description.states)
            and all(located(graph, entity, where) for where in description.where))


def _has(entity: Entity, attributes: tuple[str, ...]) -> bool:
    """True if it has all of these; navy is a blue."""
    families, own = default_lexicon().color_families, entity.values
    return all(own & {a, *families.get(a, ())} for a in attributes)


def exactly(attributes: tuple[str, ...], found: Sequence[Entity]) -> list[Entity]:
    """Those that are said to be so in these words, rather than in a word for a kind of it: brown before walnut."""
    return [e for e in found if e.values >= set(attributes)]


def located(graph: WorldGraph, entity: Entity, where: Where) -> bool:
    """True if an entity is where a description says."""
    if where.relation is Relation.IN_ROOM:
        room = graph.room_of(entity.id)
        return room is not None and room.id in where.ids
    if where.relation is Relation.NEXT_TO:
        return any(next_to(graph, entity.id, id) for id in where.ids)
    edge = graph.support(entity.id)
    if edge is None or edge.object not in where.ids:
        return False
    shut = graph[edge.object].is_container  # what stands on a cupboard is not in it
    return where.relation is not Relation.IN or edge.relation is Relation.IN or not shut


def relax_nearness(description: Description, graph: WorldGraph) -> Description:
    """``the bench by the bed``, where it stands a little off: the one in the same room."""
    def in_room(where: Where) -> Where:
        rooms = {room.id for id in where.ids if (room := graph.room_of(id)) is not None}
        return Where(Relation.IN_ROOM, tuple(sorted(rooms))) if where.relation is Relation.NEXT_TO and rooms else where
    return replace(description, where=tuple(map(in_room, description.where)))


def _most(everything: list[Entity], superlative: str, graph: WorldGraph) -> list[Entity]:
    """The one that is biggest, smallest, tallest, shortest, nearest, furthest, darkest or lightest; all where nothing
    was said, and where nobody has seen how light they are."""
    found = everything
    if not superlative or len(found) < 2:
        return found
    if superlative in ("dark", "lighter"):
        found = [e for e in found if LIGHTNESS in e.attributes]
        if len({e.attributes[LIGHTNESS] for e in found}) < 2:
            return found or everything
    measure = {e.id: _measured(e, superlative, graph) for e in found}
    best = (max if superlative in ("big", "tall", "far", "lighter") else min)(measure.values())
    return [e for e in found if math.isclose(measure[e.id], best)][:1 if found[0].kind is Kind.OBJECT else None]


def _measured(entity: Entity, superlative: str, graph: WorldGraph) -> float:
    """What is compared: metres, cubic metres, or how light it is."""
    if superlative in ("near", "far"):
        here = graph[ROBOT].position if ROBOT in graph else (0.0, 0.0, 0.0)
        return math.dist(entity.position[:2], here[:2])
    if superlative in ("dark", "lighter"):
        return float(entity.attributes[LIGHTNESS])
    return entity.size[2] if superlative in ("tall", "short") else math.prod(entity.size)
