"""Adjectives in a row, and those whose noun comes later: ``a chilled, cut tomato``, ``a white and a gold bottle``."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from dadu.house.catalogue import object_categories
from dadu.knowledge.lexicon import Lexicon
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import And, Noun, Prep
from dadu.language.reading.words.tokens import Token


def is_adjective(token: Token, lexicon: Lexicon) -> bool:
    """Also where it might be a name: the apple that is orange."""
    return len(token.words) == 1 and not token.has("preposition") and (
        token.text == "the" or _describes(token.text, lexicon))


def go_on(reader: Reader, words: list[str]) -> bool:
    """Whether a comma only stands between adjectives of one noun."""
    if not reader.any("comma") or not words or not all(_adjective(w, reader.lexicon) for w in words):
        return False
    at = reader.at + 1
    while at < len(reader.tokens) and (reader.tokens[at].has("comma") or _adjective(
            reader.tokens[at].text, reader.lexicon)):
        at += 1
    adjectives = at > reader.at + 1 and not reader.tokens[at - 1].has("comma")
    return adjectives and at < len(reader.tokens) and not reader.tokens[at].tags


def with_heads(items: list[Noun | Prep | And], lexicon: Lexicon) -> list[Noun | Prep | And]:
    """``the red and the blue cup``, ``the red and blue cups``: each with the noun behind the last."""
    out = list(items)
    for i in range(len(out) - 3, -1, -1):
        here, join, after = out[i:i + 3]
        if not (isinstance(here, Noun) and isinstance(join, And) and isinstance(after, Noun)):
            continue
        bare = bool(here.words) and not here.pronoun and all(_adjective(w, lexicon) for w in here.words)
        own = next((n for n, word in enumerate(after.words) if not _adjective(word, lexicon)), None)
        again = after.text.split()[:1] != list(after.words[:1])  # an article of its own: two things
        if bare and own is not None and (again or after.plural):
            head = after.words[own:]
            out[i] = replace(here, words=(*here.words, *head), text=f"{here.text} {' '.join(head)}",
                             plural=after.plural and not here.indefinite)
    return out


def _adjective(word: str, lexicon: Lexicon) -> bool:
    """Whether it says how something is, and is no name: the orange, a glass."""
    return word not in _names() and _describes(word, lexicon)


def _describes(word: str, lexicon: Lexicon) -> bool:
    known = (lexicon.colors, lexicon.materials, lexicon.state_of, lexicon.superlatives, lexicon.same_value)
    return any(word in words for words in known)


@cache
def _names() -> frozenset[str]:
    return frozenset(name for category, c in object_categories().items() for name in (category, *c.aliases))
