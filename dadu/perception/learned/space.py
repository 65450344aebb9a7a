"""The space in which what a pixel shows and what a phrase means are compared: a few directions of the sentence
encoder's."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

_WHITENING = 0.5
"""exponent of the whitening of directions in which phrases vary much: 0 none, 1 until all vary alike"""


@dataclass(frozen=True)
class PhraseSpace:
    """Vectors of a sentence encoder, centred and projected; fixed before the network is trained."""

    mean: np.ndarray
    """float32 (384,)"""
    projection: np.ndarray
    """float32 (384, D)"""

    @classmethod
    def fitted(cls, vectors: np.ndarray, size: int) -> PhraseSpace:
        """The `size` directions in which `vectors`, float32 (N, 384), vary most (principal components)."""
        mean = vectors.mean(axis=0)
        _, spread, directions = np.linalg.svd(vectors - mean, full_matrices=False)
        kept = directions[:size] / (spread[:size, None] / spread[0]) ** _WHITENING
        return cls(mean.astype(np.float32), kept.T.astype(np.float32))

    def of(self, vectors: np.ndarray) -> np.ndarray:
        """float32 (N, D), rows of unit length, of the encoder's vectors (N, 384)."""
        return unit((vectors - self.mean) @ self.projection)

    def mean_of_names(self, vectors: Sequence[np.ndarray]) -> np.ndarray:
        """float32 (N, D), rows of unit length: for each thing the middle of its names, given as (number of names,
        384)."""
        return unit(np.array([self.of(names).mean(axis=0) for names in vectors], np.float32))


def unit(vectors: np.ndarray) -> np.ndarray:
    """(N, D), rows of unit length."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def space_text(space: PhraseSpace) -> dict[str, str]:
    """What a file carries of it."""
    return {"mean": _text(space.mean), "projection": _text(space.projection),
            "shape": json.dumps(space.projection.shape)}


def space_of(metadata: Mapping[str, str]) -> PhraseSpace:
    """Errors: KeyError, ValueError (binascii.Error is one)."""
    shape = tuple(int(size) for size in json.loads(metadata["shape"]))
    space = PhraseSpace(_array(metadata["mean"], (-1,)), _array(metadata["projection"], shape))
    if space.projection.ndim != 2 or len(space.projection) != len(space.mean):
        raise ValueError("sizes do not agree")
    if not (np.isfinite(space.mean).all() and np.isfinite(space.projection).all()):
        raise ValueError("numbers are not finite")
    return space


def _text(array: np.ndarray) -> str:
    return base64.b64encode(array.astype("<f4").tobytes()).decode()


def _array(text: str, shape: tuple[int, ...]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text, validate=True), "<f4").reshape(shape)
