"""The detector that DaDu trains itself: one network cuts a picture into things, another names them by phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from dadu.core.paths import shared
from dadu.core.robot import CameraFrame
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.knowledge.embedding import default_embedder
from dadu.perception.colors import color_shares
from dadu.perception.detector import LEAST_CHANCE, Segment, Segmentation
from dadu.perception.learned.build import extents
from dadu.perception.learned.crops import Crop, View, crop, cut
from dadu.perception.learned.cutter import Cutter, CutThings
from dadu.perception.learned.instances import InstanceSettings
from dadu.perception.learned.namer import FILE, NamerWeights
from dadu.perception.learned.naming import PhraseNames, phrases_for
from dadu.perception.learned.space import unit
from dadu.perception.learned.trust import Trust, digest, signs, trust_file
from dadu.perception.namer import Namer, asked_next, nobody_knows, opinion
from dadu.perception.namers import OWN, make_namers, named
from dadu.perception.upright import quarter_turns, rotated
from dadu.world.detection import Exemplar

WEIGHTS = "models/detector/detector.onnx"
"""where weights that come with the project lie; the namer's lie beside"""


@dataclass(frozen=True)
class _Cuts:
    """Things that are cut out of a picture, and what the network makes of them."""

    view: View
    labels: np.ndarray
    """int (h, w): 1, 2... N for things, 0 elsewhere"""
    crops: Sequence[Crop]
    vectors: np.ndarray
    """float32 (N, D), of any length"""


class LearnedDetector:
    """Cuts a picture into things and names them by the nearest phrase: the catalogue's, a house's own, descriptions."""

    name = "learned"

    def __init__(self, weights: str | Path = "", settings: InstanceSettings | None = None, doubts: bool = True,
                 namer: str = OWN) -> None:
        """`weights`: a file made by ``dadu train detector``, with the namer's beside it; empty: the project's; after
        commas, those of other namers. `doubts`: names are said to be as likely as `Trust` has it, where one lies beside
        the namer. `namer`: who names objects, see `dadu.perception.namers.named`; furniture is named by the network.

        Errors: ConfigError for weights or a namer that cannot be used, or where their sentence encoder is missing.
        """
        own, *others = (part.strip() for part in str(weights).split(","))
        path, embedder = Path(own) if own else shared(*WEIGHTS.split("/")), default_embedder()
        self.cutter = Cutter(path, embedder, settings)
        self.namer = NamerWeights(path.with_name(FILE))
        self.asked = [(one, _trust(one, path.with_name(FILE)) if doubts else None)
                      for one in make_namers(named(namer), others)]
        """who names objects, in this order, None: the network; and how far that is trusted, None: every object is
        called by some name, however unlike anything known it looks"""
        phrases = phrases_for(self.namer.encoder, embedder)
        self.furniture = PhraseNames(furniture_categories(), phrases, self.namer.space)
        self.objects = PhraseNames(object_categories(), phrases, self.namer.space, self.namer.taught or None)

    def add_categories(self, categories: Iterable[str]) -> None:
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
        (self.furniture if category in self.furniture.categories else self.objects).describe(category, description)

    def forget_looks(self) -> None:
        self.objects.forget()
        self.furniture.forget()

    def show(self, examples: Sequence[Exemplar]) -> None:
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

    def opinions(self, view: View, labels: np.ndarray, names: PhraseNames) -> np.ndarray:
        """float64 (N, M + 1), unitless: of all namers together, see `dadu.perception.namer`; of things
        given as in `embeddings`."""
        crops = _crops(view, labels)
        return self._opinions(_Cuts(view, labels, crops, self.namer.vectors(crops)), names)

    def _named(self, view: View, things: CutThings, score: np.ndarray) -> list[Segment]:
        crops, first = _crops(view, things.labels), things.objects
        raw = self.namer.vectors(crops)
        vectors = unit(raw)
        objects = np.where(things.labels > first, 0, things.labels)
        told = self.objects.told(self._opinions(_Cuts(view, objects, crops[:first], raw[:first]), self.objects))
        colors = colors_of(view, things.labels)[first:] if self.furniture.colored else None
        told += self.furniture.nearest(vectors[first:], colors)
        return [Segment(name.category, float(sure) * name.chance, embedding=vector,
                        others=tuple((other, float(sure) * chance) for other, chance in name.others))
                for name, sure, vector in zip(told, score, vectors)]

    def _opinions(self, cuts: _Cuts, names: PhraseNames) -> np.ndarray:
        """A namer is asked of those things alone that those before it may not know."""
        told, seen = nobody_knows(len(cuts.crops), len(names.names)), extents(cuts.view, cuts.labels)
        for namer, trust in self.asked:
            rows = np.flatnonzero(told[:, -1] >= LEAST_CHANCE)
            if namer is None:
                theirs = _own_opinion(trust, cuts, names, seen)[rows]
            elif len(rows):
                theirs = _opinion_of(namer, trust, cuts, names, seen, rows)
            else:
                continue
            told[rows] = asked_next(told[rows], theirs)
        return told


def _trust(namer: Namer | None, own: Path) -> Trust | None:
    """That lies beside the network's file, `own`. Errors: ConfigError for that of other weights."""
    if namer is None:
        return Trust.read(trust_file(own.parent), digest(own))
    return Trust.read(trust_file(own.parent, namer.name), namer.weights)


def _own_opinion(trust: Trust | None, cuts: _Cuts, names: PhraseNames, seen: np.ndarray) -> np.ndarray:
    """The network's, of all; `seen`: their `extents`."""
    colors = colors_of(cuts.view, cuts.labels) if names.colored else None
    chances = names.chances(unit(cuts.vectors), colors, seen)
    return opinion(chances, None if trust is None else trust.right(name_signs(names, cuts.crops, cuts.vectors,
                                                                              chances)))


def _opinion_of(namer: Namer, trust: Trust | None, cuts: _Cuts, names: PhraseNames, seen: np.ndarray,
                rows: np.ndarray) -> np.ndarray:
    """Another one's, of the things `rows`: by their looks, and by how large they are `seen` to be, (N, 2) [m]. Who
    shares a thing out among many names does not know it."""
    looks = namer.chances([cut(cuts.view, cuts.labels == i + 1) for i in rows], names.names)
    chances = looks * names.fits(seen[rows])
    chances *= looks.sum(axis=1, keepdims=True) / np.maximum(chances.sum(axis=1, keepdims=True), 1e-12)
    best, nothing = chances.max(axis=1), np.zeros(len(rows))
    told = np.where(chances >= np.minimum(best, LEAST_CHANCE)[:, None], chances, 0.0)
    if trust is None:
        return opinion(told)
    return opinion(told, trust.right(signs([cuts.crops[i] for i in rows], best, nothing, nothing + 1)))


def name_signs(names: PhraseNames, crops: Sequence[Crop], vectors: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """float64 (N, len(SIGNS)), unitless, see `signs`, of N crops with their vectors (N, D) and the chances (N, M) of
    their names."""
    cosines = names.cosines(unit(vectors)).max(axis=1, initial=-1.0)
    return signs(crops, chances.max(axis=1, initial=0.0), cosines, np.linalg.norm(vectors, axis=1))


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
