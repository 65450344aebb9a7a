"""The detector that DaDu trains itself: one network cuts a picture into things, another names them by phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from dadu.core.paths import shared
from dadu.core.robot import CameraFrame
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.knowledge.embedding import default_embedder
from dadu.perception.colors import color_shares
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.learned.build import extents
from dadu.perception.learned.crops import Crop, View, crop
from dadu.perception.learned.cutter import Cutter, CutThings
from dadu.perception.learned.instances import InstanceSettings
from dadu.perception.learned.namer import FILE, Namer
from dadu.perception.learned.naming import LEAST_CHANCE, Named, PhraseNames, phrases_for
from dadu.perception.learned.space import unit
from dadu.perception.learned.trust import Trust, signs
from dadu.perception.upright import quarter_turns, rotated
from dadu.world.exemplar import Exemplar
from dadu.world.graph import UNIDENTIFIED

WEIGHTS = "models/detector/detector.onnx"
"""where weights that come with the project lie; the namer's lie beside"""


class LearnedDetector:
    """Cuts a picture into things and names them by the nearest phrase: the catalogue's, a house's own, descriptions."""

    name = "learned"

    def __init__(self, weights: str | Path = "", settings: InstanceSettings | None = None, doubts: bool = True
                 ) -> None:
        """`weights`: a file made by ``dadu train detector``, with the namer's beside it; empty: the project's.
        `doubts`: names are said to be as likely as `Trust` has it, where one lies beside the namer.

        Errors: ConfigError for weights that cannot be used, or where their sentence encoder is missing.
        """
        path, embedder = Path(weights) if weights else shared(*WEIGHTS.split("/")), default_embedder()
        self.cutter = Cutter(path, embedder, settings)
        self.namer = Namer(path.with_name(FILE))
        self.trust = Trust.beside(path.with_name(FILE)) if doubts else None
        """None: every object is called by some name, however unlike anything known it looks"""
        phrases = phrases_for(self.namer.encoder, embedder)
        self.furniture = PhraseNames(furniture_categories(), phrases, self.namer.space)
        self.objects = PhraseNames(object_categories(), phrases, self.namer.space, self.namer.taught or None)

    def add_categories(self, categories: Iterable[str]) -> None:
        """See `Worded`."""
        known = {*self.objects.categories, *self.furniture.categories}
        for category in categories:
            if category not in known:
                self.objects.add(category)

    def told_of(self, categories: Iterable[str]) -> LearnedDetector:
        """Another one that is told of these by `add_categories`; this one stays as it is."""
        other = copy(self)
        other.objects = self.objects.copy()
        other.add_categories(categories)
        return other

    def look_for(self, category: str, description: str) -> None:
        """See `Prompted`."""
        (self.furniture if category in self.furniture.categories else self.objects).describe(category, description)

    def forget_looks(self) -> None:
        """See `Prompted`."""
        self.objects.forget()
        self.furniture.forget()

    def show(self, examples: Sequence[Exemplar]) -> None:
        """See `Teachable`."""
        self.objects.show([example for example in examples if example.look.shape == self.objects.points.shape[1:]])

    def segment(self, frame: CameraFrame) -> Segmentation:
        """Disjoint masks of objects and furniture, with their embeddings; `Segment.score` is the chance that there is
        such a thing and that it is called so. Among the others of objects is how likely nobody knows what it is, as
        `UNIDENTIFIED`."""
        look = self.cutter.look(frame)
        sure = self.cutter.complete(look, self.cutter.sure(self.cutter.things(look)), frame)
        if not len(sure.evidence):
            return Segmentation(np.zeros(frame.depth.shape, np.int16), ())
        named = self._named(View.from_frame(frame), sure, self.cutter.scores(sure))
        return Segmentation(_as_seen(sure.labels, frame), tuple(named))

    def embeddings(self, view: View, labels: np.ndarray) -> np.ndarray:
        """float32 (N, D), rows of unit length, of things given as int (h, w): 1, 2... N, each somewhere, 0
        elsewhere."""
        return self.namer.embeddings(_crops(view, labels))

    def _named(self, view: View, things: CutThings, score: np.ndarray) -> list[Segment]:
        crops, first = _crops(view, things.labels), things.objects
        raw = self.namer.vectors(crops)
        vectors = unit(raw)
        colors = colors_of(view, things.labels) if self.objects.colored or self.furniture.colored else None
        objects, furniture = (None, None) if colors is None else (colors[:first], colors[first:])
        seen = extents(view, things.labels)[:first]
        named = self.objects.nearest(vectors[:first], objects, seen)
        if self.trust is not None:
            named = trusted(named, self.trust.right(name_signs(self.objects, crops[:first], raw[:first], named)))
        named += self.furniture.nearest(vectors[first:], furniture)
        return [Segment(name.category, float(sure) * name.chance, embedding=vector,
                        others=tuple((other, float(sure) * chance) for other, chance in name.others))
                for name, sure, vector in zip(named, score, vectors)]


def name_signs(names: PhraseNames, crops: Sequence[Crop], vectors: np.ndarray, named: Sequence[Named]) -> np.ndarray:
    """float64 (N, len(SIGNS)), unitless, see `signs`, of N crops with their vectors (N, D) and how they are named."""
    cosines = names.cosines(unit(vectors)).max(axis=1, initial=-1.0)
    return signs(crops, np.array([name.chance for name in named]), cosines, np.linalg.norm(vectors, axis=1))


def trusted(named: Sequence[Named], right: np.ndarray) -> list[Named]:
    """The same with all chances lowered so that the best one's is no more than float (N,) `right`; what is left over
    is that nobody knows what it is."""
    out = []
    for name, chance in zip(named, right):
        share = min(float(chance) / max(name.chance, 1e-9), 1.0)
        others = [(other, share * likely) for other, likely in name.others] + [(UNIDENTIFIED, 1.0 - share)]
        told = tuple(sorted((other for other in others if other[1] >= LEAST_CHANCE), key=lambda other: -other[1]))
        out.append(replace(name, chance=share * name.chance, others=told))
    return out


def _crops(view: View, labels: np.ndarray) -> list[Crop]:
    """Of things given as int (h, w): 1, 2... N, each somewhere, 0 elsewhere."""
    return [crop(view, labels == i + 1) for i in range(int(labels.max()))]


def colors_of(view: View, labels: np.ndarray) -> np.ndarray:
    """float64 (N, 12), unitless: the `color_shares` of things given as int (h, w), 1, 2... N, 0 elsewhere, in the
    view's pixels that lie in the middle of theirs."""
    rows, columns = np.nonzero(labels)
    fine = [(2 * places + 1) * size // (2 * coarse)
            for places, size, coarse in zip((rows, columns), view.rgb.shape, labels.shape)]
    return color_shares(view.rgb[fine[0], fine[1]], labels[rows, columns].astype(np.intp) - 1, int(labels.max()))


def _as_seen(labels: np.ndarray, frame: CameraFrame) -> np.ndarray:
    """`labels` (h, w), upright and small, as int16 (H, W) of the frame's pixels."""
    turns = quarter_turns(frame.T_map_camera[:3, :3])
    height, width = frame.depth.shape
    size = (height, width) if turns % 2 else (width, height)
    return rotated(cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST), -turns)
