"""Where things stood when the instruction was given: to put them back there, or each where the other one was."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Proposition, Term
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.things.attachment import Group, Placed
from dadu.language.understanding.things.things import Thing
from dadu.world.graph import Edge, Kind, Relation


def back(draft: Draft, things: list[Thing]) -> None:
    """Each to where it was. Errors: Refusal where that is not known."""
    for thing in things:
        if not thing.term.ids or len(thing.term.ids) > 1 and not thing.every:
            raise _not_known(thing)
        for id in thing.term.ids:
            one = thing.term if len(thing.term.ids) == 1 else Term(id, (id,))
            _to(draft, one, _stood(draft, thing, id))


def swap(draft: Draft, clause: Clause, part: Group) -> None:
    """``swap the cup and the vase``, ``swap the cup on the table with the vase``. Errors: Refusal where it is not two
    things, each of which has a place."""
    placed: list[Placed] = []
    for item in clause.items:
        if isinstance(item, Noun) or isinstance(item, Prep) and item.relation in ("with", "for"):
            placed.append(Placed(item if isinstance(item, Noun) else item.noun))
        elif isinstance(item, Prep) and placed:
            placed[-1] = replace(placed[-1], where=(*placed[-1].where, item))
    things = [t for p in placed for t in draft.things.resolve(p, (Kind.OBJECT,))]
    if len(things) == 1 and len(things[0].term.ids) == 2:  # swap the candles
        things = [replace(things[0], term=Term(id, (id,))) for id in things[0].term.ids]
    if len(things) != 2:
        raise Refusal(f"two things are needed in {clause.text!r}", [clause.verb])
    for thing in things:
        if len(thing.term.ids) != 1:
            raise _not_known(thing)
    first, second = (_stood(draft, t, t.term.ids[0]) for t in things)
    _to(draft, things[0].term, second)
    _to(draft, things[1].term, first)


def former_place(draft: Draft, thing: Thing) -> tuple[str, Term]:
    """Where one thing was, as predicate and term. Errors: Refusal where that is not known."""
    if len(thing.term.ids) != 1:
        raise _not_known(thing)
    edge = _stood(draft, thing, thing.term.ids[0])
    return "is_inside" if edge.relation is Relation.IN else "is_on_top", Term(edge.object, (edge.object,))


def _stood(draft: Draft, thing: Thing, id: str) -> Edge:
    edge = draft.graph.support(id) if id in draft.graph else None
    if edge is None or edge.relation not in (Relation.ON, Relation.IN):
        raise _not_known(thing)
    return edge


def _to(draft: Draft, term: Term, place: Edge) -> None:
    predicate = "is_inside" if place.relation is Relation.IN else "is_on_top"
    draft.put(Proposition(predicate, term, Term(place.object, (place.object,))))


def _not_known(thing: Thing) -> Refusal:
    message, words = f"I do not know where {thing.term.name!r} was; name the place", [thing.term.name]
    return Refusal(message, words) if thing.term.ids else NotSeen(message, words, thing.term.description, every=False)
