"""TRL's trainers, on tokens of ours, within a budget of hours or steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from torch.optim.lr_scheduler import LambdaLR
from transformers import PrinterCallback
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

from dadu.learning.planner.arrange import arranged
from dadu.learning.planner.clock import RunClock
from dadu.learning.planner.encode import NOT_LEARNED
from dadu.learning.planner.settings import Method, MethodSettings, PlannerTrainSettings
from dadu.learning.planner.tokens import Example

PADDED = 32
"""a batch is as many tokens long, or a multiple: on a CPU, PyTorch keeps buffers for every length that it has met"""
_WITHOUT_END = 10**7
"""steps of a run that ends by hours"""


@dataclass(frozen=True)
class Trainee:
    """What is trained, where."""

    model: Any
    tokenizer: Any
    reference: Any
    """of DPO: the model that it began with; None where an adapter can be left out instead"""
    folder: Path
    """of checkpoints"""
    device: str


class _Budgeted:
    """The rate follows the budget: it rises over the warm-up and falls to a tenth as a cosine. Mixed into a trainer."""

    rate: Callable[[int], float]
    lr_scheduler: Any
    optimizer: Any

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:
        if self.lr_scheduler is None:
            self.lr_scheduler = LambdaLR(optimizer or self.optimizer, self.rate)
        return self.lr_scheduler


class _Sft(_Budgeted, SFTTrainer):
    pass


class _Dpo(_Budgeted, DPOTrainer):
    def _prepare_dataset(self, dataset: Any, *_: Any, **__: Any) -> Any:
        return dataset  # holds tokens already


def sft_trainer(trainee: Trainee, examples: Sequence[Example], settings: PlannerTrainSettings, steps: int,
                clock: RunClock) -> SFTTrainer:
    """`steps`: 0 for as many as the clock allows."""
    data = _dataset(examples, [len(e["input_ids"]) for e in examples], settings.sft, settings.seed)
    data.set_format("numpy")  # a tenth of the time that lists take, which a small model on a GPU would wait for
    args = SFTConfig(**_arguments(trainee, settings, "sft", steps), max_length=None,
                     dataset_kwargs={"skip_prepare_dataset": True})
    trainer = _Sft(trainee.model, args, train_dataset=data, processing_class=trainee.tokenizer, callbacks=[clock],
                   data_collator=lambda batch: collated(batch, trainee.tokenizer.pad_token_id))
    return _timed(trainer, settings.sft, clock)


def dpo_trainer(trainee: Trainee, pairs: Sequence[Example], settings: PlannerTrainSettings, steps: int,
                clock: RunClock) -> DPOTrainer:
    """`steps`: 0 for as many as the clock allows."""
    lengths = [len(p["prompt_ids"]) + max(len(p["chosen_ids"]), len(p["rejected_ids"])) for p in pairs]
    own = settings.dpo
    imitates = {"loss_type": ["sigmoid", "sft"], "loss_weights": [1.0, own.imitate]} if own.imitate else {}
    args = DPOConfig(**_arguments(trainee, settings, "dpo", steps), max_length=None, beta=own.beta,
                     pad_to_multiple_of=PADDED, **imitates)
    trainer = _Dpo(trainee.model, trainee.reference, args, train_dataset=_dataset(pairs, lengths, own, settings.seed),
                   processing_class=trainee.tokenizer, callbacks=[clock])
    return _timed(trainer, own, clock)


def collated(batch: Sequence[Example], pad: int) -> dict[str, torch.Tensor]:
    """A batch, padded at its end, where nothing is learned."""
    longest = -(-max(len(row["input_ids"]) for row in batch) // PADDED) * PADDED

    def padded(rows: Iterable[np.ndarray], value: int) -> torch.Tensor:
        whole = np.full((len(batch), longest), value)
        for place, row in zip(whole, rows):
            place[:len(row)] = row
        return torch.from_numpy(whole)

    ids = [row["input_ids"] for row in batch]
    return {"input_ids": padded(ids, pad), "labels": padded((row["labels"] for row in batch), NOT_LEARNED),
            "attention_mask": padded(map(np.ones_like, ids), 0)}


def rate_at(share: float, step: int, warm_up: int) -> float:
    """Of the greatest one, after `share` of the budget and `step` steps."""
    return min(1.0, (step + 1) / (warm_up + 1)) * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * share)))


def _timed(trainer: Any, method: MethodSettings, clock: RunClock) -> Any:
    trainer.rate = lambda step: rate_at(clock.share(step), step, method.warm_up)
    trainer.remove_callback(PrinterCallback)
    return trainer


def _dataset(examples: Sequence[Example], lengths: Sequence[int], method: MethodSettings, seed: int) -> Dataset:
    order = arranged(lengths, method.batch, seed)
    return Dataset.from_dict({name: [examples[i][name] for i in order] for name in examples[0]})


def _arguments(trainee: Trainee, settings: PlannerTrainSettings, method: Method, steps: int) -> dict[str, Any]:
    """What both trainers are told."""
    own = settings.sft if method == "sft" else settings.dpo
    return {
        "output_dir": str(trainee.folder), "max_steps": steps or _WITHOUT_END, "seed": settings.seed,
        "per_device_train_batch_size": min(own.batch_at_once, own.batch),
        "gradient_accumulation_steps": -(-own.batch // own.batch_at_once),
        "learning_rate": own.rate, "weight_decay": own.weight_decay, "max_grad_norm": own.clip,
        "bf16": settings.precision == "bfloat16", "use_cpu": trainee.device == "cpu",
        "gradient_checkpointing": settings.recompute, "train_sampling_strategy": "sequential",
        "logging_steps": settings.report, "save_strategy": "no", "save_total_limit": 2, "report_to": "none",
        "disable_tqdm": True, "dataloader_pin_memory": trainee.device != "cpu", "remove_unused_columns": False,
    }
