"""Is a thing named right? Among all categories, and among five phrases: also for categories that training never saw."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    among_five: float
    """the right phrase against four others, drawn at random; by chance a fifth"""
    nearest_known: float
    """the same for who only knows the categories of training, and picks the phrase nearest to the one it takes the
    thing
    for"""


def naming(embeddings: np.ndarray, categories: Sequence[str], names: PhraseNames, known: Collection[str], seed: int = 0
           ) -> NamingFigures:
    """Of embeddings (N, D) of things and what they are; `names`: of all categories; `known`: those that were
    trained."""
    if len(categories) == 0:
        return NamingFigures(0, *3 * (float("nan"),))
    rng = np.random.default_rng(seed)
    cosines = names.cosines(embeddings)
    index = {category: i for i, category in enumerate(names.categories)}
    trained = np.array([index[category] for category in sorted(set(known) & index.keys())])
    likeness = names.likeness()
    first, among, nearest = 0, 0, 0
    for row, category in zip(cosines, categories):
        right = index[category]
        others = np.delete(np.arange(len(index)), right)
        choices = np.array([right, *rng.choice(others, CHOICES - 1, replace=False)])
        taken_for = trained[row[trained].argmax()]
        first += int(row.argmax() == right)
        among += int(row[choices].argmax() == 0)
        nearest += int(likeness[taken_for, choices].argmax() == 0)
    return NamingFigures(len(categories), *(count / len(categories) for count in (first, among, nearest)))
