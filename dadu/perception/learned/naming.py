"""From an embedding to a category: by cosine against phrases, so that a category is whatever words it is called by."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass

import numpy as np

from dadu.core.errors import ConfigError
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.knowledge.embedding import Embedder
from dadu.knowledge.lexicon import default_lexicon
from dadu.knowledge.phrases import PhraseVectors, phrases_of
from dadu.perception.colors import NAMES
from dadu.perception.descriptions import Descriptions
from dadu.perception.detector import LEAST_CHANCE, OTHERS
from dadu.perception.learned.build import SHOWN, SIZE_WEIGHT, SURENESS, Builds
from dadu.perception.learned.space import PhraseSpace
from dadu.world.detection import Exemplar
from dadu.world.graph import UNIDENTIFIED

SHARPNESS = 24.0
"""factor of the cosines in the softmax by which the namer is trained"""
_FARTHER = 1.2
"""factor of a thing's distance, 1 - cosine, to an example: what is seen is nearer to what is seen than to any words.
Chosen on homes of split validation"""
_TOLD = 8.0
"""how much likelier a thing is what was described where all of its pixels have the colour that was said"""

_LEAST = 0.02
"""share of its pixels by which a thing of another colour may yet be meant: light, patterns and masks deceive"""
_ARTICLE = re.compile(r"^(a|an|the|some)\s+")


def names_of(category: str) -> tuple[str, ...]:
    """What a category is called, its own name first; one that the catalogue lacks has only that."""
    entry = object_categories().get(category) or furniture_categories().get(category)
    return (category.replace("_", " "), *(alias.lower() for alias in (entry.aliases if entry else ())))


def phrases_for(encoder: str, embedder: Embedder) -> PhraseVectors:
    """Phrases as a network knows them that was trained with that encoder. Errors: ConfigError where it is another."""
    if encoder != embedder.name:
        raise ConfigError(f"perception 'learned' needs the sentence encoder {encoder}, and {embedder.name} is there; "
                          "run make setup")
    return phrases_of(embedder)


@dataclass(frozen=True)
class _Look:
    """A description."""

    point: np.ndarray
    """(1, D), unit length: of what it says beside the colour"""
    wanted: Wanted


@dataclass(frozen=True)
class Named:
    """What an embedding is nearest to."""

    category: str
    chance: float
    """that it is one, among all categories"""
    others: tuple[tuple[str, float], ...] = ()
    """what else it may be, likeliest first, with their chances, of those that have `LEAST_CHANCE`"""


class PhraseNames:
    """Categories as points of a phrase space."""

    def __init__(self, categories: Iterable[str], phrases: PhraseVectors, space: PhraseSpace,
                 trained: Collection[str] | None = None) -> None:
        """`trained`: where given, what the network was taught, and things are named by how they are built, too."""
        self.phrases, self._space, self._trained = phrases, space, trained
        self._own = list(dict.fromkeys(categories))
        self._points = space.mean_of_names(phrases.embed_lists([names_of(category) for category in self._own]))
        self._told = Descriptions()
        self._look: dict[tuple[str, str], _Look] = {}
        self._shown: tuple[Exemplar, ...] = ()
        self._gather()

    def copy(self) -> PhraseNames:
        """One that may be told of more, while this one is not."""
        other = copy(self)
        other._own, other._told, other._look = list(self._own), deepcopy(self._told), dict(self._look)
        return other

    def add(self, category: str) -> None:
        """One more, which is what its name says."""
        self._own.append(category)
        self._points = np.vstack([self._points, self._point(category.replace("_", " "))])
        self._gather()

    def describe(self, category: str, description: str) -> None:
        """From now on what is like `description` is a `category`, too; see `Descriptions`."""
        if self._told.add(category, description, names_of(category)):
            self._look = {told: self._look.get(told) or self._looks(*told) for told in self._told}
            self._gather()

    def show(self, examples: Sequence[Exemplar]) -> None:
        """From now on what looks like one of these, with embeddings (D,), is a thing of its category, too; they take
        the place of those that were shown before."""
        self._shown = tuple(examples)
        self._gather()

    def forget(self) -> None:
        """Descriptions are no longer of use."""
        if self._told.clear():
            self._look = {}
            self._gather()

    def _looks(self, text: str, category: str) -> _Look:
        names = names_of(category)
        wanted = Wanted.read(text, names)
        known = wanted.words in names and category in self._own
        return _Look(self._points[[self._own.index(category)]] if known else self._point(wanted.words), wanted)

    def _point(self, text: str) -> np.ndarray:
        """(1, D), unit length."""
        return self._space.of(self.phrases.of([text], keep=False))

    def _gather(self) -> None:
        looks = [self._look[told] for told in self._told]
        self.categories: list[str] = [*self._own, *(category for _, category in self._told),
                                      *(example.category for example in self._shown)]
        """of each point: of names, of descriptions, of examples"""
        self.points = np.vstack([self._points, *(look.point for look in looks),
                                 *(example.look for example in self._shown)])
        """(number of categories, D), rows of unit length"""
        self._wanted = [look.wanted for look in looks]
        """of the points that are descriptions"""
        self._builds = self._built() if self._trained is not None else None
        self.names: list[str] = list(dict.fromkeys(self.categories))
        """each category once"""
        number = {name: i for i, name in enumerate(self.names)}
        of = np.array([number[category] for category in self.categories])
        self._by_name = np.argsort(of, kind="stable")
        self._first = np.searchsorted(of[self._by_name], np.arange(len(self.names)))
        """points sorted by name, and where each name's begin"""

    def _built(self) -> Builds:
        """Of the points."""
        named = self.categories[:len(self.categories) - len(self._shown)]
        return Builds([*named, *(SHOWN for _ in self._shown)], self._trained or ())

    @property
    def colored(self) -> bool:
        """True if a description says a colour, so that `nearest` has use for those of the things."""
        return any(wanted.colors for wanted in self._wanted)

    def cosines(self, embeddings: np.ndarray) -> np.ndarray:
        """Cosines (N, number of categories), of embeddings (N, D) of unit length."""
        return embeddings @ self.points.T

    def likeness(self) -> np.ndarray:
        """Of the categories to each other, cosines (N, N)."""
        return self.points @ self.points.T

    def nearest(self, embeddings: np.ndarray, colors: np.ndarray | None = None, seen: np.ndarray | None = None
                ) -> list[Named]:
        """The likeliest name of each; arguments as in `chances`."""
        return self.told(self.chances(embeddings, colors, seen))

    def chances(self, embeddings: np.ndarray, colors: np.ndarray | None = None, seen: np.ndarray | None = None
                ) -> np.ndarray:
        """float64 (N, len(names)), unitless, rows of sum 1, for each of the embeddings (N, D), rows of unit length: of
        several points that a name has the nearest counts. `colors` (N, len(NAMES)): their `color_shares`, where there
        is a description that says one (`colored`); `seen`: their `extents`, where they are known."""
        cosines = self.scores(embeddings, colors, seen)
        sharpness = SHARPNESS * (SURENESS if self._builds is not None and seen is not None else 1.0)
        weight = np.exp(sharpness * (cosines - cosines.max(axis=1, keepdims=True, initial=-1.0)))
        chances = np.maximum.reduceat(weight[:, self._by_name], self._first, axis=1)
        chances /= chances.sum(axis=1, keepdims=True)
        return chances

    def fits(self, seen: np.ndarray) -> np.ndarray:
        """float64 (N, M), unitless: how likely things of each of the M names are `seen` so large, see `extents` and
        `SIZE_WEIGHT`."""
        if self._builds is None:
            return np.ones((len(seen), len(self.names)))
        return np.exp(SIZE_WEIGHT * self._builds.sizes(seen)[:, self._by_name[self._first]])

    def scores(self, embeddings: np.ndarray, colors: np.ndarray | None = None, seen: np.ndarray | None = None
               ) -> np.ndarray:
        """Cosines (N, number of categories), unitless, raised or lowered by how much likelier it is that a thing so
        large is one, those with coloured descriptions by how much likelier the colours make it that such a thing is
        the one described; those with examples lowered, see `_FARTHER`. Arguments as in `nearest`."""
        cosines = self.cosines(embeddings)
        if self._builds is not None and seen is not None:
            cosines += self._builds.log_odds(SHARPNESS * cosines, seen) / SHARPNESS
        shown = slice(len(self.categories) - len(self._shown), None)
        cosines[:, shown] = 1 - _FARTHER * (1 - cosines[:, shown])
        for row, wanted in enumerate(self._wanted, len(self._own)):
            if wanted.colors and colors is not None:
                cosines[:, row] += np.log(_TOLD * wanted.fits(colors)) / SHARPNESS
        return cosines

    def told(self, opinions: np.ndarray) -> list[Named]:
        """The likeliest name of each, from chances (N, len(names)), or with those that nobody knows what it is in one
        more column, see `dadu.perception.namer`."""
        return [self._named(row) for row in opinions]

    def _named(self, chances: np.ndarray) -> Named:
        """From (len(names),), or one more."""
        names = [*self.names, UNIDENTIFIED]
        first = int(chances[:len(self.names)].argmax())
        likely = [i for i in np.argsort(-chances)[:OTHERS + 2] if i != first and chances[i] >= LEAST_CHANCE]
        return Named(names[first], float(chances[first]),
                     tuple((names[i], float(chances[i])) for i in likely[:OTHERS + (len(chances) > len(self.names))]))


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
