# ruff: noqa: T201 - a bench prints
"""Is a thing named right once one view of a thing of its kind was shown, and what does that cost the others?

``python -m bench.shown DIR [--split test] [--weights FILE]``, DIR being a folder of ``dadu data pictures``, prints a
table as Markdown.

Of each home all kinds of things are shown that the namer never learned: a house's own, and those kept out of its
training. By each of five seeds one, three or ten views of a thing of the kind are drawn, as the robot's camera sees
them, or as a photograph shows them: in colour alone, cut out of their box by `photograph.cut_out`, those left out that
it refuses. Asked for are all views that were not drawn, by their true masks with depth, among all names of the
catalogue and the house. Once each kind is shown by itself, and once all kinds of the home together.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np

from dadu.core.errors import DaduError
from dadu.house.catalogue import object_categories
from dadu.learning.detector.evaluate import collect, own_categories
from dadu.learning.detector.matching import Matched, frame_of, thinned
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.perception.detector import Segmentation
from dadu.perception.learned.cutter import mask_shape
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.naming import PhraseNames
from dadu.perception.learned.photograph import cut_out
from dadu.world.detection import Exemplar

SEEDS = range(5)
COUNTS = (1, 3, 10)
"""views shown of a kind; kinds with no views beside these are left out"""


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
    """Of one sort of kinds, shown in one way, by so many views each."""

    kinds: int = 0
    """in all homes"""
    before: Share = field(default_factory=Share)
    """views of the kind named right"""
    shown: Share = field(default_factory=Share)
    """the same after it was shown"""
    together: Share = field(default_factory=Share)
    """the same after all such kinds of the home were shown"""
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
    photographs: np.ndarray
    """the same from colour alone; NaN where nothing could be cut out"""
    categories: np.ndarray
    """str (N,): what they are"""
    extents: np.ndarray
    """(N, 2) [m]: how high and wide they are seen"""
    names: PhraseNames

    @classmethod
    def collected(cls, detector: LearnedDetector, home: HomePictures, K: np.ndarray) -> Views:
        """`K`: (3, 3) [px]."""
        photographs: list[np.ndarray] = []

        def photograph(home: HomePictures, i: int, _: Segmentation, seen: Matched) -> None:
            rgb, instances = frame_of(home, i, K).rgb, np.asarray(home.instances[i])
            rgba = np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])
            visible = {*np.unique(thinned(instances, mask_shape(instances.shape, K[0, 0]))).tolist()}
            for there in seen.there:
                if there.category in names and there.id in visible:
                    photographs.append(_photographed(detector, rgba, instances == there.id))

        names = {*object_categories(), *own_categories(home)}
        seen = collect(detector, [(home, K)], shown=photograph)
        return cls(np.array(seen.embeddings, np.float32), np.array(photographs), np.array(seen.categories),
                   np.array(seen.extents), seen.names[0])

    def called(self, examples: Sequence[Exemplar]) -> np.ndarray:
        """str (N,)"""
        names = self.names.copy()
        names.show(examples)
        return np.array([one.category for one in names.nearest(self.looks, seen=self.extents)])


def _photographed(detector: LearnedDetector, rgba: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """float32 (D,)"""
    rows, columns = np.nonzero(mask)
    box = columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1
    try:
        look: np.ndarray = detector.namer.embeddings([cut_out(rgba, tuple(map(int, box)))])[0]
    except DaduError:
        return np.full(detector.objects.points.shape[1], np.nan, np.float32)
    return look


def measure(views: Views, shown: np.ndarray, never: Sequence[str], count: int, figures: Figures) -> None:
    """`shown`: looks (N, D) that are drawn from; `never`: kinds that the namer never learned and the home has."""
    before = views.called(()) == views.categories
    others = ~np.isin(views.categories, never)
    for seed in SEEDS:
        rng, drawn = np.random.default_rng(seed), {}
        for kind in never:
            mine = views.categories == kind
            can = np.flatnonzero(mine & np.isfinite(shown[:, 0]))
            if len(can) >= count and mine.sum() > count:
                drawn[kind] = rng.choice(can, count, replace=False)
        examples = {kind: [Exemplar(kind, shown[row]) for row in rows] for kind, rows in drawn.items()}
        if not seed:
            figures.kinds += len(drawn)
        if not drawn:
            continue
        together = views.called([one for some in examples.values() for one in some]) == views.categories
        figures.others_together.add(together[others])
        for kind, rows in drawn.items():
            called, asked = views.called(examples[kind]), views.categories == kind
            asked[rows] = False
            figures.before.add(before[asked])
            figures.shown.add((called == kind)[asked])
            figures.together.add(together[asked])
            figures.others.add(before[others])
            figures.others_shown.add((called == views.categories)[others])
            figures.taken.add((called == kind)[others])


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
    sorts, ways = ("a house's own", "never shown in training"), ("views", "photographs")
    figures = {key: Figures() for key in product(sorts, ways, COUNTS)}
    for home, K in homes:
        views = Views.collected(detector, home, K)
        there = {*views.categories.tolist()}
        for (sort, way, count), mine in figures.items():
            never = there - {*object_categories()} if sort == sorts[0] else there & {*kept_out}
            measure(views, views.looks if way == ways[0] else views.photographs, sorted(never), count, mine)
        print(f"{home.sheet.home}: {len(views.looks)} views", file=sys.stderr)
    print("| kinds | shown | kinds | named right | after it was shown | after all were | others named right | after it "
          "was shown | after all were | called as that one |\n" + "|---" * 10 + "|")
    for (sort, way, count), f in figures.items():
        if f.kinds:
            print(f"| {sort} | {count} {way} | {f.kinds} | {f.before} | {f.shown} | {f.together} | {f.others} "
                  f"| {f.others_shown} | {f.others_together} | {f.taken} |")


if __name__ == "__main__":
    main()
