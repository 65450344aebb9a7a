"""How far the name of a thing can be trusted: by what is known of how it came about, the chance that it is right.

A softmax over names shares out all of 1 among them, also for what is none of them, or looks like nothing that the namer
was taught. Here what is left over is the chance that nobody knows what it is: an answer of its own. By logistic
regression over the name's own odds and signs of a picture unlike those of training (Hendrycks and Gimpel 2017; Sun et
al. 2022), fitted on homes that the namer was not trained on, as they are and made harder (`dadu train trust`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from pydantic import field_validator

from dadu.core.config import Settings, load
from dadu.core.errors import ConfigError
from dadu.perception.learned.crops import UNKNOWN, Crop

SIGNS = ("odds", "cosine", "length", "sharp", "size", "rough", "known", "company")
"""what is known of a name, see `signs`"""
_SURE = 1e-3
_LEAST_SIZE = 0.02
"""[m]"""
_INNER = np.ones((5, 5), np.uint8)
"""pixels nearer to the thing's edge tell nothing of how rough its relief is"""
_FEWEST = 20


class Trust(Settings):
    """Of one namer."""

    namer: str
    """the network: `digest` of its file; another: its `weights`"""
    weights: tuple[float, ...]
    """of `SIGNS`"""
    bias: float

    @field_validator("weights")
    @classmethod
    def _complete(cls, weights: tuple[float, ...]) -> tuple[float, ...]:
        if len(weights) != len(SIGNS):
            raise ValueError(f"{len(weights)} weights for {len(SIGNS)} signs: {', '.join(SIGNS)}")
        return weights

    @classmethod
    def read(cls, path: Path, namer: str) -> Trust | None:
        """From a `trust_file`; None where nobody has fitted one. `namer`: as in the field. Errors: ConfigError for
        another namer's."""
        if not path.exists():
            return None
        trust = load(cls, path)
        if trust.namer != namer:
            raise ConfigError(f"{path} is of another namer than {namer}; dadu train trust fits it anew")
        return trust

    def right(self, told: np.ndarray) -> np.ndarray:
        """float64 (N,), unitless, 0 to 1: the chance that the likeliest name is right, of `signs` (N, len(SIGNS))."""
        chance: np.ndarray = 1 / (1 + np.exp(-np.clip(told @ np.array(self.weights) + self.bias, -30, 30)))
        return chance


def trust_file(folder: Path, namer: str = "") -> Path:
    """Where the trust lies, in the folder of a detector's weights; `namer`: another one's name, empty: the
    network's."""
    return folder / (f"trust-{namer}.yaml" if namer else "trust.yaml")


def digest(namer: Path) -> str:
    """Of its file."""
    return hashlib.sha256(namer.read_bytes()).hexdigest()[:16]


def signs(crops: Sequence[Crop], chances: np.ndarray, cosines: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """float64 (N, len(SIGNS)), unitless, of the N things of one picture: the log-odds of the likeliest name's chance
    (N,) among all names; its cosine (N,) to the embedding; the logarithm of the `lengths` (N,) of that, which is small
    for what excites the network little; the logarithms of the crop's side in the camera's pixels and in metres; how
    rough its relief is, in steps; the share of its pixels whose depth is known; and the mean cosine of the picture's
    other things: where nothing looks familiar, nor is what seems to."""
    chance = np.clip(chances, _SURE, 1 - _SURE)
    sizes = np.array([crop.sizes for crop in crops]).reshape(-1, 3)
    relief = np.array([_relief(crop) for crop in crops]).reshape(-1, 2)
    return np.column_stack([
        np.log(chance / (1 - chance)), cosines, np.log(np.maximum(lengths, 1e-6)), np.log(np.maximum(sizes[:, 2], 1)),
        np.log(np.maximum(sizes[:, 0], _LEAST_SIZE)), relief, _company(cosines)]).astype(float)


def _company(cosines: np.ndarray) -> np.ndarray:
    """(N,): of each the mean of the others, its own where it is alone."""
    others = len(cosines) - 1
    mean: np.ndarray = (cosines.sum() - cosines) / others if others > 0 else cosines
    return mean


def _relief(crop: Crop) -> tuple[float, float]:
    """How rough, and the share that is known."""
    known, thing = crop.relief != UNKNOWN, crop.mask > 127
    bent = np.abs(cv2.Laplacian(np.where(known, crop.relief, 0).astype(np.float32), cv2.CV_32F))
    inner = cv2.erode((known & thing).astype(np.uint8), _INNER) > 0
    rough = float(np.log1p(bent[inner].mean())) if inner.sum() > _FEWEST else 0.0
    return rough, float((known & thing).sum() / max(int(thing.sum()), 1))
