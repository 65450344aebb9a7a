"""Is the right one chosen by a phrase, of all things that the learned detector finds in a picture?

``python -m bench.phrases DIR [--split test] [--weights FILE]``, DIR being a folder of ``dadu data pictures``, prints
two tables as Markdown.

A phrase with a colour is asked for every thing found whose colour has a name among people: "red mug". Right is any
of the same category and colour. It is not asked where another of the category may be called so, too (navy beside
blue, a colour without a name). A purpose is asked for every thing found that is good for one: of the uses in
``dadu/knowledge/uses`` and their phrases one is drawn by seed; right is all that is good for it. Pictures in which
there is nothing to choose are left out, and what the detector does not find is not asked for. Names are those of the
catalogue, all of them.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from dadu.house.catalogue import object_categories
from dadu.knowledge.commonsense import uses
from dadu.knowledge.embedding import default_embedder
from dadu.knowledge.lexicon import default_lexicon
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.learning.detector.matching import MATCH, frame_of, overlaps
from dadu.learning.pictures.store import HomePictures, InstanceLabel
from dadu.learning.recipe.facts import DataFolders
from dadu.perception.backprojection import backproject
from dadu.perception.colors import color_shares
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.naming import SHARPNESS, Wanted, phrases_for, seen_as

WOODEN = ("wood", "oak", "walnut")
"""what houses call a colour that people call wooden"""


@dataclass(frozen=True)
class Found:
    """An object that the detector found in a picture."""

    category: str
    """what it truly is; empty: nothing that is there"""
    color: str
    """as people call it; empty where they have no one word for it"""
    label: str
    """what the detector calls it"""
    score: float
    named: str
    """colour, as memory is told it"""
    embedding: np.ndarray
    """float32 (D,), of unit length"""
    shares: np.ndarray
    """float64 (len(NAMES),), see `color_shares`"""


@dataclass(frozen=True)
class Asked:
    """A phrase about one picture."""

    text: str
    sort: str
    """row of the table"""
    category: str
    """of the thing that it is asked for; what it is plainly called"""
    right: np.ndarray
    """bool (things in the picture,)"""


class Eyes:
    """The detector, and what it makes of phrases."""

    def __init__(self, weights: str = "") -> None:
        self.detector = LearnedDetector(weights)
        self.names = self.detector.objects
        self._phrases = phrases_for(self.detector.namer.encoder, default_embedder())

    @cache  # noqa: B019  one object, as long as the program
    def point(self, phrase: str) -> np.ndarray:
        """float32 (D,), of unit length: of the whole phrase."""
        return self.detector.namer.space.of(self._phrases.of([phrase], keep=False))[0]

    def chances(self, things: Sequence[Found], categories: Collection[str]) -> np.ndarray:
        """(N,), unitless: that each is one of these, among all categories."""
        cosines = self.names.cosines(np.array([thing.embedding for thing in things]))
        weight = np.exp(SHARPNESS * (cosines - cosines.max(axis=1, keepdims=True)))
        among = np.isin(self.names.categories, list(categories))
        return (weight[:, among].sum(axis=1) / weight.sum(axis=1)).astype(float)

    def look(self, home: HomePictures, i: int, K: np.ndarray) -> list[Found]:
        """What is found in picture `i`; `K` (3, 3) [px]."""
        frame, objects = frame_of(home, i, K), object_categories()
        found = self.detector.segment(frame)
        thinned = found.labels[::2, ::2]
        shares = color_shares(frame.rgb[::2, ::2][thinned > 0], thinned[thinned > 0].astype(np.intp) - 1,
                              len(found.segments))
        told = {id(d.embedding): d.attributes["color"] for d in backproject(frame, found)}
        overlap, labels = overlaps(found.labels, home.whole(i)), {label.id: label for label in home.labels[i].instances}
        out = []
        for k, segment in enumerate(found.segments):
            if segment.label not in objects:
                continue
            there = _true(overlap[k + 1], labels) if k + 1 < len(overlap) else None
            known = there is not None and there.kind == "object" and there.category in objects
            out.append(Found(there.category if known and there else "", said(there.color) if known and there else "",
                             segment.label, segment.score, told.get(id(segment.embedding), ""),
                             np.asarray(segment.embedding), shares[k]))
        return out


def _true(overlap: np.ndarray, labels: dict[int, InstanceLabel]) -> InstanceLabel | None:
    best = int(overlap.argmax())
    return labels.get(best) if best and overlap[best] >= MATCH else None


def said(color: str | None) -> str:
    """How people call a colour of a house; empty: in no one word."""
    return "wooden" if color in WOODEN else color if color in default_lexicon().colors else ""


def colored(things: Sequence[Found]) -> Iterator[Asked]:
    """The phrases with colours that may be asked about a picture."""
    for thing in things:
        alike = [other for other in things if other.category == thing.category]
        fits = [other.color == thing.color for other in alike]
        if not thing.color or len(things) < 2 or any(
                not fit and may_be_called(other.color, thing.color) for fit, other in zip(fits, alike)):
            continue
        right = np.array([(o.category, o.color) == (thing.category, thing.color) for o in things])
        if not right.all():
            sort = ("another of its category" if not all(fits) else "something else of its colour"
                    if any(o.color == thing.color and o.category != thing.category for o in things) else "neither")
            yield Asked(f"{thing.color} {thing.category.replace('_', ' ')}", sort, thing.category, right)


def may_be_called(color: str, asked: str) -> bool:
    """True if who has that colour may be meant by another one's name."""
    families = default_lexicon().color_families
    return (not color or color in families.get(asked, ()) or asked in families.get(color, ())
            or "beige" in (color, asked) or bool(seen_as(color) & seen_as(asked)))


@cache
def good_for() -> dict[str, frozenset[str]]:
    """The catalogue's things by the uses that they are good for, as the planner has it."""
    vocabulary, normal = default_vocabulary(), default_lexicon().normal
    found = {}
    for name, use in uses().items():
        things, without = set(map(normal, use.things)), set(map(normal, use.without))
        found[name] = frozenset(c for c in object_categories()
                                if things & (called := vocabulary.called(c)) and not without & called)
    return {name: some for name, some in found.items() if some and uses()[name].phrases}


def purposes(things: Sequence[Found], rng: np.random.Generator) -> Iterator[tuple[Asked, str]]:
    """A purpose for each thing that has one, and the name of the use."""
    for thing in things:
        fitting = [use for use, some in good_for().items() if thing.category in some]
        if fitting:
            use = fitting[int(rng.integers(len(fitting)))]
            phrases = uses()[use].phrases
            right = np.array([other.category in good_for()[use] for other in things])
            if not right.all():
                yield Asked(f"something {phrases[int(rng.integers(len(phrases)))]}", "purpose", thing.category,
                            right), use


class Tally:
    """Shares of right answers by way and row."""

    def __init__(self) -> None:
        self._hits: dict[tuple[str, str], list[float]] = defaultdict(list)

    def add(self, way: str, asked: Asked, scores: np.ndarray) -> None:
        """`scores` (N,) of the picture's things: the greatest is chosen, nothing where all are 0."""
        self.note(way, asked.sort, float(asked.right[scores.argmax()] and scores.max() > 0))

    def note(self, way: str, row: str, right: float) -> None:
        self._hits[way, row].append(right)

    def table(self, rows: Iterable[str], ways: Iterable[str]) -> str:
        """Markdown; a row's number of phrases first."""
        ways = list(ways)
        lines = [f"| phrases | number | {' | '.join(ways)} |", f"|{'---|' * (len(ways) + 2)}"]
        for row in rows:
            hits = [self._hits[way, row] for way in ways]
            means = " | ".join(f"{np.mean(some):.2f}" if some else "" for some in hits)
            lines.append(f"| {row} | {len(hits[0])} | {means} |")
        return "\n".join(lines)


COLOURED = ("chance", "plain name", "phrase", "label and colour's name", "name and colours")
PURPOSES = ("chance", "plain name", "phrase", "label", "all names together")


def ask(eyes: Eyes, things: Sequence[Found], rng: np.random.Generator, tally: Tally) -> None:
    """All phrases about one picture, each looked up in every way."""
    embeddings = np.array([thing.embedding for thing in things])
    for asked in colored(things):
        wanted = Wanted.read(asked.text, (asked.category.replace("_", " "),))
        called = [(t.label == asked.category) * t.score * (t.named in _names(asked.text)) for t in things]
        plain = eyes.chances(things, [asked.category])
        tally.note("chance", asked.sort, float(asked.right.mean()))
        tally.add("plain name", asked, plain)
        tally.add("phrase", asked, 1 + embeddings @ eyes.point(asked.text))
        tally.add("label and colour's name", asked, np.array(called))
        tally.add("name and colours", asked, plain * wanted.fits(np.array([thing.shares for thing in things])))
    for asked, use in purposes(things, rng):
        tally.note("chance", asked.sort, float(asked.right.mean()))
        tally.add("plain name", asked, eyes.chances(things, [asked.category]))
        tally.add("phrase", asked, 1 + embeddings @ eyes.point(asked.text))
        tally.add("label", asked, np.array([(t.label in good_for()[use]) * t.score for t in things]))
        tally.add("all names together", asked, eyes.chances(things, good_for()[use]))


def _names(phrase: str) -> frozenset[str]:
    """Names of colours that the planner takes for that of the phrase."""
    color = phrase.partition(" ")[0]
    return frozenset({color, *default_lexicon().color_families.get(color, ())})


class Telling:
    """What telling the detector by `look_for` what a thing looks like does to what it calls it, and the others."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._counts: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(4, int))

    def add(self, things: Sequence[Found]) -> None:
        """All phrases with colours about a picture."""
        embeddings = np.array([thing.embedding for thing in things])
        shares = np.array([thing.shares for thing in things])
        untold = [name.category for name in self._eyes.names.nearest(embeddings)]
        nearest = self._eyes.names.cosines(embeddings).max(axis=1)
        for asked in colored(things):
            other = np.array([thing.category != asked.category for thing in things])
            near = embeddings @ self._eyes.point(asked.text) > nearest
            names = self._eyes.names.copy()
            names.describe(asked.category, asked.text)
            self._count("nothing", asked, other, untold)
            self._count("the phrase as a whole", asked, other,
                        [asked.category if so else name for so, name in zip(near, untold)])
            self._count("name and colours", asked, other,
                        [name.category for name in names.nearest(embeddings, shares)])

    def _count(self, way: str, asked: Asked, other: np.ndarray, called: Sequence[str]) -> None:
        so = np.array(called) == asked.category
        self._counts[way] += [(so & asked.right).sum(), asked.right.sum(), (so & other).sum(), other.sum()]

    def table(self) -> str:
        lines = ["| told | named so: of those described | of other things |", "|---|---|---|"]
        for way, (hit, right, false, other) in self._counts.items():
            lines.append(f"| {way} | {hit / max(right, 1):.2f} of {right} | {false} of {other} |")
        return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--weights", default="")
    given = parser.parse_args()
    eyes, rng, tally, pictures = Eyes(given.weights), np.random.default_rng(0), Tally(), 0
    telling = Telling(eyes)
    for home, K in DataFolders([given.data]).homes(given.split):
        for i in range(home.sheet.pictures):
            pictures += 1
            if things := eyes.look(home, i, K):
                ask(eyes, things, rng, tally)
                telling.add(things)
    rows = ("another of its category", "something else of its colour", "neither")
    sys.stdout.write(f"{pictures} pictures\n\n{tally.table(rows, COLOURED)}\n\n{tally.table(['purpose'], PURPOSES)}\n\n"
                     f"{telling.table()}\n")


if __name__ == "__main__":
    main()
