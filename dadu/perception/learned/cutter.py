"""The first network: where things are, and which of them are objects, whatever they are called."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from dadu.core.robot import CameraFrame
from dadu.house.catalogue import furniture_categories
from dadu.knowledge.embedding import Embedder
from dadu.perception.learned import instances
from dadu.perception.learned.channels import FOCAL, channels
from dadu.perception.learned.instances import InstanceSettings
from dadu.perception.learned.naming import PhraseNames, phrases_for
from dadu.perception.learned.space import unit
from dadu.perception.learned.things import STANDS, CutThings, joined
from dadu.perception.learned.weights import FURNITURE_SEEN, KNOWN, DetectorWeights
from dadu.perception.standing import standing_things
from dadu.perception.upright import quarter_turns, rotated

_MULTIPLE = 16
"""of the network's picture sizes [px]"""


@dataclass(frozen=True)
class Look:
    """What the network saw and says of a picture, upright."""

    geometry: np.ndarray
    """float32 (6, h, w), see `DetectorWeights.run`"""
    embedding: np.ndarray
    """float32 (N, D), rows of unit length: of the pixels of furniture"""
    depth: np.ndarray
    """float32 (h, w) [m], 0: no reading"""


class Cutter:
    """Cuts pictures into things."""

    def __init__(self, weights: Path, embedder: Embedder, settings: InstanceSettings | None = None) -> None:
        """`weights`: a file made by ``dadu train detector``. Errors: ConfigError for one that cannot be used,
        or where its sentence encoder is missing."""
        self.network = DetectorWeights(weights)
        phrases = phrases_for(self.network.encoder, embedder)
        self.settings = settings or InstanceSettings()
        self._furniture = PhraseNames(furniture_categories(), phrases, self.network.space)

    def look(self, frame: CameraFrame) -> Look:
        picture, depth = _upright(frame)
        geometry, embedding = self.network.run(picture)
        return Look(geometry, unit(embedding), depth)

    def things(self, look: Look) -> CutThings:
        geometry, settings = look.geometry, self.settings
        objects = instances.objects(geometry, look.depth, settings)
        pieces = instances.furniture(geometry, self._nearest_furniture(look), look.depth, settings)
        count = int(objects.max())
        labels = np.where(pieces > 0, pieces + count, objects).astype(np.int16)
        known = [evidence(parts, geometry[kind], geometry[3], geometry[4:6], look.depth)
                 for parts, kind in ((objects, instances.OBJECT), (pieces, instances.FURNITURE))]
        return CutThings(labels, count, np.concatenate(known))

    def sure(self, things: CutThings) -> CutThings:
        """Those that are sure enough to be told of."""
        return things.kept(np.flatnonzero(self.scores(things) >= self.settings.least_score))

    def complete(self, look: Look, things: CutThings, frame: CameraFrame) -> CutThings:
        """With what stands there by depth alone, see `joined`; `frame` is what `look` is of."""
        return joined(things, *_standing(frame, things.labels.shape), lambda labels: evidence(
            labels, look.geometry[instances.OBJECT], look.geometry[3], look.geometry[4:6], look.depth))

    def scores(self, things: CutThings) -> np.ndarray:
        """float64 (N,), unitless, 0 to 1, of N things: the chance that there is such a thing."""
        told = self.network.calibration.score(things.evidence, things.objects)
        alone = slice(things.objects - things.unseen, things.objects)
        told[alone] = STANDS.score(things.evidence[alone])
        return told

    def _nearest_furniture(self, look: Look) -> np.ndarray:
        """int (h, w): index of the category that furniture's pixels are nearest to, 0 elsewhere."""
        mask = look.geometry[instances.FURNITURE] > FURNITURE_SEEN
        category = np.zeros(mask.shape, np.intp)
        category[mask] = self._furniture.cosines(look.embedding).argmax(axis=1)
        return category


def _standing(frame: CameraFrame, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """`standing_things`, the first of `shape` and upright."""
    turns, full = quarter_turns(frame.T_map_camera[:3, :3]), frame.depth.shape
    height, width = shape[::-1] if turns % 2 else shape
    K = frame.K * np.array([[width / full[1]], [height / full[0]], [1.0]])
    rows, columns = ((np.arange(n) * size) // n for n, size in zip((height, width), full))
    depth = np.nan_to_num(frame.depth[np.ix_(rows, columns)], posinf=0.0)
    labels, levels = standing_things(depth, K, frame.T_map_camera)
    return rotated(labels, turns), levels


def mask_shape(shape: tuple[int, ...], focal: float) -> tuple[int, int]:
    """Height and width of the masks that are cut in pictures of `shape` (height, width) and `focal` length [px]."""
    height, width = (max(round(n * FOCAL / focal / _MULTIPLE), 1) * _MULTIPLE // 2 for n in shape)
    return height, width


def network_picture(frame: CameraFrame) -> np.ndarray:
    """What the network is given of `frame`: float32 (1, 6, H, W), unitless, see `channels`."""
    return _upright(frame)[0].transpose(2, 0, 1)[None]


def _upright(frame: CameraFrame) -> tuple[np.ndarray, np.ndarray]:
    """What the network sees, float32 (H, W, 6), upright and at the scale that it was trained at; and the depth [m] at
    half that size, 0 where there is none."""
    turns, shape = quarter_turns(frame.T_map_camera[:3, :3]), frame.depth.shape
    height, width = (2 * n for n in mask_shape(shape, frame.K[0, 0]))
    K = frame.K * np.array([[width / shape[1]], [height / shape[0]], [1.0]])
    rows, columns = ((np.arange(n) * size) // n for n, size in zip((height, width), shape))
    depth = np.nan_to_num(frame.depth[np.ix_(rows, columns)], posinf=0.0)
    rgb = cv2.resize(frame.rgb, (width, height), interpolation=cv2.INTER_AREA)
    planes = channels(rgb, depth, K, frame.T_map_camera).transpose(2, 0, 1)
    picture = np.stack([rotated(plane, turns) for plane in planes])
    return picture.transpose(1, 2, 0), rotated(depth, turns)[::2, ::2]


def evidence(parts: np.ndarray, probability: np.ndarray, middle: np.ndarray, offset: np.ndarray, depth: np.ndarray
             ) -> np.ndarray:
    """float64 (N, len(KNOWN)), of masks int (h, w): 1, 2... N, 0 elsewhere. In its columns: the logit of the mean
    `probability` (h, w) of its kind; the logarithm of its number of pixels; the logit of the greatest probability
    `middle` (h, w) that a thing's middle is in it; how well its pixels agree on where that is, by `offset` (2, h, w)
    [px]; the share of its pixels at the picture's border; the logarithm of its mean `depth` (h, w) [m].
    """
    count = int(parts.max(initial=0))
    rows, columns = np.nonzero(parts)
    owner = parts[rows, columns] - 1
    pixels = np.bincount(owner, minlength=count).astype(float)

    def mean(values: np.ndarray) -> np.ndarray:
        return np.bincount(owner, values, count) / np.maximum(pixels, 1)

    highest = np.zeros(count)
    np.maximum.at(highest, owner, middle[rows, columns])
    pointed = columns + offset[0, rows, columns], rows + offset[1, rows, columns]
    spread = sum(mean(axis ** 2) - mean(axis) ** 2 for axis in pointed)
    height, width = parts.shape
    border = (rows == 0) | (columns == 0) | (rows == height - 1) | (columns == width - 1)
    known = depth[rows, columns] > 0
    distance = mean(depth[rows, columns]) / np.maximum(mean(known), 1e-3)
    columns_of = {
        "probability": _logit(mean(probability[rows, columns])), "pixels": np.log(np.maximum(pixels, 1)),
        "middle": _logit(highest), "agreement": -0.5 * np.log((np.maximum(spread, 0) + 0.25) / np.maximum(pixels, 1)),
        "border": mean(border), "distance": np.log(np.clip(distance, 0.1, 10)),
    }
    return np.stack([columns_of[name] for name in KNOWN], axis=1)


def _logit(probability: np.ndarray) -> np.ndarray:
    clipped = np.clip(probability, 1e-3, 1 - 1e-3)
    return np.log(clipped / (1 - clipped))
