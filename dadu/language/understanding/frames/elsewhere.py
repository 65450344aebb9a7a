"""Another table, a new chair, a different room: not the one where a thing is now."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.syntax import Noun, Prep
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.things.things import Thing
from dadu.world.graph import Kind

_SHARED = ("a different", "a separate")
"""of one thing: another; of each of several: its own"""


def is_other(noun: Noun, things: list[Thing]) -> bool:
    """Whether `noun` is to be another place than that of `things`, rather than one place for each of them."""
    shared = noun.own and not noun.plural and noun.text.startswith(_SHARED) and not any(
        t.noun is not None and t.noun.each for t in things)
    return shared or noun.other or "new" in noun.words


def elsewhere(draft: Draft, place: Thing, noun: Noun, where: tuple[Prep, ...], things: list[Thing]) -> Thing:
    """`place` less where `things` are now: ``another table``, ``the chair in the other bedroom``. Errors: Refusal where
    nothing else is left."""
    here = {id for thing in things if thing.every or len(thing.term.ids) <= thing.number for id in thing.term.ids}
    rooms = {room.id for id in here if (room := draft.graph.room_of(id)) is not None}
    supports = {edge.object for id in here if (edge := draft.graph.support(id)) is not None}
    taken: set[str] = set()
    if is_other(noun, things):
        taken |= rooms if place.kind is Kind.ROOM else supports
    if any(is_other(p.noun, things) and draft.things.kind_of(p.noun) is Kind.ROOM for p in where):
        taken |= {id for id in place.term.ids if (room := draft.graph.room_of(id)) is not None and room.id in rooms}
    if noun.text.startswith("the other "):
        taken |= _first_of_them(draft, noun)
    left = tuple(id for id in place.term.ids if id not in taken)
    if not left and place.term.ids:
        if len(here) > 1:  # they stand on all that there are: each may stay where it is
            return place
        raise Refusal(f"there is no other place that is {noun.text!r}", [noun.text])
    return replace(place, term=replace(place.term, ids=left))


def _first_of_them(draft: Draft, noun: Noun) -> set[str]:
    """``the lamp to a nightstand, the book to the other nightstand``: the lamp goes to one, and that is settled."""
    keys = {t.term.key: t.term.ids[:1] for t in draft.things.mentions if t.kind is Kind.FURNITURE and t.noun is not None
            and len(t.term.ids) > 1 and t.noun.words[-1:] == noun.words[-1:]}
    before = {e.proposition.object.key for e in draft.entries if e.proposition.object is not None} & keys.keys()
    for i, entry in enumerate(draft.entries):
        p = entry.proposition
        if p.object is not None and p.object.key in before:
            settled = replace(p.object, ids=keys[p.object.key])
            draft.entries[i] = replace(entry, proposition=replace(p, object=settled))
    return {id for key in before for id in keys[key]}
