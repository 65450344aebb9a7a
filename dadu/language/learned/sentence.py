"""A sentence as the network is given it: words, what their pieces mean to MiniLM, which of them are names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from dadu.knowledge.lexicon import Words, default_lexicon
from dadu.knowledge.minilm import MiniLM
from dadu.knowledge.vocabulary import Vocabulary
from dadu.world.graph import Kind

LONGEST = 120
"""words; the rest of a longer text is not read"""
_KINDS = (Kind.OBJECT, Kind.FURNITURE, Kind.ROOM)
MARKS = 1 + 2 * len(_KINDS)
"""how many ways there are to be a word: no name; of each kind, the first of a name, and the rest"""


def words_of(text: str) -> list[str]:
    """Lower case, marks by themselves, hyphens apart."""
    plain = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("-", " ")
    return re.findall(r"[a-z0-9_]+(?:'[a-z]+)?|[,.;:!?&]", plain)[:LONGEST]


class KnownNames:
    """What things are called, by kind."""

    def __init__(self, vocabulary: Vocabulary, own: Iterable[tuple[str, Kind]] = ()) -> None:
        """`own`: names and kinds of the things of this house."""
        normal = default_lexicon().normal
        self._kinds: dict[Words, int] = {}
        for room, others in default_lexicon().rooms.items():
            self._kinds |= {normal(name): _KINDS.index(Kind.ROOM) for name in (room, *others)}
        for entry in vocabulary.entries.values():
            if entry.kind in _KINDS:
                for words in (entry.name, *entry.aliases):
                    self._kinds.setdefault(words, _KINDS.index(entry.kind))
        for name, kind in own:
            if kind in _KINDS:
                self._kinds.setdefault(normal(name), _KINDS.index(kind))
        self._longest = max(map(len, self._kinds), default=1)

    def marks(self, words: Sequence[str]) -> np.ndarray:
        """int64 (N,): of each word, which of the `MARKS` it is; the longest name wins."""
        singular = [default_lexicon().singular(word) for word in words]
        out = np.zeros(len(words), np.int64)
        at = 0
        while at < len(words):
            for length in range(min(self._longest, len(words) - at), 0, -1):
                kind = self._kinds.get(tuple(singular[at:at + length]))
                if kind is not None:
                    out[at:at + length] = 2 + 2 * kind
                    out[at] = 1 + 2 * kind
                    break
            else:
                length = 1
            at += length
        return out


class WordVectors:
    """What MiniLM's table knows of words: the mean of a word's pieces, and its last piece."""

    def __init__(self) -> None:
        self._model = MiniLM.bundled()
        self._of = lru_cache(maxsize=65536)(self._one)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """float32 (N, 2 D), unitless."""
        return np.stack([self._of(word) for word in words])

    def _one(self, word: str) -> np.ndarray:
        pieces = self._model.input_vectors(word)
        return np.concatenate([pieces.mean(axis=0), pieces[-1]])
