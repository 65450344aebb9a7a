"""How well things are found and named: figures of many pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from dadu.learning.detector.matching import IGNORED, NOBODY, DetectedInstance, GroundTruthInstance, Matched

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
                    alike: Mapping[str, frozenset[str]] = MappingProxyType({})) -> float:
    """AP50 over all answers together, right where the name is, too, or one that is `alike`. Frequent categories count
    for more. Where `categories` are given, things of others need not be found, and masks of them are left out."""
    return _pooled(pictures, span, lambda seen, there: seen.category == there.category
                   or seen.category in alike.get(there.category, ()), categories)


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
