"""The detector that DaDu trains itself: one network cuts a picture into things, another names them by phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
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
from dadu.perception.learned.crops import View, crop
from dadu.perception.learned.cutter import Cutter, CutThings
from dadu.perception.learned.instances import InstanceSettings
from dadu.perception.learned.namer import FILE, Namer
from dadu.perception.learned.naming import PhraseNames, phrases_for
from dadu.perception.upright import quarter_turns, rotated
from dadu.world.exemplar import Exemplar

WEIGHTS = "models/detector/detector.onnx"
"""where weights that come with the project lie; the namer's lie beside"""


class LearnedDetector:
    """Cuts a picture into things and names them by the nearest phrase: the catalogue's, a house's own, descriptions."""

    name = "learned"

    def __init__(self, weights: str | Path = "", settings: InstanceSettings | None = None) -> None:
        """`weights`: a file made by ``dadu train detector``, with the namer's beside it; empty: the project's.

        Errors: ConfigError for weights that cannot be used, or where their sentence encoder is missing.
        """
        path, embedder = Path(weights) if weights else shared(*WEIGHTS.split("/")), default_embedder()
        self.cutter = Cutter(path, embedder, settings)
        self.namer = Namer(path.with_name(FILE))
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
        such a thing and that it is called so."""
        sure = self.cutter.sure(self.cutter.things(self.cutter.look(frame)))
        if not len(sure.evidence):
            return Segmentation(np.zeros(frame.depth.shape, np.int16), ())
        named = self._named(View.from_frame(frame), sure, self.cutter.scores(sure))
        return Segmentation(_as_seen(sure.labels, frame), tuple(named))

    def embeddings(self, view: View, labels: np.ndarray) -> np.ndarray:
        """float32 (N, D), rows of unit length, of things given as int (h, w): 1, 2... N, each somewhere, 0
        elsewhere."""
        return self.namer.embeddings([crop(view, labels == i + 1) for i in range(int(labels.max()))])

    def _named(self, view: View, things: CutThings, score: np.ndarray) -> list[Segment]:
        vectors, first = self.embeddings(view, things.labels), things.objects
        colors = colors_of(view, things.labels) if self.objects.colored or self.furniture.colored else None
        objects, furniture = (None, None) if colors is None else (colors[:first], colors[first:])
        seen = extents(view, things.labels)[:first]
        named = [*self.objects.nearest(vectors[:first], objects, seen),
                 *self.furniture.nearest(vectors[first:], furniture)]
        return [Segment(name.category, float(sure) * name.chance, embedding=vector,
                        others=tuple((other, float(sure) * chance) for other, chance in name.others))
                for name, sure, vector in zip(named, score, vectors)]


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
