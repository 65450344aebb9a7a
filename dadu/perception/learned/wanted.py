"""What a description says of a thing: what it is, which an embedding shows, and of what colour, which pixels show.

A phrase as a whole is no good to look with: the networks that name things are taught that colour says nothing of what a
thing is, so that the vector of "red mug" is merely farther from all mugs than that of "mug".
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from dadu.knowledge.lexicon import default_lexicon
from dadu.perception.colors import NAMES

_LEAST = 0.02
"""share of its pixels by which a thing of another colour may yet be meant: light, patterns and masks deceive"""
_ARTICLE = re.compile(r"^(a|an|the|some)\s+")


@dataclass(frozen=True)
class Wanted:
    """A description, taken apart."""

    words: str
    """what it is, less the colour: ``navy blue`` is one"""
    colors: frozenset[str]
    """of `NAMES`, any of which fits; empty where no colour is said, or one that has no place among them"""

    @classmethod
    def read(cls, description: str, names: Collection[str] = ()) -> Wanted:
        """``a red mug with a white handle`` is red: the first colour is the thing's own. `names`: what things of its
        kind are called; a word of these says no colour, as of orange juice."""
        words, lexicon = _ARTICLE.sub("", " ".join(description.lower().split())).split(), default_lexicon()
        own = {word for name in names for word in name.split()}
        colors = [word in lexicon.colors and word not in own for word in words]
        if not any(colors) or all(colors):
            return cls(" ".join(words), frozenset())
        first = colors.index(True)
        last = colors.index(False, first) if False in colors[first:] else len(words)
        return cls(" ".join(words[:first] + words[last:]), seen_as(words[first]))

    def fits(self, shares: np.ndarray) -> np.ndarray:
        """float64 (N,), unitless, above 0: how well things are of the colour, from their `color_shares`
        (N, len(NAMES)); 1 for all where none is said."""
        if not self.colors:
            return np.ones(len(shares))
        return _LEAST + shares[:, [NAMES.index(name) for name in sorted(self.colors)]].sum(axis=1)


def seen_as(color: str) -> frozenset[str]:
    """The `NAMES` that pixels of a thing may have that people call so: navy is seen as blue, and who says blue may mean
    teal."""
    lexicon = default_lexicon()
    color = lexicon.same_value.get(color, color)
    families = lexicon.color_families
    near = {color, *families.get(color, ()), *(name for name, members in families.items() if color in members)}
    return frozenset(near & set(NAMES))
