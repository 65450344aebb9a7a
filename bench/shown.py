# ruff: noqa: T201 - a bench prints
"""Is a thing named right once one view of a thing of its kind was shown, and what does that cost the others?

``python -m bench.shown DIR [--split test] [--weights FILE]``, DIR being a folder of ``dadu data pictures``, prints a
table as Markdown.

Of each home all kinds of things are shown that the namer never learned: a house's own, and those kept out of its
training. By each of five seeds one view of a thing of the kind is drawn; asked for are all views that were not drawn,
by their true masks, among all names of the catalogue and the house. Once each kind is shown by itself, and once all
kinds of the home together.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dadu.house.catalogue import object_categories
from dadu.learning.detector.evaluate import collect
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.naming import PhraseNames
from dadu.world.exemplar import Exemplar

SEEDS = range(5)
MORE = (3, 10)
"""views shown of a kind, besides one; kinds with fewer views beside these are left out"""


@dataclass
class Share:
    """Of how many it holds."""

    held: int = 0
    asked: int = 0

    def add(self, truths: Sequence[bool] | np.ndarray) -> None:
        self.held, self.asked = self.held + int(np.sum(truths)), self.asked + len(truths)

    def __str__(self) -> str:
        return f"{self.held / self.asked:.2f}" if self.asked else "-"


@dataclass
class Figures:
    """Of one sort of kinds."""

    kinds: int = 0
    """in all homes"""
    right: Share = field(default_factory=Share)
    """views of the kind, before"""
    shown: Share = field(default_factory=Share)
    """the same after one view was shown"""
    more: dict[int, Share] = field(default_factory=lambda: {count: Share() for count in MORE})
    """the same after so many views"""
    together: Share = field(default_factory=Share)
    """the same after one view of each kind of the home"""
    others: Share = field(default_factory=Share)
    """views of all other things named right, before"""
    others_shown: Share = field(default_factory=Share)
    others_together: Share = field(default_factory=Share)
    taken: Share = field(default_factory=Share)
    """views of all other things that are called as what was shown"""


@dataclass(frozen=True)
class Views:
    """Of all things in the pictures of one home."""

    looks: np.ndarray
    """float32 (N, D), of unit length"""
    categories: np.ndarray
    """str (N,): what they are"""
    extents: np.ndarray
    """(N, 2) [m]: how high and wide they are seen"""
    names: PhraseNames

    def called(self, examples: Sequence[Exemplar]) -> np.ndarray:
        """str (N,)"""
        names = self.names.copy()
        names.show(examples)
        return np.array([one.category for one in names.nearest(self.looks, seen=self.extents)])


def measure(views: Views, never: Sequence[str], figures: Figures) -> None:
    """`never`: kinds that the namer never learned and the home has."""
    before = views.called(()) == views.categories
    for seed in SEEDS:
        drawn = dict(_drawn(views, never, seed))
        examples = {kind: Exemplar(kind, views.looks[row]) for kind, row in drawn.items()}
        asked = np.ones(len(before), bool)
        asked[list(drawn.values())] = False
        others = ~np.isin(views.categories, never)
        together = views.called(list(examples.values())) == views.categories
        figures.others_together.add(together[others])
        for kind, example in examples.items():
            called, mine = views.called([example]), (views.categories == kind) & asked
            figures.right.add(before[mine])
            figures.shown.add((called == kind)[mine])
            figures.together.add(together[mine])
            figures.others.add(before[others])
            figures.others_shown.add((called == views.categories)[others])
            figures.taken.add((called == kind)[others])
            for count, share in figures.more.items():
                share.add(_after(views, kind, count, seed))
    figures.kinds += len(never)


def _after(views: Views, kind: str, count: int, seed: int) -> np.ndarray:
    """bool (N,): which of the other views of a kind are named right once so many are shown; none where it has no
    others."""
    mine = np.flatnonzero(views.categories == kind)
    if len(mine) <= count:
        return np.zeros(0, bool)
    shown = np.random.default_rng(seed).choice(mine, count, replace=False)
    called = views.called([Exemplar(kind, views.looks[row]) for row in shown])
    right: np.ndarray = called[np.setdiff1d(mine, shown)] == kind
    return right


def _drawn(views: Views, kinds: Sequence[str], seed: int) -> Iterator[tuple[str, int]]:
    rng = np.random.default_rng(seed)
    for kind in kinds:
        yield kind, int(rng.choice(np.flatnonzero(views.categories == kind)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of dadu data pictures")
    parser.add_argument("--split", default="test", choices=["train", "validation", "test"])
    parser.add_argument("--weights", default="", help="of the detector; the project's own where empty")
    given = parser.parse_args()
    homes, detector = DataFolders([given.data]).homes(given.split), LearnedDetector(given.weights)
    if not homes:
        sys.exit(f"no home of split {given.split} in {given.data}")
    kept_out = TrainingFacts.model_validate_json(detector.namer.training).held_out
    figures = {"a house's own": Figures(), "never shown in training": Figures()}
    for home in homes:
        seen = collect(detector, [home])
        views = Views(np.array(seen.embeddings, np.float32), np.array(seen.categories), np.array(seen.extents),
                      seen.names[0])
        there = set(seen.categories)
        measure(views, sorted(there - {*object_categories()}), figures["a house's own"])
        measure(views, sorted(there & {*kept_out}), figures["never shown in training"])
        print(f"{home[0].sheet.home}: {len(seen.embeddings)} views", file=sys.stderr)
    print("| kinds | | named right | one view shown | three | ten | of all kinds | others named right | one kind shown "
          "| all kinds | called as that one |\n" + "|---" * 11 + "|")
    for sort, f in figures.items():
        print(f"| {sort} | {f.kinds} | {f.right} | {f.shown} | {f.more[3]} | {f.more[10]} | {f.together} "
              f"| {f.others} | {f.others_shown} | {f.others_together} | {f.taken} |")


if __name__ == "__main__":
    main()
