"""Does the recipe for a large planner fit this GPU, and how long does a step take? Measured beside what `dadu train
planner --estimate` calculates. Nothing is fetched: the model has the recipe's shape, random weights, and the tokenizer
of the tiny one, so that it learns nothing worth having and costs what the real one does.

    python -m bench.large_model --data plans [--steps 4] [--keep DIR]

Needs the extra train, a GPU, and 20 GB of disk for a model of eight billion parameters.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from dadu.core.config import load
from dadu.core.paths import shared
from dadu.learning.planner.cost import GPUS, cost
from dadu.learning.planner.settings import Method, PlannerTrainSettings

RECIPE = "planner-8b.yaml"


def main(words: Sequence[str] | None = None) -> None:
    """Prints the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder of dadu data plans")
    parser.add_argument("--steps", type=int, default=4, help="of the optimizer, with each method")
    parser.add_argument("--keep", type=Path, help="a folder for the model and both runs")
    given = parser.parse_args(words)
    recipe = load(PlannerTrainSettings, shared("config", "train", RECIPE)).model_copy(update={"report": 1})
    with TemporaryDirectory() as temporary:
        folder: Path = given.keep or Path(temporary)
        _make(recipe, given.data, folder / "base")
        (folder / "recipe.json").write_text(recipe.model_dump_json())
        print("| | calculated | measured | s a step, calculated | measured |\n|---|---|---|---|---|")  # noqa: T201
        for method, base in (("sft", folder / "base"), ("dpo", folder / "sft")):
            print(_row(recipe, method, _trained(given, folder, method, base)), flush=True)  # noqa: T201


def _make(recipe: PlannerTrainSettings, data: Path, folder: Path) -> None:
    """A model of the recipe's shape, on the GPU since there it is drawn in seconds."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from dadu.learning.planner.chats import chats, present
    from dadu.learning.planner.tiny import make_tiny

    protocol = present([data], "sft", "train")[0]
    texts = (m.content for chat in islice(chats([data], protocol, "train"), 500) for m in chat.messages)
    make_tiny(recipe, texts, folder)
    shape = recipe.shape
    assert shape is not None
    config = LlamaConfig.from_pretrained(folder)
    config.update({"vocab_size": shape.vocabulary, "hidden_size": shape.width, "intermediate_size": shape.hidden,
                   "num_hidden_layers": shape.layers, "num_attention_heads": shape.heads,
                   "num_key_value_heads": shape.key_value_heads, "head_dim": shape.head_size,
                   "tie_word_embeddings": shape.tied})
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = LlamaForCausalLM(config)
    torch.set_default_dtype(torch.float32)
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder)


def _trained(given: argparse.Namespace, folder: Path, method: Method, base: Path) -> dict[str, Any]:
    """What a run of `dadu train planner` leaves of its figures."""
    out = folder / method
    subprocess.run([sys.executable, "-m", "dadu.cli", "train", "planner", "--data", given.data,
                    "--base", base, "--settings", folder / "recipe.json", "--method", method, "--lora",
                    "--device", "cuda", "--steps", str(given.steps), "--out", out], check=True, stdout=sys.stderr)
    facts: dict[str, Any] = json.loads((out / "training.json").read_text())
    seconds = [0.0, *(json.loads(line)["seconds"] for line in (out / "progress.jsonl").read_text().splitlines())]
    steps = [after - before for before, after in zip(seconds, seconds[1:])]
    return {**facts, "step": median(steps[1:] or steps)}  # the first one warms up


def _row(recipe: PlannerTrainSettings, method: Method, found: dict[str, Any]) -> str:
    assert recipe.shape is not None
    told = cost(recipe.shape, recipe, method, lora=True)
    like = next((f"{told.seconds(name):.1f}" for name in GPUS if name.split(",")[0].split()[-1] in found["gpu"]), "?")
    return (f"| {method} on {found['gpu']} | {sum(told.memory.values()) / 1e9:.1f} GB | {found['memory_gb']} GB | "
            f"{like} | {found['step']:.1f} |")


if __name__ == "__main__":
    main()
