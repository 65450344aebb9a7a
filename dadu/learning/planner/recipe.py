"""``dadu train planner``: from conversations to a language model that plans."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from dadu.core.config import load
from dadu.core.errors import ConfigError
from dadu.core.paths import shared
from dadu.learning.planner.chats import PROTOCOLS, files, present
from dadu.learning.planner.settings import PlannerTrainSettings, Protocol
from dadu.learning.planner.tokens import FileEncoder, examples_of
from dadu.learning.recipe.facts import machine
from dadu.learning.recipe.lesson import Lesson, Tell, TrainedNetwork
from dadu.learning.recipe.order import EvaluationOrder, TrainOrder, ready
from dadu.learning.recipe.recipe import Recipe, option

CONFIGURATION, FACTS, ORDER, FIGURES = "config.yaml", "training.json", "order.json", "evaluation.json"
_FLOOR = 0.1
"""of the greatest learning rate, at the end"""
PlannerOrder = TrainOrder[PlannerTrainSettings]


@dataclass(frozen=True)
class PlannerRecipe(Recipe[PlannerTrainSettings]):
    """Train a language model to plan, or evaluate one.

    Settings are those of the run that --base is of, else the recipe in config/train that names the base; else give
    --settings. With --evaluate: how many answers are valid and right, each given what
    was right before it."""

    base: str = option("small", "What to begin with: a model's name on Hugging Face's hub, its folder, the folder of "
                                "an earlier run, or small: that of planner small.", "MODEL")
    lora: bool = option(False, "Train an adapter, not all weights.")
    merge: bool = option(False, "With --lora: write the merged model, too.")
    protocol: tuple[Protocol, ...] = option((), "This one only; may be said again.")

    kind: ClassVar[type[PlannerTrainSettings]] = PlannerTrainSettings
    out: ClassVar[Path] = Path("runs/planner")
    examples: ClassVar[str] = "examples"
    needed: ClassVar[Sequence[str]] = ("torch", "transformers", "peft")
    made_by: ClassVar[str] = "dadu data plans"

    def settings(self, evaluated: Path | None = None) -> PlannerTrainSettings:
        """Errors: ConfigError where nothing says how this base is trained."""
        of = evaluated or Path(self.base)
        ran = [p for p in (of / CONFIGURATION, of.parent / CONFIGURATION) if of.is_dir() and p.exists()]
        if ran:
            return load(PlannerTrainSettings, ran[0])
        recipes = {path: load(PlannerTrainSettings, path)
                   for path in sorted(shared("config", "train").glob("planner-*.yaml"))}
        for recipe in recipes.values():
            if self.base in recipe.bases:
                return recipe
        known = "; ".join(f"{path} for {', '.join(r.bases)}" for path, r in recipes.items() if r.bases)
        raise ConfigError(f"how is {self.base} trained? Give --settings, a file as those in config/train; there is: "
                          f"{known}; or --base, a folder of an earlier run")

    def lesson(self, order: PlannerOrder, tell: Tell) -> Lesson:
        _quiet()
        from dadu.learning.planner.batches import TokenBatches
        from dadu.learning.planner.encode import ChatEncoder
        from dadu.learning.planner.losses import imitation

        settings, protocols = order.settings, _protocols(order, self.protocol)
        own = settings.sft
        _claim(order, {"base": self.base, "lora": self.lora, "protocols": list(protocols)})
        tokenizer, model = self._model(settings)
        encode = FileEncoder(ChatEncoder(tokenizer, settings.context))
        paths = [path for p in protocols for folder in order.data for path in files(folder, p, "train")]
        examples, lost = examples_of(paths, encode, order.threads)
        if lost:
            tell(f"{lost} left out, longer than the context of {order.settings.context} tokens")
        if not examples:
            raise ConfigError(f"nothing to learn from within a context of {order.settings.context} tokens")
        batches = TokenBatches(examples, own.batch, settings.seed, tokenizer.pad_token_id)
        learned = _numbers(model, learned=True)
        facts = {"base": self.base, "protocols": list(protocols), "conversations": len(examples)}
        return Lesson(
            model, partial(imitation, model), batches, own,
            lambda trained: self._write(order, trained, tokenizer, facts, tell),
            f"{len(examples)} conversations of {', '.join(protocols)}; {learned / 1e6:.1f} of "
            f"{_numbers(model) / 1e6:.1f} million parameters learn", at_once=own.batch_at_once, floor=_FLOOR)

    def evaluate(self, order: EvaluationOrder[PlannerTrainSettings], tell: Tell) -> Mapping[str, Any]:
        """See `Recipe`; the figures are left in the model's folder, too."""
        _quiet()
        ready(order.settings, order.threads, self.needed)
        from dadu.learning.planner.evaluate import evaluate

        found = evaluate(order, self.protocol, tell)
        if order.weights.is_dir():
            (order.weights / FIGURES).write_text(json.dumps({"split": order.split, **found}, indent=1) + "\n")
        return found

    def _model(self, settings: PlannerTrainSettings) -> tuple[Any, Any]:
        """Tokenizer and model, with what is to be learned of it."""
        import torch

        from dadu.learning.planner.base import add_adapter, model_of, resolved, tokenizer_of

        base = resolved(self.base)
        dtype = torch.bfloat16 if self.lora and settings.precision == "bfloat16" else torch.float32
        tokenizer, model = tokenizer_of(base), model_of(base, dtype, trainable=self.lora)
        has_adapter = hasattr(model, "peft_config")
        if has_adapter and not self.lora:
            raise ConfigError(f"{base} is an adapter; go on with --lora, or begin with a merged model")
        if self.lora and not has_adapter:
            model = add_adapter(model, settings)
        if settings.recompute:
            model.gradient_checkpointing_enable({"use_reentrant": False})
        return tokenizer, model

    def _write(self, order: PlannerOrder, trained: TrainedNetwork, tokenizer: Any, facts: Mapping[str, Any],
               tell: Tell) -> Path:
        from dadu.learning.planner.base import ADAPTER, MODEL, export

        run = {"steps": trained.steps, "hours": trained.hours, "machine": f"{machine()}; {order.device}",
               **_on_gpu(order.device), "versions": {name: version(name) for name in self.needed}}
        (order.out / FACTS).write_text(json.dumps({**facts, **run}, indent=1) + "\n")
        export(trained.network, tokenizer, order.out, self.merge)
        written = order.out / (MODEL if (order.out / MODEL).exists() else ADAPTER)
        tell(f"wrote {written}")
        return written


def _quiet() -> None:
    """What the libraries would tell others, and the terminal; set before they are imported."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"transformers\..*")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()


def _protocols(order: PlannerOrder, wanted: tuple[Protocol, ...]) -> tuple[Protocol, ...]:
    """Errors: ConfigError where the data has none of those wanted."""
    there = present(order.data, "train")
    found = tuple(p for p in PROTOCOLS if p in there and p in (wanted or PROTOCOLS))
    if not found or len(found) < len(set(wanted)):
        lacking = ", ".join(p for p in wanted or PROTOCOLS if p not in there)
        raise ConfigError(f"{', '.join(map(str, order.data))}: no sft/{{{lacking}}}.train.jsonl; make some with "
                          "`dadu data plans`")
    return found


def _claim(order: PlannerOrder, mine: dict[str, Any]) -> None:
    """The folder is this run's. Errors: ConfigError where another one's checkpoints are in it."""
    order.out.mkdir(parents=True, exist_ok=True)
    mine |= {"data": [str(folder.resolve()) for folder in order.data],
             "settings": order.settings.model_dump(mode="json", exclude={"report", "checkpoint_minutes"})}
    path = order.out / ORDER
    if (order.out / "checkpoints").is_dir():
        raise ConfigError(f"{order.out} holds a run of an earlier version, which cannot go on; choose another --out")
    if path.exists():
        there = json.loads(path.read_text())
        other = [key for key in mine if there.get(key) != mine[key]]
        if other:
            raise ConfigError(f"{order.out} holds a run with other {', '.join(other)}; choose another --out")
    path.write_text(json.dumps(mine, indent=1) + "\n")


def _numbers(model: Any, learned: bool = False) -> int:
    """Of the model; with `learned` of what learns."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad or not learned)


def _on_gpu(device: str) -> dict[str, Any]:
    """Which one, and the most memory that PyTorch held there; nothing of a CPU."""
    import torch

    if device == "cpu":
        return {}
    return {"gpu": torch.cuda.get_device_name(), "memory_gb": round(torch.cuda.max_memory_reserved() / 1e9, 1)}
