"""How much alike two kinds of things are, as far as that says that they are kept together."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dadu.knowledge.embedding import remembering_embedder
from dadu.knowledge.vocabulary import Vocabulary

_NOTHING, _ALL = 0.35, 0.8
"""cosines up to which a pair of kinds says nothing of each other, and from which on they are kept alike. Of all pairs
of the catalogue those with cosines of 0.2 to 0.4 share 11 % of where people keep them (`dadu/homes/things.yaml`), of
0.4 to 0.5 28 %, 0.5 to 0.6 53 %, 0.6 to 0.7 73 %, above that 79 %"""


@lru_cache(maxsize=65536)
def likeness(one: str, other: str) -> float:
    """0 to 1, of two phrases as `phrase` makes them, or as people say them."""
    if one == other:
        return 1.0
    a, b = remembering_embedder().embed([one, other])
    return float(np.clip((a @ b - _NOTHING) / (_ALL - _NOTHING), 0.0, 1.0))


@lru_cache(maxsize=8192)
def phrase(category: str, vocabulary: Vocabulary) -> str:
    """A category with the more general words for it: ``apple: food, fruit``. By names alone an apple is nearer to a
    laptop than to a pear, and the cosines go with where things are kept by 0.35 (correlation) instead of 0.57."""
    entry = vocabulary.entries.get(category)
    name = category.replace("_", " ")
    more = sorted(" ".join(words) for words in entry.hypernyms) if entry is not None else []
    return f"{name}: {', '.join(more)}" if more else name
