"""The categories that the eyes are taught, and the space of their phrases."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dadu.house.catalogue import furniture_categories, object_categories
from dadu.knowledge.embedding import Embedder
from dadu.knowledge.phrases import phrases_of
from dadu.perception.learned.naming import names_of
from dadu.perception.learned.space import PhraseSpace


@dataclass(frozen=True)
class Taught:
    """What training names things by."""

    categories: tuple[str, ...]
    """of furniture and objects, without those held out"""
    phrases: np.ndarray
    """float32 (number of categories, D), rows of unit length"""
    space: PhraseSpace

    def beside(self) -> dict[str, Any]:
        """What a checkpoint keeps of it, see `kept_words`."""
        import torch

        return {"categories": list(self.categories), "mean": torch.from_numpy(self.space.mean),
                "projection": torch.from_numpy(self.space.projection), "phrases": torch.from_numpy(self.phrases)}


def taught_words(embedder: Embedder, held_out: Collection[str], size: int) -> Taught:
    """Of the catalogue, in a space of `size` directions that knows no word of what is held out."""
    categories = tuple(sorted({*furniture_categories(), *object_categories()} - set(held_out)))
    vectors = phrases_of(embedder).embed_lists([names_of(category) for category in categories])
    space = PhraseSpace.fitted(np.concatenate(vectors), size)
    return Taught(categories, space.mean_of_names(vectors), space)


def kept_words(folder: Path) -> Taught | None:
    """What the run of that folder was taught, if there is one: the catalogue may change while it goes on. Errors:
    ConfigError where its checkpoint is damaged."""
    from dadu.learning.recipe.loop import CHECKPOINT, kept_beside, unusable

    kept = kept_beside(folder)
    if kept is None:
        return None
    try:
        space = PhraseSpace(kept["mean"].numpy(), kept["projection"].numpy())
        return Taught(tuple(kept["categories"]), kept["phrases"].numpy(), space)
    except (KeyError, AttributeError, TypeError) as error:
        raise unusable(folder / CHECKPOINT, error) from None
