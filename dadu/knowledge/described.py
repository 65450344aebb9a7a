"""From a description to the categories that it fits: ``the appliance that keeps food cold`` is a fridge.

What somebody says is compared by meaning with what ``descriptions.yaml`` says of each category.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

from pydantic import RootModel

from dadu.core.config import load
from dadu.knowledge.embedding import Embedder, default_embedder
from dadu.knowledge.nouns import LEXICAL_THRESHOLD
from dadu.knowledge.phrases import phrases_of
from dadu.knowledge.vocabulary import default_vocabulary

THRESHOLD = 0.64
"""cosine from which a description fits: of 50 that were written to set it, after the lines, 45 are understood and 4 are
taken for something else, of 20 of what no house has 1 is taken for something (test/knowledge/test_described.py)"""
_AS_WELL = 0.05
"""how much less a category may fit that is meant as well: a knife and a butter knife are both cutting tools"""


class _Descriptions(RootModel[dict[str, tuple[str, ...]]]):
    pass


@cache
def descriptions() -> dict[str, tuple[str, ...]]:
    """What people say of a thing without naming it, by category."""
    return load(_Descriptions, Path(__file__).with_name("descriptions.yaml")).root


def described(words: str, among: Collection[str], embedder: Embedder | None = None) -> tuple[str, ...]:
    """The categories of `among` that `words` describe, the likeliest first, of a kind under two names one; none where
    nothing is near enough."""
    embedder = embedder or default_embedder()
    rows = [(category, text) for category, texts in descriptions().items() if category in among for text in texts]
    if not rows:
        return ()
    known = phrases_of(embedder)
    cosines = known.of([text for _, text in rows]) @ known.of([words], keep=False)[0]
    best: dict[str, float] = {}
    for cosine, (category, _) in sorted(zip(cosines.tolist(), rows), reverse=True):
        best.setdefault(category, cosine)
    least = max(max(best.values()) - _AS_WELL, LEXICAL_THRESHOLD if embedder.name == "lexical" else THRESHOLD)
    found = [category for category, cosine in best.items() if cosine >= least]
    known_by = default_vocabulary().entries
    return tuple(c for i, c in enumerate(found) if not any(
        c in known_by and other in known_by and known_by[c].name in known_by[other].same for other in found[:i]))
