"""Which homes train, validate and test, and which categories training never sees.

Kept apart by rule, whatever is made when. Homes with seeds that people type, and those of the suites, are never
trained on.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from dadu.house.catalogue import object_categories
from dadu.learning.pictures.store import Split

FIRST_SEED: Mapping[Split, int] = {"train": 100_000, "validation": 100_000, "test": 900_000}
RULE = (f"generated homes: seeds from {FIRST_SEED['train']} on train, but those ending in 9 validate; seeds from "
        f"{FIRST_SEED['test']} on test; no smaller seed is used, for those are people's and the suites'; "
        "house files test, unless said otherwise")
_CLUSTER = (2, 7)
"""fewest and most categories held out together"""


def seeds(split: Split, count: int) -> list[int]:
    """The first `count` seeds of a split."""
    first = FIRST_SEED[split]
    if split == "test":
        return list(range(first, first + count))
    if split == "validation":
        return [first + 10 * i + 9 for i in range(count)]
    return [first + 10 * (i // 9) + i % 9 for i in range(count)]


def held_out_clusters(share: float, seed: int) -> tuple[tuple[str, ...], ...]:
    """Groups of categories that have a more general word in common, together at least `share` of all objects'
    categories; the same for the same seed and catalogue, and nearly so when the catalogue grows."""
    categories = object_categories()
    words = {word for category in categories.values() for word in category.hypernyms}
    found: list[tuple[str, ...]] = []
    taken: set[str] = set()
    for word in sorted(words, key=lambda word: (zlib.crc32(f"{seed}:{word}".encode()), word)):
        if len(taken) >= share * len(categories):
            break
        members = tuple(name for name, category in categories.items()
                        if word in (*category.hypernyms, name) and name not in taken)
        if _CLUSTER[0] <= len(members) <= _CLUSTER[1]:
            found.append(members)
            taken.update(members)
    return tuple(sorted(found))
