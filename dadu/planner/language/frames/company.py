"""To where others of a kind are: ``put the cola with the other drinks``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from dadu.memory.graph import Kind, Relation
from dadu.planner.goal import Term
from dadu.planner.language.attachment import Placed
from dadu.planner.language.draft import Draft
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.syntax import Noun
from dadu.planner.language.things import Thing


def with_others(draft: Draft, things: list[Thing], noun: Noun) -> None:
    """To the piece of furniture that holds most of them; next to a single one. Errors: Refusal where it is not known
    where they are."""
    several = noun.other or noun.plural or noun.every
    kind = replace(noun, other=False, every=several, number=None)
    company = draft.things.resolve(Placed(kind), (Kind.OBJECT,), mention=False)[0]
    if not several:
        for thing in things:
            draft.add("is_next_to", thing, company.term)
        return
    moved = {id for t in things for id in t.term.ids}
    left = {edge.object for id in moved if (edge := draft.graph.support(id)) is not None}
    edges = [edge for id in company.term.ids if id not in moved and (edge := draft.graph.support(id)) is not None
             and edge.object not in left and draft.graph[edge.object].kind is Kind.FURNITURE]
    if not edges:
        raise Refusal(f"I do not know where {noun.text!r} are; name the place", [noun.text])
    (relation, place), _ = Counter((e.relation, e.object) for e in edges).most_common(1)[0]
    draft.note(f"most of {noun.text!r} are at {place}")
    predicate = "is_inside" if relation is Relation.IN else "is_on_top"
    for thing in things:
        draft.add(predicate, thing, Term(place, (place,)), same_target=True)
