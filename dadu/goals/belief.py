"""Propositions judged by what memory knows. What is not known does not hold."""

from __future__ import annotations

from collections.abc import Iterable

from dadu.goals.goal import Proposition, Term
from dadu.goals.groups import groups
from dadu.goals.predicates.belief_view import BeliefView
from dadu.goals.predicates.predicate import Predicate
from dadu.goals.predicates.table import PREDICATES
from dadu.knowledge.usual_places import place_rank
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.world.graph import Entity, Kind, WorldGraph


def holds(proposition: Proposition, graph: WorldGraph) -> bool:
    """True if enough of the subjects satisfy it, at one and the same object where that is asked."""
    return len(satisfying(proposition, graph)) >= proposition.needed


def satisfying(proposition: Proposition, graph: WorldGraph) -> list[str]:
    """The subjects that satisfy it (with `same_target`: at the object that most of them share; in a cluster: those that
    are in the largest)."""
    view, predicate = BeliefView(graph), PREDICATES[proposition.predicate]
    subjects = _known(proposition.subject, graph)
    if predicate.lists:
        largest = max(groups(view, predicate, [s.id for s in subjects]), key=len, default=set())
        return [s.id for s in subjects if len(largest) > 1 and s.id in largest]
    if proposition.object is None:
        return [s.id for s in subjects if _taken_for_true(view, predicate, s)]
    return _standing_so(view, proposition, subjects)


def _standing_so(view: BeliefView, proposition: Proposition, subjects: Iterable[Entity]) -> list[str]:
    """Those that stand so to one of the objects; with `same_target` to the one that most of them share."""
    at = {s.id: _where(view, proposition, s) for s in subjects}
    if proposition.same_target:
        together = ([s for s, places in at.items() if id in places] for id in proposition.place.ids)
        return max(together, key=len, default=[])
    return [s for s, places in at.items() if places]


def targets_of(proposition: Proposition, subject: str, graph: WorldGraph) -> list[str]:
    """Of the objects of a proposition those with which it is true of a subject."""
    return _where(BeliefView(graph), proposition, graph[subject])


def known_to_be(graph: WorldGraph, id: str, predicate: str) -> bool:
    """True if memory knows that a thing is in this state."""
    return PREDICATES[predicate].answer(BeliefView(graph), id) is True


def known_not_to_be(graph: WorldGraph, id: str, predicate: str) -> bool:
    """True if memory knows that a thing is not in this state."""
    return PREDICATES[predicate].answer(BeliefView(graph), id) is False


def next_to(graph: WorldGraph, id: str, other: str) -> bool:
    """True if one thing is known to be next to another, such as the chair by the desk."""
    return PREDICATES["is_next_to"].answer(BeliefView(graph), id, other) is True


def fit_for(subject: Entity, objects: list[Entity]) -> list[Entity]:
    """Of `objects` those where such a thing usually is, the fittest first; all where that is not known."""
    ranks = {o.id: place_rank(o, (subject.category,), default_vocabulary()) for o in objects}
    fitting = sorted((o for o in objects if ranks[o.id] is not None), key=lambda o: (ranks[o.id], o.id))
    return fitting or objects


def _taken_for_true(view: BeliefView, predicate: Predicate, subject: Entity) -> bool:
    answer = predicate.answer(view, subject.id)
    return predicate.presumed and subject.kind is Kind.OBJECT if answer is None else answer


def _where(view: BeliefView, proposition: Proposition, subject: Entity) -> list[str]:
    """What was to be taken from somewhere, and is still there, is nowhere else yet: the apple in the bowl on the table
    is not *on the table* to whoever asks for the apple from the bowl."""
    if proposition.object is None or _still_at_its_source(view, proposition, subject):
        return []
    objects = _known(proposition.object, view.graph)
    if proposition.object.usual:
        objects = fit_for(subject, objects)
    test = PREDICATES[proposition.predicate].answer
    return [o.id for o in objects if o.id != subject.id and test(view, subject.id, o.id)]


def _still_at_its_source(view: BeliefView, proposition: Proposition, subject: Entity) -> bool:
    description, edge = proposition.subject.description, view.graph.support(subject.id)
    brings = PREDICATES[proposition.predicate].relation is not None
    if not brings or description is None or edge is None or view.kind(edge.object) is not Kind.OBJECT:
        return False
    wanted = proposition.object is not None and edge.object in proposition.object.ids
    return not wanted and any(
        edge.relation is where.relation and edge.object in where.ids for where in description.where)


def _known(term: Term, graph: WorldGraph) -> list[Entity]:
    return [graph.entities[id] for id in term.ids if id in graph]
