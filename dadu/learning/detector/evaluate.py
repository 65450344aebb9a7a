"""Figures of a trained detector on homes that it was not trained on: what ``dadu train detector --evaluate`` tells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from dadu.house.catalogue import furniture_categories, object_categories
from dadu.house.files import load_house
from dadu.learning.detector import metrics
from dadu.learning.detector.matching import Matched, frame_of, matched, thinned
from dadu.learning.detector.metrics import NamingFigures, naming
from dadu.learning.pictures.store import HomePictures
from dadu.perception.detector import Segmentation
from dadu.perception.learned.build import extents
from dadu.perception.learned.channels import FOCAL
from dadu.perception.learned.crops import View
from dadu.perception.learned.cutter import mask_shape
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.naming import PhraseNames

LEAST_PIXELS = 25
"""smaller things need not be found; at the focal length that the detector was trained with"""
SPANS: tuple[metrics.Span, ...] = ((0.0, 1.5), (1.5, 2.5), (2.5, 4.0), (4.0, np.inf))
"""[m]"""
NEAR: metrics.Span = (0.0, 2.5)


@dataclass
class Collected:
    """What was found in many pictures."""

    objects: list[Matched] = field(default_factory=list)
    furniture: list[Matched] = field(default_factory=list)
    embeddings: list[np.ndarray] = field(default_factory=list)
    """of objects by their true masks, whether found or not"""
    extents: list[np.ndarray] = field(default_factory=list)
    """of those, (2,) each [m], see `dadu.perception.learned.build.extents`"""
    categories: list[str] = field(default_factory=list)
    """of those"""
    names: list[PhraseNames] = field(default_factory=list)
    """that those may be called by: the catalogue's and their house's own"""
    found: list[bool] = field(default_factory=list)
    """whether the detector gave them a mask, too"""

    @property
    def own(self) -> frozenset[str]:
        """Categories of the houses' own."""
        return frozenset(there.category for picture in self.objects for there in picture.there) - {*object_categories()}


def collect(detector: LearnedDetector, homes: Sequence[tuple[HomePictures, np.ndarray]], least: int = LEAST_PIXELS,
            limit: int = 0, shown: Callable[[HomePictures, int, Segmentation, Matched], None] = lambda *_: None
            ) -> Collected:
    """Of all pictures of homes, each with its intrinsics (3, 3) [px]; of the first `limit` of each home where given.
    `shown` is called with every picture, what was found in it, and how that matches. In every home the detector is told
    of the house's own kinds of things, as a robot is there."""
    out = Collected()
    for home, K in homes:
        told = detector.told_of(own_categories(home))
        for i in range(min(home.sheet.pictures, limit or home.sheet.pictures)):
            _collect_picture(out, told, home, K, i, least * (K[0, 0] / FOCAL) ** 2, shown)
    return out


def own_categories(home: HomePictures) -> list[str]:
    """Of objects, those that its house has and the catalogue lacks. Errors: ConfigError where the home lacks its
    house."""
    return sorted({thing.category for thing in load_house(home.path / "house.yaml").objects} - {*object_categories()})


def _collect_picture(out: Collected, detector: LearnedDetector, home: HomePictures, K: np.ndarray, i: int, least: float,
          shown: Callable[[HomePictures, int, Segmentation, Matched], None]) -> None:
    """Of one picture, into `out`; things of fewer than `least` pixels need not be found."""
    frame, objects = frame_of(home, i, K), frozenset(detector.objects.categories)
    found = detector.segment(frame)
    out.objects.append(matched(home, i, found, "object", objects, round(least)))
    out.furniture.append(matched(home, i, found, "furniture", frozenset(furniture_categories()), round(20 * least)))
    hits = {seen.match for seen in out.objects[-1].seen}
    instances = thinned(np.asarray(home.instances[i]), mask_shape(frame.depth.shape, K[0, 0]))
    asked = [j for j, there in enumerate(out.objects[-1].there)
             if there.category in objects and (instances == there.id).any()]
    number = np.zeros(int(instances.max()) + 1, np.int32)
    number[[out.objects[-1].there[j].id for j in asked]] = np.arange(len(asked)) + 1
    view = View.from_frame(frame)
    out.embeddings.extend(detector.embeddings(view, number[instances]))
    out.extents.extend(extents(view, number[instances]))
    out.categories.extend(out.objects[-1].there[j].category for j in asked)
    out.names.extend(detector.objects for _ in asked)
    out.found.extend(j in hits for j in asked)
    shown(home, i, found, out.objects[-1])


def report(collected: Collected, held_out: Collection[str]) -> dict[str, object]:
    """The figures, as JSON may hold them; None where there was nothing to measure."""
    held, own = frozenset(held_out), collected.own
    known = frozenset(object_categories()) - held
    objects = collected.objects
    figures: dict[str, object] = {
        "pictures": len(objects),
        "objects": sum(len(picture.there) for picture in objects),
        "ap50": metrics.mean_precision(objects),
        "ap50_pooled": metrics.named_precision(objects),
        "ap50_agnostic": metrics.found_precision(objects),
        "ap50_agnostic_near": metrics.found_precision(objects, NEAR),
        "ap50_pooled_near": metrics.named_precision(objects, NEAR),
        "ap50_pooled_near_known": metrics.named_precision(objects, NEAR, known),
        "recall": metrics.recall(objects),
        "recall_known": metrics.recall(objects, categories=known),
        "recall_held_out": metrics.recall(objects, categories=held),
        "by_distance": {f"{span[0]:g} to {span[1]:g} m": {
            "recall": metrics.recall(objects, span), "ap50_agnostic": metrics.found_precision(objects, span),
            "ap50_pooled": metrics.named_precision(objects, span)} for span in SPANS},
        "furniture": {"ap50_pooled": metrics.named_precision(collected.furniture),
                      "recall": metrics.recall(collected.furniture)},
        "own": {"categories": sorted(own), "recall": metrics.recall(objects, categories=own),
                "ap50_pooled": metrics.named_precision(objects, categories=own),
                "ap50_pooled_near": metrics.named_precision(objects, NEAR, own)},
        "naming_known": vars(_naming(collected, known, known)),
        "naming_held_out": vars(_naming(collected, held, known)),
        "naming_own": vars(_naming(collected, own, known)),
    }
    return {name: _nan_to_none(value) for name, value in figures.items()}


def _nan_to_none(value: object) -> object:
    """JSON has no NaN."""
    if isinstance(value, dict):
        return {name: _nan_to_none(inner) for name, inner in value.items()}
    return None if isinstance(value, float) and np.isnan(value) else value


def _naming(collected: Collected, asked: frozenset[str], known: frozenset[str]) -> NamingFigures:
    rows = [i for i, category in enumerate(collected.categories) if category in asked]
    categories, names = [collected.categories[i] for i in rows], [collected.names[i] for i in rows]
    scores = [one.scores(collected.embeddings[i][None], seen=collected.extents[i][None])[0]
              for i, one in zip(rows, names)]
    return naming(scores, categories, names, known)
