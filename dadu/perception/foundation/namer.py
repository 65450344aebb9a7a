"""CLIP (Radford et al. 2021) and SigLIP (Zhai et al. 2023) as namers, through transformers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dadu.perception.foundation.loading import PictureTextEncoder, expect
from dadu.perception.learned.naming import names_of
from dadu.perception.namer import Cut

_SENTENCE = "a photo of a {}"
"""as in both papers"""


class _PictureTextNamer:
    """The names whose sentences are nearest to a picture."""

    def __init__(self, weights: str, kinds: tuple[str, ...]) -> None:
        expect(weights, "likeness of pictures and words", kinds)
        self.weights = weights
        self._encoder = PictureTextEncoder(weights)
        self._points = lru_cache(maxsize=4)(self._points_of)

    def chances(self, cuts: Sequence[Cut], names: Sequence[str]) -> np.ndarray:
        """float64 (N, M), unitless, rows of sum 1, see `Namer`."""
        logits = self._encoder.sharpness * (self._encoder.pictures([cut.rgb for cut in cuts])
                                            @ self._points(tuple(names)).T).astype(float)
        weight = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: np.ndarray = weight / weight.sum(axis=1, keepdims=True)
        return shares

    def _points_of(self, names: tuple[str, ...]) -> np.ndarray:
        """float32 (M, D), of unit length: of each the middle of its words' sentences."""
        words = [names_of(name) for name in names]
        vectors = self._encoder.phrases([_SENTENCE.format(word) for some in words for word in some])
        parts = np.split(vectors, np.cumsum([len(some) for some in words])[:-1])
        middles = np.array([part.mean(axis=0) for part in parts])
        return middles / np.linalg.norm(middles, axis=1, keepdims=True)


class ClipNamer(_PictureTextNamer):
    name = "clip"

    def __init__(self, weights: str = "openai/clip-vit-base-patch32") -> None:
        """`weights`: a name on the hub, or a folder. Errors: ConfigError."""
        super().__init__(weights, ("clip",))


class SiglipNamer(_PictureTextNamer):
    """SigLIP, or SigLIP 2."""

    name = "siglip"

    def __init__(self, weights: str = "google/siglip2-base-patch16-224") -> None:
        """`weights`: a name on the hub, or a folder. Errors: ConfigError."""
        super().__init__(weights, ("siglip", "siglip2"))
