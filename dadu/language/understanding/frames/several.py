"""To more than one place, or beside more than one thing: between two cups, on the table and on the desk; several things
that may be called the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dadu.goals.goal import Term
from dadu.goals.predicates.nearness import NEXT_TO
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.things.attachment import Destination, Placed
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.skills.outcome import Code
from dadu.world.boxes import horizontal_gap
from dadu.world.graph import Kind


def between(draft: Draft, things: list[Thing], destination: Destination) -> None:
    """Next to both. Errors: Refusal where nothing can be."""
    both = [destination.place, *([destination.second] if destination.second else [])]
    furniture = [p.noun.text for p in both if draft.things.kind_of(p.noun) in SUPPORTS]
    if furniture:
        raise Refusal(f"between {' and '.join(furniture)} there is only the floor; I can put things between two "
                      "objects that stand close together", furniture, Code.NOT_INTERACTIVE)
    moved = {t.term.key for t in things}
    beside = [t for placed in both for t in draft.things.resolve(placed, (Kind.OBJECT,)) if t.term.key not in moved]
    if len(beside) == 2:
        check_close(draft, beside[0].term, beside[1].term)
    draft.note(f"between: next to {' and '.join(t.term.name for t in beside)}")
    for thing in things:
        for reference in beside:
            draft.add("is_next_to", thing, reference.term)


def check_close(draft: Draft, first: Term, second: Term) -> None:
    """Errors: Refusal where it is known that nothing can stand next to both."""
    moved = {id for e in draft.entries for id in e.proposition.subject.ids}
    if len(first.ids) != 1 or len(second.ids) != 1 or moved & {*first.ids, *second.ids}:
        return
    a, b = draft.graph[first.ids[0]], draft.graph[second.ids[0]]
    here, there = draft.graph.support(a.id), draft.graph.support(b.id)
    objects = a.kind is b.kind is Kind.OBJECT
    elsewhere = objects and here is not None and there is not None and here.object != there.object
    if elsewhere or horizontal_gap(a.box, b.box) > 2 * NEXT_TO:
        raise Refusal(f"{first.name} and {second.name} stand too far apart: nothing can be next to both; say where to "
                      "put it, or to bring them together first", [first.name, second.name], Code.NOT_INTERACTIVE)


def to_several(draft: Draft, things: list[Thing], destination: Destination,
               place: Callable[[Draft, list[Thing], Destination], None]) -> None:
    """``a plate on the table and the desk``: one on each. Errors: Refusal where it is not said how many go where."""
    places = (destination.place, *(Placed(noun) for noun in destination.also))
    for thing in things:
        shared = thing.noun is not None and (thing.noun.indefinite and thing.number == 1 or (
            len(thing.term.ids) if thing.every and draft.complete else thing.number) == len(places))
        if not shared:
            names = " and ".join(p.noun.text for p in places)
            raise Refusal(f"{thing.term.name!r} cannot be at both {names}; say what goes where", [thing.term.name])
        if draft.complete and len(thing.term.ids) < len(places):
            raise Refusal(f"there are not enough of {thing.term.name!r} for {len(places)} places", [thing.term.name])
        group = []
        for i, target in enumerate(places):
            start = len(draft.entries)
            one = replace(thing, number=1, every=False, term=replace(thing.term, key=f"{thing.term.key}/{i}"))
            place(draft, [one], replace(destination, place=target, also=()))
            group += [e.proposition for e in draft.entries[start:]]
        draft.different.append(group)


def one_each(things: list[Thing]) -> list[Thing]:
    """``the plant and the flower``, where two things may be called either: one of them each."""
    def alike(thing: Thing) -> list[Thing]:
        return [t for t in things if t.term.ids == thing.term.ids and t.term.key != thing.term.key
                and t.number == 1 and not t.every] if thing.number == 1 and not thing.every else []
    out, taken = [], 0
    for thing in things:
        if alike(thing) and len(alike(thing)) + 1 == len(thing.term.ids):
            thing = replace(thing, term=replace(thing.term, ids=thing.term.ids[taken:taken + 1]))
            taken += 1
        out.append(thing)
    return out
