"""The space in which what a pixel shows and what a phrase means are compared: a few directions of the sentence
encoder's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_EVENED = 0.5
"""how far directions in which phrases vary much are shortened: 0 not at all, 1 until all are alike"""


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
        kept = directions[:size] / (spread[:size, None] / spread[0]) ** _EVENED
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
