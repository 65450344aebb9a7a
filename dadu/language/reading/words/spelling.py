"""Slips of the keyboard: a word that nobody knows, and one that is known but for two letters that changed places, or
one that is missing or too many."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from string import ascii_lowercase
from typing import Any

from dadu.knowledge.commonsense import uses, words_of_wishes
from dadu.knowledge.lexicon import gerund
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.reading.words.rewrites import words_of_rewrites
from dadu.world.graph import WorldGraph

_SHORTEST = 4
"""letters of a known word that may be misspelt; shorter ones are too near to each other"""
_LONG = 6
"""letters of a word in which one may be missing"""
_BEGINS = re.compile(r"(?:^|[.,;:!?]|\b(?:and|then|please|you|to))\s*$", re.IGNORECASE)
"""what stands before a verb"""
_STRUCTURE = {"teh": "the", "hte": "the", "adn": "and", "nad": "and", "tehm": "them", "thsi": "this", "taht": "that"}


def corrected(instruction: str, graph: WorldGraph, vocabulary: Vocabulary) -> tuple[str, list[str]]:
    """The instruction with slips mended, and notes that tell of them."""
    here, notes = _here(graph), []
    known = _known(vocabulary) | here

    def mend(match: re.Match[str]) -> str:
        word = match.group()
        meant = word.lower() if word.lower() in known else _meant(word.lower(), known, here)
        if meant == word.lower() and meant not in known and _BEGINS.search(instruction[:match.start()]):
            meant = _as_verb(meant, vocabulary)
        if meant == word.lower():
            return word
        notes.append(f"{word!r} is read as {meant!r}")
        return meant
    return re.sub(r"[A-Za-z]{3,}", mend, instruction), notes


def _meant(word: str, known: frozenset[str], here: frozenset[str]) -> str:
    """The one known word that differs so, else the word itself. A letter too many is only forgiven in the names of what
    there is."""
    if word in _STRUCTURE:
        return _STRUCTURE[word]
    near = {w for w in _near(word) if w in known and len(w) >= _SHORTEST}
    if not near and len(word) >= _LONG:
        near = {w for w in _fuller(word) if w in known} or {w for w in _shorter(word) if w in here}
    return near.pop() if len(near) == 1 else word


def _as_verb(word: str, vocabulary: Vocabulary) -> str:
    """``swich on``, ``bing me``: where a clause begins, the one verb that has a letter more; else the word itself."""
    verbs = {phrase.split()[0] for phrases in vocabulary.lexicon.verbs.values() for phrase in phrases}
    near = {w for w in _fuller(word) if w in verbs and len(w) >= _SHORTEST}
    return near.pop() if len(near) == 1 else word


def _near(word: str) -> Iterator[str]:
    for i in range(len(word) - 1):
        if i:  # the first letter is hardly ever wrong
            yield word[:i] + word[i + 1] + word[i] + word[i + 2:]
        if word[i] == word[i + 1]:
            yield word[:i] + word[i + 1:]
    for i in range(1, len(word)):
        yield word[:i] + word[i] + word[i:]


def _fuller(word: str) -> Iterator[str]:
    """With one letter more."""
    yield from (word[:i] + letter + word[i:] for i in range(1, len(word) + 1) for letter in ascii_lowercase)


def _shorter(word: str) -> Iterator[str]:
    """With one letter less."""
    yield from (word[:i] + word[i + 1:] for i in range(1, len(word)))


def _words(phrases: Iterable[str]) -> set[str]:
    return {w for phrase in phrases for w in re.findall(r"[a-z]+", phrase.lower())}


@cache
def _known(vocabulary: Vocabulary) -> frozenset[str]:
    """Every word of the language, with the names of all categories in both numbers."""
    lexicon, entries = vocabulary.lexicon, vocabulary.entries.values()
    names = {w for e in entries for name in (e.name, *e.aliases, *e.hypernyms) for w in name}
    wishes = words_of_wishes()
    plain = [" ".join(p) for p in lexicon.tags]
    listed = [w for value in lexicon.model_dump().values() for w in _strings(value)]
    useful = [p for use in uses().values() for p in (*use.phrases, *use.wishes)]
    other = [w for value in wishes.model_dump().values() for w in _strings(value)]
    words = _words([*plain, *listed, *useful, *other, *words_of_rewrites()]) | names
    return frozenset(words | {f"{w}s" for w in words} | {f"{w}es" for w in words} | set(map(gerund, words)))


def _here(graph: WorldGraph) -> frozenset[str]:
    return frozenset(_words(s for e in graph for s in (e.id, e.category, *e.aliases, *e.attributes.values())))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for inner in value:
            yield from _strings(inner)
