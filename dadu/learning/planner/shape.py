"""How large a model of Llama's kind is."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import NonNegativeInt, PositiveInt

from dadu.core.config import Settings
from dadu.core.errors import ConfigError


class ModelShape(Settings):
    """A decoder of grouped attention and gated layers, as of Llama, Qwen and Mistral."""

    vocabulary: PositiveInt
    width: PositiveInt
    layers: PositiveInt
    heads: PositiveInt
    key_value_heads: PositiveInt
    hidden: PositiveInt
    """of a gated layer"""
    head: NonNegativeInt = 0
    """numbers of one head; 0: width / heads"""
    tied: bool = False
    """whether the last matrix is the first one"""

    @property
    def head_size(self) -> int:
        return self.head or self.width // self.heads

    def matrices(self) -> dict[str, tuple[int, int]]:
        """Of one layer: name as in Hugging Face's files, (inputs, outputs)."""
        queries, keys = self.heads * self.head_size, self.key_value_heads * self.head_size
        return {"q_proj": (self.width, queries), "k_proj": (self.width, keys), "v_proj": (self.width, keys),
                "o_proj": (queries, self.width), "gate_proj": (self.width, self.hidden),
                "up_proj": (self.width, self.hidden), "down_proj": (self.hidden, self.width)}

    @property
    def parameters(self) -> int:
        """Without the norms of single heads that some have."""
        layer = sum(a * b for a, b in self.matrices().values()) + 2 * self.width
        return self.layers * layer + (1 if self.tied else 2) * self.vocabulary * self.width + self.width


def shape_in(folder: Path) -> ModelShape:
    """As the folder's config.json has it. Errors: ConfigError where it is none of this kind."""
    path = folder / "config.json"
    try:
        told = json.loads(path.read_text())
        heads = told["num_attention_heads"]
        return ModelShape(vocabulary=told["vocab_size"], width=told["hidden_size"], layers=told["num_hidden_layers"],
                          heads=heads, key_value_heads=told.get("num_key_value_heads") or heads,
                          hidden=told["intermediate_size"], head=told.get("head_dim") or 0,
                          tied=bool(told.get("tie_word_embeddings")))
    except (OSError, KeyError, ValueError) as error:
        raise ConfigError(f"{path} describes no model of this kind: {error!r}") from None
