"""Which piece of furniture is meant by what is on it: ``the sofa in the den with the cushions``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.things.attachment import Placed
from dadu.world.graph import Kind


def told_by_content(draft: Draft, clause: Clause) -> Clause:
    """The clause with ``with the cushions`` as what tells which of several places is meant, where they are on one."""
    items = list(clause.items)
    for i, item in enumerate(items):
        held = _held(item) if isinstance(item, Prep) else None
        if not isinstance(item, Prep) or held is None or held.indefinite or held.pronoun:
            continue
        before = [(j, prep) for j, prep in enumerate(items[:i]) if isinstance(prep, Prep)]
        at, place = next(((j, prep) for j, prep in reversed(before)
                          if draft.things.kind_of(prep.noun) is Kind.FURNITURE), (0, None))
        if place is not None and _on_one(draft, place.noun, held):
            items[at] = replace(place, noun=replace(place.noun, holding=held))
            rest = [] if item.relation == "with" else [replace(item, noun=replace(item.noun, holding=None))]
            behind = items[i + 1:]
            if behind and isinstance(behind[0], Prep) and behind[0].noun.pronoun == "it":  # with the lamp on it
                behind = behind[1:]
            return replace(clause, items=(*items[:i], *rest, *behind))
    return clause


def _held(item: Prep) -> Noun | None:
    """``with the cushions``, also behind a room: ``in the living room with the cushions``."""
    return item.noun if item.relation == "with" else item.noun.holding if item.noun.words[-1:] == ("room",) else None


def _on_one(draft: Draft, place: Noun, held: Noun) -> bool:
    try:
        (thing,) = draft.things.resolve(Placed(held), (Kind.OBJECT,), mention=False)
        pieces = draft.things.resolve(Placed(place), mention=False)[0].term.ids
    except (Refusal, ValueError):
        return False
    on = {edge.object for id in thing.term.ids if (edge := draft.graph.support(id)) is not None}
    return bool(on & set(pieces)) and not set(pieces) <= on
