"""Commas that were left out: ``the fork spoon and plate``. No such thing is known, but each of its parts is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dadu.knowledge.lexicon import Words
from dadu.language.reading.syntax import And, Clause, Item, Noun
from dadu.language.understanding.draft import Draft
from dadu.world.graph import Kind

_LONGEST = 12
"""words in a list without commas"""


def with_commas(draft: Draft, clause: Clause) -> Clause:
    """The clause with each noun of a list that is no name but a row of names as several nouns."""
    items: list[Item] = []
    listed = sum(isinstance(item, Noun) for item in clause.items) > 1
    for item in clause.items:
        names = _names(draft, item) if isinstance(item, Noun) else ()
        if not isinstance(item, Noun) or not names or not (listed or all(len(name) > 1 for name in names)):
            items.append(item)
            continue
        for i, name in enumerate(names):
            items += [And(), _one(item, name, i)] if i else [_one(item, name, i)]
        draft.note(f"{item.text!r} is read as {' and '.join(' '.join(n) for n in names)}")
    return replace(clause, items=tuple(items))


def _names(draft: Draft, noun: Noun) -> tuple[Words, ...]:
    """Where one of them is of several words: apple juice is no apple and juice."""
    plain = not (noun.pronoun or noun.alternatives or noun.uses)
    if not plain or not 3 <= len(noun.words) <= _LONGEST or draft.things.kind_of(noun) is not None:
        return ()
    known = {name for e in draft.graph.of(Kind.OBJECT) if (entry := draft.vocabulary.entries.get(e.category))
             for name in (entry.name, *entry.aliases)}
    return min((row for row in _rows(noun.words, known) if len(row) > 1), key=len, default=())


def _rows(words: Words, known: set[Words]) -> Iterator[tuple[Words, ...]]:
    """Every way to part the words into names that are known."""
    if not words:
        yield ()
    for i in range(1, len(words) + 1):
        if words[:i] in known:
            yield from ((words[:i], *rest) for rest in _rows(words[i:], known))


def _one(noun: Noun, name: Words, place: int) -> Noun:
    plural = noun.plural if name == noun.words[-len(name):] else name[-1] not in noun.text.split()
    return replace(noun, words=name, text=" ".join(name), plural=plural, number=None if place else noun.number)
