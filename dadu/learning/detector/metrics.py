"""How well things are found and named: figures of many pictures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dadu.learning.detector.matching import IGNORED, NOBODY, DetectedInstance, GroundTruthInstance, Matched
from dadu.perception.learned.naming import PhraseNames

Span = tuple[float, float]
"""of distances [m], the end not included"""
EVERYWHERE: Span = (0.0, np.inf)


def average_precision(hits: Sequence[bool], scores: Sequence[float], total: int) -> float:
    """Area under precision over recall, precision made falling as in PASCAL VOC 2010; NaN where there is nothing to
    find.

    `hits`: of each answer whether it is right. `total`: things to be found.
    """
    if total == 0:
        return float("nan")
    order = np.argsort(-np.asarray(scores, float), kind="stable")
    right = np.asarray(hits, bool)[order]
    found = np.cumsum(right)
    precision = found / np.arange(1, len(right) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1] if len(right) else precision
    return float(precision[right].sum() / total)


def found_precision(pictures: Iterable[Matched], span: Span = EVERYWHERE) -> float:
    """AP50 whatever things are called."""
    return _pooled(pictures, span, lambda seen, there: True)


def named_precision(pictures: Iterable[Matched], span: Span = EVERYWHERE, categories: frozenset[str] | None = None,
                    ) -> float:
    """AP50 over all answers together, right where the name is, too. Frequent categories count for more. Where
    `categories` are given, things of others need not be found, and masks of them are left out."""
    return _pooled(pictures, span, lambda seen, there: seen.category == there.category, categories)


def mean_precision(pictures: Sequence[Matched]) -> float:
    """AP50 of each category that is to be found, and of these the mean: COCO's."""
    categories = {there.category for picture in pictures for there in picture.there}
    return float(np.mean([_of_category(pictures, category) for category in sorted(categories)])) if categories else 0.0


def recall(pictures: Iterable[Matched], span: Span = EVERYWHERE, categories: frozenset[str] | None = None) -> float:
    """Share of the things that have a mask, whatever it is called; of `categories` alone where given. NaN without
    any."""
    found = []
    for picture in pictures:
        hit = {seen.match for seen in picture.seen}
        found += [j in hit for j, there in enumerate(picture.there)
                  if _within(there.distance, span) and (categories is None or there.category in categories)]
    return float(np.mean(found)) if found else float("nan")


def _pooled(pictures: Iterable[Matched], span: Span, right: Callable[[DetectedInstance, GroundTruthInstance], bool],
            categories: frozenset[str] | None = None) -> float:
    def asked(there: GroundTruthInstance) -> bool:
        return _within(there.distance, span) and (categories is None or there.category in categories)

    hits, scores, total = [], [], 0
    for picture in pictures:
        total += sum(asked(there) for there in picture.there)
        for seen in picture.seen:
            there = picture.there[seen.match] if seen.match >= 0 else None
            if seen.match != IGNORED and (asked(there) if there else _within(seen.distance, span)):
                hits.append(there is not None and right(seen, there))
                scores.append(seen.score)
    return average_precision(hits, scores, total)


def _of_category(pictures: Iterable[Matched], category: str) -> float:
    hits, scores, total = [], [], 0
    for picture in pictures:
        total += sum(there.category == category for there in picture.there)
        for seen in picture.seen:
            if seen.category == category and seen.match != IGNORED:
                hits.append(seen.match != NOBODY and picture.there[seen.match].category == category)
                scores.append(seen.score)
    return average_precision(hits, scores, total)


def _within(distance: float, span: Span) -> bool:
    return span[0] <= distance < span[1]


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
    thing for"""


def naming(scores: Sequence[np.ndarray], categories: Sequence[str], names: Sequence[PhraseNames],
           known: Collection[str], seed: int = 0) -> NamingFigures:
    """Of N things: of each `PhraseNames.scores` (number of categories,), what it is, and `names`: of all categories
    that it may be called by. `known`: those that were trained."""
    if len(categories) == 0:
        return NamingFigures(0, *3 * (float("nan"),))
    rng = np.random.default_rng(seed)
    choosing = {id(one): _Choosing(one, known) for one in names}
    hits = np.zeros(3)
    for row, category, one in zip(scores, categories, names):
        hits += choosing[id(one)].of(row, category, rng)
    return NamingFigures(len(categories), *(float(count) / len(categories) for count in hits))


class _Choosing:
    """Of one set of names."""

    def __init__(self, names: PhraseNames, known: Collection[str]) -> None:
        self._names, self._likeness = names, names.likeness()
        self._index = {category: i for i, category in enumerate(names.categories)}
        self._trained = np.array([self._index[category] for category in sorted(set(known) & self._index.keys())])

    def of(self, row: np.ndarray, category: str, rng: np.random.Generator) -> list[bool]:
        """Of one thing, by its scores (number of categories,): whether it is named right, in the order of
        `NamingFigures`."""
        right = self._index[category]
        others = np.delete(np.arange(len(self._index)), right)
        choices = np.array([right, *rng.choice(others, CHOICES - 1, replace=False)])
        taken_for = self._trained[row[self._trained].argmax()]
        return [self._names.categories[row.argmax()] == category, bool(row[choices].argmax() == 0),
                bool(self._likeness[taken_for, choices].argmax() == 0)]
