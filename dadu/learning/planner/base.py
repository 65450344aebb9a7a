"""The model that training begins with, or that is evaluated: made here, from a folder, or by its name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from dadu.core.errors import ConfigError
from dadu.learning.planner.settings import PlannerTrainSettings
from dadu.planner.model.small.weights import base_file

ADAPTER, MODEL = "adapter", "model"
"""folders of a run's result"""
SMALL = "small"
"""as a base: the model of planner `small`, from the file that `dadu model get small` has installed"""


def resolved(base: str) -> str:
    """A run's folder stands for its result; anything else, a folder or a name that Hugging Face's hub knows, for
    itself."""
    for part in (MODEL, ADAPTER):
        if _is_model(Path(base) / part):
            return str(Path(base) / part)
    return base


def tokenizer_of(base: str) -> Any:
    """Errors: ConfigError where there is none, or it has no chat template."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(**_where(base))
    except (OSError, ValueError) as error:
        raise _unusable(base, error) from None
    if not tokenizer.chat_template:
        raise ConfigError(f"{base} has no chat template; choose a model that was made for conversations")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def model_of(base: str, dtype: torch.dtype, trainable: bool = False) -> Any:
    """The model, an adapter's on top of what it was made for. Errors: ConfigError."""
    try:
        if not (Path(base) / "adapter_config.json").exists():
            return _pretrained(base, dtype)
        below = json.loads((Path(base) / "adapter_config.json").read_text())["base_model_name_or_path"]
        model = _pretrained(below, dtype)
        return PeftModel.from_pretrained(model, base, is_trainable=trainable)
    except (OSError, ValueError, KeyError) as error:
        raise _unusable(base, error) from None


def _pretrained(base: str, dtype: torch.dtype) -> Any:
    model = AutoModelForCausalLM.from_pretrained(**_where(base), dtype=dtype)
    if base == SMALL:
        # it is float now; Transformers 5.24 still says otherwise, and then refuses to write it
        model.hf_quantizer, model.is_quantized = None, False
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        model.name_or_path = SMALL  # what an adapter says that it is for: no path of this machine
    return model


def _where(base: str) -> dict[str, str]:
    """Arguments of Transformers' readers. Errors: ConfigError where `SMALL` is not installed."""
    if base != SMALL:
        return {"pretrained_model_name_or_path": base}
    file = base_file()
    return {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}


def add_adapter(model: Any, settings: PlannerTrainSettings) -> Any:
    """`model` with a new adapter, which does nothing yet."""
    lora = settings.lora
    return get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", r=lora.rank, lora_alpha=lora.alpha,
                                            lora_dropout=lora.dropout, target_modules=list(lora.modules)))


def _is_model(folder: Path) -> bool:
    return (folder / "config.json").exists() or (folder / "adapter_config.json").exists()


def _unusable(base: str, error: Exception) -> ConfigError:
    if Path(base).is_dir() and not _is_model(Path(base)):
        return ConfigError(f"{base} holds no model: no config.json and no adapter_config.json, nor folders {MODEL} or "
                           f"{ADAPTER} with one")
    if not Path(base).exists() and (base.startswith((".", "~", "/")) or base.count("/") > 1):
        return ConfigError(f"{base}: there is no such folder, and no name on the hub looks like this")
    return ConfigError(f"{base} cannot be used as a model: {str(error).splitlines()[0]}")


def export(model: Any, tokenizer: Any, folder: Path, merge: bool) -> None:
    """Writes `folder`/model (``vllm serve FOLDER/model``), or for an adapter `folder`/adapter (``vllm serve BASE
    --enable-lora --lora-modules NAME=FOLDER/adapter``) and, with `merge`, both."""
    if not hasattr(model, "peft_config"):
        _write(folder / MODEL, lambda place: model.save_pretrained(place), tokenizer)
        return
    learned = {name: value.to(torch.bfloat16) for name, value in model.state_dict().items() if "lora_" in name}
    _write(folder / ADAPTER, lambda place: model.save_pretrained(place, state_dict=learned, save_embedding_layers=False,
                                                                 selected_adapters=["default"]), tokenizer)
    if merge:
        whole = model.merge_and_unload(adapter_names=["default"])
        _write(folder / MODEL, lambda place: whole.save_pretrained(place), tokenizer)


def _write(place: Path, save: Any, tokenizer: Any) -> None:
    """Whole or not at all."""
    partial = place.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    save(partial)
    tokenizer.save_pretrained(partial)
    shutil.rmtree(place, ignore_errors=True)
    partial.replace(place)
