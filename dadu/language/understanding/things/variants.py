"""The same name in other words: a can of drink is a drink can, a slice of apple a sliced apple."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from dadu.knowledge.lexicon import Lexicon, Words
from dadu.knowledge.vocabulary import Vocabulary

_OF_THAT_KIND = ("item", "object", "piece")
"""toy food items are toy food"""


class KnownNouns(Protocol):
    """What can be said of a name: `dadu.language.understanding.things.nouns.Nouns`."""

    lexicon: Lexicon
    vocabulary: Vocabulary

    def known(self, words: Words) -> bool: ...
    def is_here(self, words: Words) -> bool: ...
    def is_noun(self, words: Words) -> bool: ...


def variants(nouns: KnownNouns, words: Words) -> Iterator[Words]:
    """The same name in other words, the likeliest first."""
    lexicon = nouns.lexicon
    yield from _sliced(nouns, words)
    yield words
    if len(words) > 1 and words[-1] in _OF_THAT_KIND:
        yield words[:-1]
    if "of" in words:
        i = words.index("of")
        yield words[i + 1:] + words[:i]
        whole = (*words[i + 1:], words[i - 1])
        if i > 1 and (words[i - 1] in lexicon.vessels or nouns.known(whole)):
            yield words[:i - 1] + whole  # a red can of drink, the big ball of yarn
        if words[i - 1] in (*lexicon.vessels, *lexicon.units):  # a washed bar of soap
            yield words[:i - 1] + words[i + 1:]
        if i == 1 and words[0] in lexicon.parts:
            yield words[i + 1:]
        if i >= 1 and words[i + 1:] and " ".join(words[i + 1:]) in lexicon.liquids and not nouns.is_here(
                words[i + 1:]):
            yield (*(w for w in words[:i - 1] if w != "filled"), "filled", words[i - 1])  # a clean glass of water
    if len(words) > 1 and words[-1] in (*lexicon.parts, *lexicon.units):  # a lettuce head
        yield words[:-1]
    if "filled" in words[:-2] and words[-1] in lexicon.vessels and words[-2] in lexicon.liquids:
        yield (*words[:-2], words[-1])  # a filled water bottle
    if len(words) > 1 and words[-1] in ("item", "object", "thing", "article") and nouns.is_noun(words[:-1]):
        yield words[:-1]  # the toy food items


def _sliced(nouns: KnownNouns, words: Words) -> Iterator[Words]:
    """``a cooked piece of apple``, ``the apple piece``: of what can be sliced, a slice."""
    lexicon = nouns.lexicon
    i = words.index("of") if "of" in words else len(words)
    first = next((n for n in range(i) if " ".join(words[n:i]) in lexicon.pieces), i)
    before, whole = (words[:first], words[i + 1:]) if i < len(words) else ((), words[:first])
    if first < i and whole and any(tier < 2 and "slice" in e.affordances
                                   for e, tier in nouns.vocabulary.named(whole[-1:])):
        yield (*before, "sliced", *whole)
