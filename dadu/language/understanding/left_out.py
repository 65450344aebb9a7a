"""What the nouns of a clause leave out, filled in with the world at hand: ``wine and water glasses``, ``open the
dishwasher and put in a plate``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.syntax import And, Clause, Item, Noun, Prep
from dadu.language.understanding.draft import Draft
from dadu.world.graph import Kind

_THERE = Noun(pronoun="there", text="there")


def filled_in(draft: Draft, clause: Clause) -> Clause:
    """The clause with what is left out of its nouns."""
    return _put_into_it(draft, replace(clause, items=tuple(_shared_heads(draft, list(clause.items)))))


def _shared_heads(draft: Draft, items: list[Item]) -> list[Item]:
    """``wine and water glasses`` are wine glasses and water glasses, where that is a thing's name."""
    for i in range(len(items) - 3, -1, -1):
        first, joint, second = items[i:i + 3]
        if not (isinstance(first, Noun) and isinstance(joint, And) and isinstance(second, Noun)):
            continue
        if first.pronoun or second.pronoun or not first.words or len(second.words) < 2 or not second.plural:
            continue
        whole = (*first.words, second.words[-1])
        if any(tier < 2 for _, tier in draft.vocabulary.named(whole)):
            items[i] = replace(first, words=whole, text=f"{first.text} {second.words[-1]}", plural=True,
                               every=second.every, number=first.number or second.number and 1)
    return items


def _put_into_it(draft: Draft, clause: Clause) -> Clause:
    """``open the dishwasher and put in a plate and a cup``: into what was spoken of."""
    first, rest = (clause.items or (None,))[0], clause.items[1:]
    if clause.frame != "put" or not isinstance(first, Prep) or first.relation != "in" or first.directed or (
            first.narrows or draft.things.last(Kind.FURNITURE) is None):
        return clause
    alone = all(isinstance(item, (And, Noun)) for item in rest) and not (rest and isinstance(rest[0], Noun))
    if not alone or draft.things.kind_of(first.noun) is not Kind.OBJECT:
        return clause
    return replace(clause, items=(first.noun, *rest, Prep("in", _THERE)))
