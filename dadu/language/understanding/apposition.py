"""A list that explains what was said just before: ``three apples, a red one, a green one and a yellow one``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.syntax import And, Clause, Item, Noun, Prep
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.things.generality import Meaning
from dadu.world.graph import Kind


def explained(draft: Draft, clause: Clause) -> Clause:
    """The clause less the things that the list right behind them names one by one: as many, and each of that kind."""
    nouns = [item for item in clause.items if isinstance(item, Noun)]
    whole = nouns[0] if nouns else Noun()
    if len(nouns) < 3 or not whole.words or f"{whole.text} ," not in clause.text.replace(" - ", " , "):
        return clause
    end = next((i for i, item in enumerate(clause.items) if isinstance(item, Prep)), len(clause.items))
    if clause.items[0] is not whole or any(isinstance(item, Noun) for item in clause.items[end:]):
        return clause
    named = [own for noun in nouns[1:] if (own := _of_that_kind(draft, whole, noun)) is not None]
    if len(named) < len(nouns[1:]) or sum(noun.number or 1 for noun in nouns[1:]) != _how_many(whole):
        return clause
    row: list[Item] = [named[0]]
    for noun in named[1:]:
        row += [And(), noun]
    return replace(clause, items=(*row, *clause.items[end:]))


def _how_many(whole: Noun) -> int:
    return whole.number or (2 if whole.text.startswith("both ") else 0)


def _of_that_kind(draft: Draft, whole: Noun, noun: Noun) -> Noun | None:
    """``a red one`` and ``one red`` are apples; an orange is one of two fruits; None where it is something else."""
    lexicon, nouns = draft.vocabulary.lexicon, draft.things.nouns
    if noun.pronoun == "one" or not noun.pronoun and noun.words and all(map(lexicon.qualifies, noun.words)):
        return replace(noun, words=(*noun.words, *nouns.plain(whole.words)), pronoun="")
    try:
        kind, own = (nouns.meaning(n.words, n.text, (Kind.OBJECT,), n.uses) for n in (whole, noun))
    except Refusal:
        return None
    return noun if _sorts(kind) & _sorts(own) else None


def _sorts(meaning: Meaning) -> set[str]:
    """Categories of what is meant, also of what is called so by its own name."""
    return {*meaning.description.categories, *(e.category for e in meaning.found)}
