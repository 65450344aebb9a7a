"""Whether a proposition holds, as far as memory knows. What is not known does not hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dadu.goals.goal import Proposition
from dadu.knowledge.usual_places import place_rank
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.skills.effects import coolers
from dadu.world.graph import Entity, Kind, Relation, WorldGraph

NEXT_TO = 0.35
"""[m] free gap between two objects' boxes up to which they stand next to each other"""
AT_FURNITURE = 1.5
"""[m] from the robot's centre to a piece of furniture or an object: it stands there"""


def holds(proposition: Proposition, graph: WorldGraph) -> bool:
    """Whether enough of the subjects satisfy it, at one and the same object where that is asked."""
    return len(satisfying(proposition, graph)) >= proposition.needed


def satisfying(proposition: Proposition, graph: WorldGraph) -> list[str]:
    """The subjects that satisfy it (with `same_target`: at the object that most of them share)."""
    test = _TESTS.get(proposition.predicate) or _state(proposition.predicate)
    subjects = _known(proposition.subject, graph)
    if proposition.predicate == "is_clustered":
        return [s.id for s in subjects if _clustered(graph, s, subjects)]
    if proposition.object is None:
        return [s.id for s in subjects if test(graph, s, None)]
    objects = _known(proposition.object, graph)
    if proposition.object.usual:
        return [s.id for s in subjects if any(test(graph, s, o) for o in fit_for(s, objects))]
    if proposition.same_target:
        return max(([s.id for s in subjects if test(graph, s, o)] for o in objects), key=len, default=[])
    return [s.id for s in subjects if any(test(graph, s, o) for o in objects if o.id != s.id)]


def fit_for(subject: Entity, objects: list[Entity]) -> list[Entity]:
    """Of `objects` those where such a thing usually is, the fittest first; all where that is not known."""
    ranks = {o.id: place_rank(o, (subject.category,), default_vocabulary()) for o in objects}
    fitting = sorted((o for o in objects if ranks[o.id] is not None), key=lambda o: (ranks[o.id], o.id))
    return fitting or objects


def gap(a: Entity, b: Entity) -> float:
    """Horizontal distance between the boxes of two entities, each taken as a disc of its half extent [m]."""
    centres = float(np.hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]))
    return max(0.0, centres - (max(a.size[:2]) + max(b.size[:2])) / 2)


def _known(term, graph: WorldGraph) -> list[Entity]:
    return [graph.entities[id] for id in term.ids if id in graph]


def _supported(relation: Relation) -> Callable[[WorldGraph, Entity, Entity], bool]:
    def test(graph: WorldGraph, subject: Entity, support: Entity) -> bool:
        edge = graph.support(subject.id)
        return edge is not None and edge.relation is relation and edge.object == support.id
    return test


def _in_room(graph: WorldGraph, subject: Entity, room: Entity) -> bool:
    held = graph.support(subject.id)
    if subject.kind is Kind.OBJECT and held is not None and held.relation is Relation.HELD_BY:
        return False  # carried through a room is not brought there
    found = graph.room_of(subject.id)
    return found is not None and found.id == room.id


def _next_to(graph: WorldGraph, subject: Entity, reference: Entity) -> bool:
    if subject.kind is Kind.AGENT:
        return _distance(subject, reference) <= AT_FURNITURE
    here, there = graph.support(subject.id), graph.support(reference.id)
    if here is None or here.relation is Relation.HELD_BY:
        return False
    if reference.kind is Kind.OBJECT and (there is None or here.object != there.object):
        return False
    return gap(subject, reference) <= NEXT_TO


def _distance(agent: Entity, reference: Entity) -> float:
    """From the agent to the outline of the reference [m]."""
    local = reference.pose.inverse() * agent.pose
    dx, dy = abs(local.x) - reference.size[0] / 2, abs(local.y) - reference.size[1] / 2
    return float(np.hypot(max(dx, 0.0), max(dy, 0.0)))


def _held(graph: WorldGraph, subject: Entity, _) -> bool:
    edge = graph.support(subject.id)
    return edge is not None and edge.relation is Relation.HELD_BY


def _on_floor(graph: WorldGraph, subject: Entity, _) -> bool:
    edge = graph.support(subject.id)
    return edge is None and subject.provenance == "detection" and subject.position[2] < 0.2


def _open(graph: WorldGraph, subject: Entity, _) -> bool:
    return subject.is_container and not subject.closed


def _closed(graph: WorldGraph, subject: Entity, _) -> bool:
    # "Closed" asks more than "not open": every part shut.
    return subject.is_container and all(part.closed for part in subject.parts)


def _state(predicate: str) -> Callable[[WorldGraph, Entity, Entity | None], bool]:
    """States come in pairs; a known one tells of its opposite. What is not known to be clean is taken to be dirty, as
    in PARTNR."""
    opposite = _OPPOSITES.get(predicate, "")

    def test(graph: WorldGraph, subject: Entity, _) -> bool:
        if opposite in subject.states:
            return not subject.states[opposite]
        return subject.states.get(predicate, predicate == "is_dirty" and subject.kind is Kind.OBJECT)
    return test


def _cold(graph: WorldGraph, subject: Entity, _) -> bool:
    """Known to be, or shut in a fridge."""
    edge = graph.support(subject.id)
    piece = graph.entities.get(edge.object) if edge is not None and edge.relation is Relation.IN else None
    return bool(subject.states.get("is_cold")) or (piece is not None and piece.category in coolers() and piece.closed)


def is_told(entity: Entity, predicate: str) -> bool:
    """Whether memory knows which of the two states it is, such as clean or dirty."""
    return predicate in ("is_open", "is_closed") or bool({predicate, _OPPOSITES.get(predicate, predicate)} & set(
        entity.states))


def opposite_of(predicate: str) -> str:
    """The predicate of the same state with the other value; empty where there is none."""
    return _OPPOSITES.get(predicate, "")


def contradicts(graph: WorldGraph, entity: Entity, predicate: str) -> bool:
    """Whether memory knows that this state of an entity is another."""
    if predicate in ("is_open", "is_closed"):
        return entity.is_container and not _TESTS[predicate](graph, entity, None)
    opposite = _OPPOSITES.get(predicate, "")
    return entity.states.get(predicate) is False or entity.states.get(opposite) is True


def _clustered(graph: WorldGraph, subject: Entity, others: list[Entity]) -> bool:
    """Next to at least one of the others."""
    return any(_next_to(graph, subject, other) for other in others if other.id != subject.id)


_PAIRS = (("is_dirty", "is_clean"), ("is_empty", "is_filled"), ("is_powered_off", "is_powered_on"))
_OPPOSITES = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}
_TESTS = {
    "is_on_top": _supported(Relation.ON), "is_inside": _supported(Relation.IN), "is_in_room": _in_room,
    "is_next_to": _next_to, "is_held": _held, "is_open": _open, "is_closed": _closed, "is_on_floor": _on_floor,
    "is_cold": _cold,
}
