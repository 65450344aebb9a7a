"""``dadu train planner``, from conversations to a model that can be served."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dadu.core.config import save
from dadu.core.errors import ConfigError
from dadu.learning.facts import machine
from dadu.learning.order import TrainOrder, ready
from dadu.learning.planner.chats import PROTOCOLS, Split, chats, files, present
from dadu.learning.planner.cost import cost, told
from dadu.learning.planner.settings import Method, PlannerTrainSettings, Protocol
from dadu.learning.planner.shape import shape_in

if TYPE_CHECKING:
    from dadu.learning.planner.encode import ChatEncoder
    from dadu.learning.planner.tokens import Example

NEEDED = ("torch", "transformers", "trl", "peft", "datasets")
"""of the extra train"""
TINY = "tiny"
CONFIGURATION, FACTS, ORDER, FIGURES = "config.yaml", "training.json", "order.json", "evaluation.json"


@dataclass(frozen=True)
class PlannerOrder(TrainOrder[PlannerTrainSettings]):
    """What to train, beyond what every run may be told."""

    base: str = TINY
    """`TINY`, a folder, or a name that Hugging Face's hub knows"""
    method: Method = "sft"
    protocols: tuple[Protocol, ...] = ()
    """empty: all that the data has"""
    lora: bool = False
    """an adapter instead of all weights"""
    merge: bool = False
    """write the adapter into the model, too"""


def train(order: PlannerOrder, tell: Callable[[str], None]) -> Path:
    """Trains, or goes on training, and writes what can be served; returns its folder.

    Errors: ConfigError for data, bases and folders that do not fit; MissingExtra without the extra train.
    """
    _quiet()
    ready(order, NEEDED)
    from transformers.utils.logging import disable_progress_bar

    from dadu.learning.budget import Budget
    from dadu.learning.planner.base import ADAPTER, MODEL
    from dadu.learning.planner.clock import RunClock, last_checkpoint
    from dadu.learning.planner.encode import ChatEncoder
    from dadu.learning.planner.export import export
    from dadu.learning.planner.trainers import dpo_trainer, sft_trainer

    disable_progress_bar()
    protocols = _protocols(order)
    _claim(order, protocols)
    trainee = _trainee(order, protocols)
    encoder = ChatEncoder(trainee.tokenizer, order.settings.context, order.settings.system)
    kept = last_checkpoint(trainee.folder)
    clock = RunClock(order.out, Budget(order.hours, order.steps), order.settings.checkpoint_minutes, tell,
                     kept[1] if kept else 0.0)
    examples = _examples(order, protocols, encoder, tell)
    make: Any = sft_trainer if order.method == "sft" else dpo_trainer
    trainer = make(trainee, examples, order.settings, order.steps, clock)
    unit = "conversations" if order.method == "sft" else "pairs"
    tell(f"{len(examples)} {unit} of {', '.join(protocols)}; "
         f"{sum(p.numel() for p in trainee.model.parameters() if p.requires_grad) / 1e6:.1f} of "
         f"{sum(p.numel() for p in trainee.model.parameters()) / 1e6:.1f} million parameters learn; "
         f"begins at step {kept[0].name.rpartition('-')[2] if kept else 0}")
    with clock.stoppable():
        trainer.train(resume_from_checkpoint=str(kept[0]) if kept else None)
    facts = {"base": order.base, "method": order.method, "protocols": list(protocols), unit: len(examples),
             "steps": trainer.state.global_step, "hours": round(clock.seconds / 3600, 3),
             "machine": f"{machine()}; {order.device}", **_on_gpu(order.device), "versions": _versions()}
    (order.out / FACTS).write_text(json.dumps(facts, indent=1) + "\n")
    export(trainer.model, trainee.tokenizer, order.out, order.merge)
    written = order.out / (MODEL if (order.out / MODEL).exists() else ADAPTER)
    tell(f"wrote {written}")
    return written


def evaluate(model: Path, data: Sequence[Path], settings: PlannerTrainSettings, split: Split, limit: int,
             protocols: tuple[Protocol, ...], device: str, threads: int,
             tell: Callable[[str], None]) -> dict[str, Any]:
    """See `dadu.learning.planner.evaluate`; the figures are left in `model`/evaluation.json, too. Errors: ConfigError;
    MissingExtra."""
    _quiet()
    ready(TrainOrder(data, model, settings, threads=threads), NEEDED)
    from transformers.utils.logging import disable_progress_bar

    from dadu.learning.planner.evaluate import EvaluationOrder
    from dadu.learning.planner.evaluate import evaluate as measured

    disable_progress_bar()
    found = measured(EvaluationOrder(str(model), data, settings, split, limit, protocols, device),
                     tell)
    if model.is_dir():
        (model / FIGURES).write_text(json.dumps({"split": split, **found}, indent=1) + "\n")
    return found


def estimate(base: str, settings: PlannerTrainSettings, method: Method, lora: bool, steps: int) -> list[str]:
    """Memory and time on a GPU, in words. Errors: ConfigError where nothing says how large the model is."""
    if base == TINY:
        shape = settings.tiny.shape
    elif Path(base).is_dir():
        shape = shape_in(Path(base))
    elif settings.shape is not None:
        shape = settings.shape
    else:
        raise ConfigError(f"how large is {base}? Name its folder, or give settings with its `shape`")
    return list(told(cost(shape, settings, method, lora), steps))


def _quiet() -> None:
    """What the libraries would tell others, and the terminal; set before they are imported."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"transformers\..*")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def _protocols(order: PlannerOrder) -> tuple[Protocol, ...]:
    """Errors: ConfigError where the data has none of those wanted."""
    there = present(order.data, order.method, "train")
    found = tuple(p for p in order.protocols or PROTOCOLS if p in there)
    if not found or (order.protocols and len(found) < len(order.protocols)):
        wanted = ", ".join(p for p in order.protocols or PROTOCOLS if p not in there)
        raise ConfigError(f"{', '.join(map(str, order.data))}: no {order.method}/{{{wanted}}}.train.jsonl; make some "
                          "with `dadu data plans`")
    return found


def _claim(order: PlannerOrder, protocols: tuple[Protocol, ...]) -> None:
    """The folder is this run's. Errors: ConfigError where another one's checkpoints are in it."""
    order.out.mkdir(parents=True, exist_ok=True)
    mine = {"base": order.base, "method": order.method, "lora": order.lora, "protocols": list(protocols),
            "data": [str(folder.resolve()) for folder in order.data],
            "settings": order.settings.model_dump(mode="json", exclude={"report", "checkpoint_minutes"})}
    path = order.out / ORDER
    if path.exists():
        there = json.loads(path.read_text())
        other = [key for key in mine if there.get(key) != mine[key]]
        if other:
            raise ConfigError(f"{order.out} holds a run with other {', '.join(other)}; choose another --out")
    path.write_text(json.dumps(mine, indent=1) + "\n")
    save(order.settings, order.out / CONFIGURATION)


def _trainee(order: PlannerOrder, protocols: tuple[Protocol, ...]) -> Any:
    import torch

    from dadu.learning.planner.base import add_adapter, model_of, resolved, tokenizer_of
    from dadu.learning.planner.trainers import Trainee

    settings = order.settings
    base = _tiny(order, protocols) if order.base == TINY else resolved(order.base)
    dtype = torch.bfloat16 if order.lora and settings.precision == "bfloat16" else torch.float32
    tokenizer, model = tokenizer_of(base), model_of(base, dtype, trainable=order.lora)
    has_adapter = hasattr(model, "peft_config")
    if has_adapter and not order.lora:
        raise ConfigError(f"{base} is an adapter; go on with --lora, or begin with a merged model")
    if order.lora and not has_adapter:
        model = add_adapter(model, settings)
    reference = model_of(base, dtype) if order.method == "dpo" and not order.lora else None
    return Trainee(model, tokenizer, reference, order.out / "checkpoints", order.device)


def _tiny(order: PlannerOrder, protocols: tuple[Protocol, ...]) -> str:
    """The folder of the model that is made here, made where it is not there yet."""
    from itertools import islice

    from dadu.learning.planner.chats import replace_system_message
    from dadu.learning.planner.tiny import make_tiny

    folder = order.out / "base"
    if not (folder / "config.json").exists():
        lines = (chat for p in protocols for chat in islice(chats(order.data, p, "train"),
                                                            order.settings.tiny.tokenizer_texts // len(protocols)))
        texts = (m.content for chat in lines for m in replace_system_message(chat.messages, order.settings.system))
        make_tiny(order.settings, texts, folder)
    return str(folder)


def _examples(order: PlannerOrder, protocols: tuple[Protocol, ...], encoder: ChatEncoder, tell: Callable[[str], None]
              ) -> list[Example]:
    """Errors: ConfigError where nothing fits in the context."""
    from dadu.learning.planner.tokens import FileEncoder, examples_of

    settings, method = order.settings, order.method
    paths = [path for p in protocols for folder in order.data for path in files(folder, method, p, "train")]
    found, lost = examples_of(paths, FileEncoder(encoder, method, settings.questions, settings.seed), order.threads)
    if lost:
        tell(f"{lost} left out, longer than the context of {settings.context} tokens")
    if not found:
        raise ConfigError(f"nothing to learn from within a context of {settings.context} tokens")
    return found


def _on_gpu(device: str) -> dict[str, Any]:
    """Which one, and the most memory that PyTorch held there; nothing of a CPU."""
    import torch

    if device == "cpu":
        return {}
    return {"gpu": torch.cuda.get_device_name(), "memory_gb": round(torch.cuda.max_memory_reserved() / 1e9, 1)}


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in NEEDED}
