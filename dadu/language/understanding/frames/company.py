"""To where others of a kind are: ``put the cola with the other drinks``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from dadu.goals.goal import Term
from dadu.language.reading.syntax import Noun
from dadu.language.refusal import NotSeen
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.frames.placing import holds_things
from dadu.language.understanding.things.attachment import Placed, Reading
from dadu.language.understanding.things.things import Thing
from dadu.world.graph import Kind, Relation


def where_with(draft: Draft, reading: Reading) -> Reading:
    """``on the cabinet with the toaster``: on the one where it stands, if it stands on one."""
    to = reading.destination
    if to is None or to.place.noun.holding is not None or draft.things.kind_of(to.place.noun) is not Kind.FURNITURE:
        return reading
    places = {id for t in draft.things.resolve(to.place, mention=False) for id in t.term.ids}
    for prep in (p for p in reading.carried if p.narrows and p.noun.words):
        things = draft.things.resolve(Placed(prep.noun), (Kind.OBJECT,), mention=False)
        if not draft.complete and not any(t.term.ids for t in things):
            raise NotSeen(f"I do not know yet where {prep.noun.text!r} is", [prep.noun.text],
                          things[0].term.description, every=False)
        edges = (draft.graph.support(id) for t in things for id in t.term.ids)
        if any(edge is not None and edge.object in places for edge in edges):
            draft.note(f"'with {prep.noun.text}' is taken as where it is")
            place = replace(to.place, noun=replace(to.place.noun, holding=prep.noun))
            return replace(reading, destination=replace(to, place=place),
                           carried=tuple(p for p in reading.carried if p is not prep))
    return reading


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
    moved = {id for t in things if t.every or len(t.term.ids) <= t.number for id in t.term.ids}
    left = {edge.object for id in moved if (edge := draft.graph.support(id)) is not None}
    edges = [edge for id in company.term.ids if id not in moved and (edge := draft.graph.support(id)) is not None
             and draft.graph[edge.object].kind is Kind.FURNITURE]
    edges = [edge for edge in edges if edge.object not in left] or edges
    if not edges:
        raise NotSeen(f"I do not know where {noun.text!r} are; name the place", [noun.text], company.term.description)
    (relation, place), _ = Counter((e.relation, e.object) for e in edges).most_common(1)[0]
    draft.note(f"most of {noun.text!r} are at {place}")
    predicate = "is_inside" if relation is Relation.IN else "is_on_top"
    for thing in things:
        draft.add(predicate, thing, Term(place, (place,)), same_target=True)


def pack(draft: Draft, reading: Reading, things: list[Thing]) -> list[Thing]:
    """``a bowl with a spoon in it``: the spoon goes into the bowl first. What goes along with a thing that
    takes nothing in is returned: a bottle with a glass."""
    along = []
    for prep in reading.carried:
        for thing in draft.things.resolve(Placed(prep.noun), (Kind.OBJECT,)):
            draft.require(thing)
            if prep.noun.other:  # put the plate with the other one in the cupboard
                draft.add("is_next_to", things[0], thing.term)
            elif holds_things(draft, things[0]):
                draft.add("is_inside" if prep.relation == "in" else "is_on_top", thing, things[0].term)
            else:
                along.append(thing)
    return along
