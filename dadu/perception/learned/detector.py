"""The detector that DaDu trains itself: objects and furniture, named by phrases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.paths import shared
from dadu.core.robot import CameraFrame
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.knowledge.embedding import default_embedder
from dadu.knowledge.phrases import phrases_of
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.learned import instances
from dadu.perception.learned.channels import FOCAL, channels
from dadu.perception.learned.instances import InstanceSettings
from dadu.perception.learned.naming import PhraseNames
from dadu.perception.learned.space import unit
from dadu.perception.learned.weights import DetectorWeights, evidence
from dadu.perception.upright import quarter_turns

WEIGHTS = "models/detector/detector.onnx"
"""where weights that come with the project lie"""
_MULTIPLE = 16
"""of the network's picture sizes [px]"""


@dataclass(frozen=True)
class Look:
    """What the network says of a picture, upright and at half the size that it sees."""

    geometry: np.ndarray
    """float32 (6, h, w), see `DetectorWeights.run`"""
    embedding: np.ndarray
    """float32 (h, w, D), of unit length"""
    depth: np.ndarray
    """float32 (h, w) [m], 0: no reading"""


@dataclass(frozen=True)
class Found:
    """The things in it, sure or not."""

    labels: np.ndarray
    """int16 (h, w): 1 + index into `segments`, 0 where there is none"""
    segments: tuple[Segment, ...]
    evidence: np.ndarray
    """float64 (number of segments, 3), see `Calibration`"""


class LearnedDetector:
    """Cuts a picture into things and names them by the nearest phrase: the catalogue's, a house's own, descriptions."""

    name = "learned"

    def __init__(self, weights: str | Path = "", settings: InstanceSettings | None = None) -> None:
        """`weights`: a file made by ``dadu train detector``; empty: the project's.

        Errors: ConfigError for weights that cannot be used, or where their sentence encoder is missing.
        """
        self.network = DetectorWeights(Path(weights) if weights else shared(*WEIGHTS.split("/")))
        embedder = default_embedder()
        if embedder.name != self.network.encoder:
            raise ConfigError(f"perception 'learned' needs the sentence encoder {self.network.encoder}, and "
                              f"{embedder.name} is there; run make setup")
        self.settings = settings or InstanceSettings()
        phrases, space = phrases_of(embedder), self.network.space
        self.furniture = PhraseNames(furniture_categories(), phrases, space)
        self.objects = PhraseNames(object_categories(), phrases, space)

    def add_categories(self, categories: Iterable[str]) -> None:
        """See `Worded`."""
        known = {*self.objects.categories, *self.furniture.categories}
        for category in categories:
            if category not in known:
                self.objects.add(category, category.replace("_", " "))

    def look_for(self, category: str, description: str) -> None:
        """See `Prompted`."""
        (self.furniture if category in self.furniture.categories else self.objects).add(category, description)

    def segment(self, frame: CameraFrame) -> Segmentation:
        """Disjoint masks of objects and furniture, with their embeddings; `Segment.score` is the chance that there is
        such
        a thing, whatever it is called."""
        return self.cut(self.find(self.look(frame)), frame)

    def cut(self, found: Found, frame: CameraFrame) -> Segmentation:
        """What is sure enough, as masks of the frame's pixels."""
        kept = [i for i, segment in enumerate(found.segments) if segment.score >= self.settings.least_score]
        number = np.zeros(len(found.segments) + 1, np.int16)
        number[np.array(kept, int) + 1] = np.arange(len(kept)) + 1
        turns = quarter_turns(frame.T_map_camera[:3, :3])
        labels = cv2.resize(number[found.labels], _size(frame, turns), interpolation=cv2.INTER_NEAREST)
        return Segmentation(np.ascontiguousarray(np.rot90(labels, -turns)), tuple(found.segments[i] for i in kept))

    def look(self, frame: CameraFrame) -> Look:
        """Runs the network."""
        picture, depth = _upright(frame)
        geometry, embedding = self.network.run(picture)
        return Look(geometry, unit(embedding), depth)

    def find(self, look: Look) -> Found:
        """Cuts and names."""
        geometry, settings = look.geometry, self.settings
        things = instances.objects(geometry, look.depth, settings)
        pieces = instances.furniture(geometry, self._nearest_furniture(look), look.depth, settings)
        count = int(things.max())
        labels = np.where(pieces > 0, pieces + count, things).astype(np.int16)
        objects, known = self._named(things, geometry[instances.OBJECT], look.embedding, self.objects)
        furniture, also = self._named(pieces, geometry[instances.FURNITURE], look.embedding, self.furniture)
        return Found(labels, (*objects, *furniture), np.concatenate([known, also]))

    def _nearest_furniture(self, look: Look) -> np.ndarray:
        """int (h, w): index of the category that furniture's pixels are nearest to, 0 elsewhere."""
        mask = look.geometry[instances.FURNITURE] > self.settings.furniture_probability
        category = np.zeros(mask.shape, np.intp)
        category[mask] = self.furniture.cosines(look.embedding[mask]).argmax(axis=1)
        return category

    def _named(self, parts: np.ndarray, probability: np.ndarray, embedding: np.ndarray, names: PhraseNames
               ) -> tuple[list[Segment], np.ndarray]:
        """One segment for each of the `parts` (h, w), in the order of their numbers, and what its score is made of."""
        mask, count = parts > 0, int(parts.max())
        if count == 0:
            return [], np.zeros((0, 3))
        owner = parts[mask] - 1
        pixels = np.bincount(owner, minlength=count)
        mean = unit(np.stack([np.bincount(owner, column, count) for column in embedding[mask].T], axis=1))
        named = names.nearest(mean)
        sure = np.bincount(owner, probability[mask], count) / pixels
        known = evidence(sure, pixels, np.array([n.cosine for n in named]))
        scores = self.network.calibration.score(known)
        return [Segment(n.category, float(score), embedding=vector.astype(np.float32))
                for n, score, vector in zip(named, scores, mean)], known


def _upright(frame: CameraFrame) -> tuple[np.ndarray, np.ndarray]:
    """What the network sees, float32 (H, W, 6), upright and at the scale that it was trained at; and the depth [m] at
    half
    that size, 0 where there is none."""
    turns, shape = quarter_turns(frame.T_map_camera[:3, :3]), np.array(frame.depth.shape)
    height, width = np.maximum(_MULTIPLE * np.round(shape * FOCAL / frame.K[0, 0] / _MULTIPLE), _MULTIPLE).astype(int)
    K = frame.K * np.array([[width / shape[1]], [height / shape[0]], [1.0]])
    rows, columns = ((np.arange(n) * size) // n for n, size in zip((height, width), shape))
    depth = np.nan_to_num(frame.depth[np.ix_(rows, columns)], posinf=0.0)
    rgb = cv2.resize(frame.rgb, (int(width), int(height)), interpolation=cv2.INTER_AREA)
    picture = np.rot90(channels(rgb, depth, K, frame.T_map_camera), turns)
    return np.ascontiguousarray(picture), np.rot90(depth, turns)[::2, ::2]


def _size(frame: CameraFrame, turns: int) -> tuple[int, int]:
    """Width and height of the upright picture [px]."""
    height, width = frame.depth.shape
    return (height, width) if turns % 2 else (width, height)
