"""Examples as tensors: batches of sentences of like length, in an order that a seed and a step decide."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.learned.sentence import LONGEST as LONGEST_SENTENCE
from dadu.language.learned.sentence import KnownNames, WordVectors
from dadu.language.learned.slots import vocabulary
from dadu.language.learned.writing import LONGEST
from dadu.learning.interpreter.settings import InterpreterTrainSettings
from dadu.learning.sentences.example import SentenceExample

IGNORED = -100
"""a target that is not learned from"""


@dataclass(frozen=True)
class SentenceBatch:
    """What one step of training sees."""

    words: np.ndarray
    """int64 (B, N): rows of the table of vectors; 0: padding"""
    marks: np.ndarray
    """int64 (B, N)"""
    before: np.ndarray
    """int64 (B, T): the symbol written last"""
    after: np.ndarray
    """int64 (B, T): the one to write; `IGNORED` behind the end"""


class Sentences:
    """Examples, encoded once."""

    def __init__(self, examples: Sequence[SentenceExample], settings: InterpreterTrainSettings) -> None:
        self._settings = settings
        begin, names = len(vocabulary()), KnownNames(default_vocabulary())
        rows: dict[str, int] = {"": 0}
        self.words, self.marks, self.before, self.after = [], [], [], []
        for one in examples:
            words = one.text.split()
            if len(words) > LONGEST_SENTENCE or len(one.symbols) > LONGEST:
                continue
            after = np.array(one.symbols, np.int32)
            self.words.append(np.array([rows.setdefault(w, len(rows)) for w in words], np.int32))
            self.marks.append(names.marks(words).astype(np.int8))
            self.after.append(after)
            self.before.append(np.concatenate([[begin], after[:-1] + (after[:-1] >= begin)]).astype(np.int32))
        self.known = list(rows)
        """the word of each row"""

    def __len__(self) -> int:
        return len(self.words)

    def vectors(self, source: WordVectors) -> np.ndarray:
        """float32 (rows, 2 D), unitless; row 0 is padding."""
        found = source.vectors(self.known[1:])
        return np.concatenate([np.zeros_like(found[:1]), found])

    def batch(self, which: Sequence[int], nameless: Sequence[bool]) -> SentenceBatch:
        """Of these examples; those `nameless` know no name."""
        marks = [self.marks[i] * (not plain) for i, plain in zip(which, nameless, strict=True)]
        return SentenceBatch(_padded([self.words[i] for i in which]), _padded(marks),
                             _padded([self.before[i] for i in which]), _padded([self.after[i] for i in which], IGNORED))

    def following(self, number: int) -> Iterator[tuple[int, SentenceBatch]]:
        """Batches without end, each with its number, from `number` on: the same for the same settings."""
        now, epoch, settings = 0, 0, self._settings
        while True:
            rng = random.Random(f"{settings.seed}:{epoch}")
            for which in self._grouped(rng, settings.symbols):
                nameless = [rng.random() < settings.nameless for _ in which]
                if now >= number:
                    yield now, self.batch(which, nameless)
                now += 1
            epoch += 1

    def _grouped(self, rng: random.Random, symbols: int) -> list[list[int]]:
        """All examples, like by like, the groups in random order."""
        order = sorted(range(len(self)), key=lambda i: (len(self.after[i]) + rng.random() * 6))
        groups: list[list[int]] = [[]]
        for i in order:
            if groups[-1] and (len(groups[-1]) + 1) * len(self.after[i]) > symbols:
                groups.append([])
            groups[-1].append(i)
        rng.shuffle(groups)
        return groups


def _padded(rows: Sequence[np.ndarray], value: int = 0) -> np.ndarray:
    out = np.full((len(rows), max(map(len, rows))), value, np.int64)
    for line, row in zip(out, rows, strict=True):
        line[:len(row)] = row
    return out
