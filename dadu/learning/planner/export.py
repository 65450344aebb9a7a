"""From a trained model to the folders that vLLM serves."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from dadu.learning.planner.base import ADAPTER, MODEL


def export(model: Any, tokenizer: Any, folder: Path, merge: bool) -> None:
    """Writes `folder`/model (``vllm serve FOLDER/model``), or for an adapter `folder`/adapter (``vllm serve BASE
    --enable-lora --lora-modules NAME=FOLDER/adapter``) and, with `merge`, both."""
    if not hasattr(model, "peft_config"):
        _write(folder / MODEL, lambda place: model.save_pretrained(place), tokenizer)
        return
    _write(folder / ADAPTER, lambda place: model.save_pretrained(place, selected_adapters=["default"]), tokenizer)
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
