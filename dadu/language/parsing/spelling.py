"""Slips of the keyboard: a word that nobody knows, and the one known word that is a letter away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import ascii_lowercase

from dadu import knowledge
from dadu.knowledge.lexicon import default_lexicon
from dadu.language.parsing.classes import word_classes
from dadu.language.parsing.names import Names

_KNOWLEDGE = Path(knowledge.__path__[0])
_SHORTEST = 4
"""letters of a known word that may be misspelt; shorter ones are too near to each other"""
_LONG = 5
"""letters of a word in which one may be missing, too many or another, where something here is called so"""


def meant(word: str, names: Names, behind: str = "") -> str:
    """The word itself where it is known, or where none or several of the known words are near. With the word `behind`
    it, it may be one of a name that nobody has seen yet: ``suger box``."""
    known = names.words
    if not word.isalpha() or any(w in known or w in _words() for w in (word, default_lexicon().singular(word))):
        return word
    near = {other for other in _exchanged(word) if other in known or other in _words()}
    if not near and len(word) >= _LONG:
        near = {other for other in _edited(word) if _is_named(other, behind, names)}
    near = {other for other in near if len(other) >= _SHORTEST or sorted(other) == sorted(word)}
    return near.pop() if len(near) == 1 else word


def _is_named(word: str, behind: str, names: Names) -> bool:
    one, next_ = map(default_lexicon().singular, (word, behind))
    return one in names.here or bool(behind) and (word, next_) in names


def _exchanged(word: str) -> Iterator[str]:
    """Two letters that changed places, one that is doubled or single by mistake: hardly ever the first."""
    for i in range(1, len(word) - 1):
        yield word[:i] + word[i + 1] + word[i] + word[i + 2:]
    for i in range(len(word) - 1):
        yield word[:i + 1] + word[i] + word[i + 1:]
        if word[i] == word[i + 1]:
            yield word[:i] + word[i + 1:]
    yield word + word[-1]
    yield word[:1] and word[1:2] + word[:1] + word[2:]


def _edited(word: str) -> Iterator[str]:
    """One letter more, less or another."""
    for i in range(1, len(word) + 1):
        yield from (word[:i] + letter + word[i:] for letter in ascii_lowercase)
        yield from (word[:i] + letter + word[i + 1:] for letter in ascii_lowercase)
        yield word[:i] + word[i + 1:]


@cache
def _words() -> frozenset[str]:
    """Every word that has a meaning without being a name."""
    data = (*_KNOWLEDGE.glob("*.yaml"), *_KNOWLEDGE.glob("uses/*.yaml"))
    written = re.sub("#.*", "", "\n".join(path.read_text(encoding="utf-8") for path in data)).lower()
    return frozenset({*re.findall("[a-z0-9']+", written), *(w for words in word_classes().entries for w in words)})
