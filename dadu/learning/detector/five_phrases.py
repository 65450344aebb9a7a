"""Is a thing named right? Among all categories, and among five phrases: also for categories that training never saw."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dadu.perception.learned.naming import PhraseNames

CHOICES = 5


@dataclass(frozen=True)
class NamingFigures:
    """Shares of the things that were named right."""

    things: int
    first: float
    """among all categories"""
    alike: float
    """among all, right or as something that looks the same, see `look_alikes`"""
    among_five: float
    """the right phrase against four others, drawn at random; by chance a fifth"""
    nearest_known: float
    """the same for who only knows the categories of training, and picks the phrase nearest to the one it takes the
    thing for"""


def naming(scores: Sequence[np.ndarray], categories: Sequence[str], names: Sequence[PhraseNames],
           known: Collection[str], alike: Mapping[str, frozenset[str]], seed: int = 0) -> NamingFigures:
    """Of N things: of each `PhraseNames.scores` (number of categories,), what it is, and `names`: of all categories
    that it may be called by. `known`: those that were trained; `alike`: see `look_alikes`."""
    if len(categories) == 0:
        return NamingFigures(0, *4 * (float("nan"),))
    rng = np.random.default_rng(seed)
    choosing = {id(one): _Choosing(one, known) for one in names}
    hits = np.zeros(4)
    for row, category, one in zip(scores, categories, names):
        hits += choosing[id(one)].of(row, category, alike.get(category, frozenset()), rng)
    return NamingFigures(len(categories), *(float(count) / len(categories) for count in hits))


class _Choosing:
    """Of one set of names."""

    def __init__(self, names: PhraseNames, known: Collection[str]) -> None:
        self._names, self._likeness = names, names.likeness()
        self._index = {category: i for i, category in enumerate(names.categories)}
        self._trained = np.array([self._index[category] for category in sorted(set(known) & self._index.keys())])

    def of(self, row: np.ndarray, category: str, alike: frozenset[str], rng: np.random.Generator) -> list[bool]:
        """Of one thing, by its scores (number of categories,): whether it is named right, in the order of
        `NamingFigures`."""
        right = self._index[category]
        others = np.delete(np.arange(len(self._index)), right)
        choices = np.array([right, *rng.choice(others, CHOICES - 1, replace=False)])
        taken_for = self._trained[row[self._trained].argmax()]
        called = self._names.categories[row.argmax()]
        return [called == category, called == category or called in alike, bool(row[choices].argmax() == 0),
                bool(self._likeness[taken_for, choices].argmax() == 0)]
