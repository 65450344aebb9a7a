"""The training run of any network: reads batches, lowers the loss, keeps checkpoints, goes on where it was after a
kill."""

from __future__ import annotations

import copy
import json
import math
import os
import pickle
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from dadu.core.config import save
from dadu.core.errors import ConfigError
from dadu.learning.recipe.lesson import Lesson, Tell, TrainedNetwork
from dadu.learning.recipe.order import Budget
from dadu.learning.recipe.settings import KeptRunSettings
from dadu.learning.recipe.stopping import Stop, Stopped

CHECKPOINT, PROGRESS, CONFIGURATION = "checkpoint.pt", "progress.jsonl", "config.yaml"
_LOST = 0.1
"""share of the time spent that a kill may lose"""
_PATIENCE = 10.0
"""times what the writing of a checkpoint takes: as long it is trained at least between two"""
_STEPS_APART = 1_000_003
"""seeds of chance from one seed's run to the next one's: more than a run has steps"""
_SHOWN = ("norm", "rate")


class TrainingRun:
    """A training run in a folder."""

    def __init__(self, folder: Path, settings: KeptRunSettings, lesson: Lesson, examples: str, device: str = "cpu"
                 ) -> None:
        """Goes on with the folder's checkpoint where there is one. `examples`: what they are called, in reports.
        Errors: ConfigError where it is of another network, or damaged."""
        self.folder, self.settings, self.lesson, self.device = folder, settings, lesson, device
        self.network = lesson.network.to(device, memory_format=torch.channels_last)
        self._fixed = {name for name, p in self.network.named_parameters(remove_duplicate=False)
                       if not p.requires_grad}
        self.average = {name: value.clone() for name, value in self._learned().items()} if lesson.average else {}
        self.optimizer = torch.optim.AdamW(_groups(self.network, lesson.steps.weight_decay), lesson.steps.rate)
        self.step, self.seconds, self.seen, self._kept, self._cost = 0, 0.0, 0, 0.0, 0.0
        self._saved = time.monotonic()
        self._examples = examples
        folder.mkdir(parents=True, exist_ok=True)
        save(settings, folder / CONFIGURATION)
        if (folder / CHECKPOINT).exists():
            self._load(folder / CHECKPOINT)

    def train(self, budget: Budget, tell: Tell) -> None:
        """Until the budget is spent; `tell` is given a line of progress now and then. Checkpoints come after the first
        step, then whenever a tenth of what was done would be lost, at the latest as the settings say.

        Errors: Stopped, by SIGINT or SIGTERM, once the step in progress has ended and is kept.
        """
        if budget.spent(self.seconds, self.step) >= 1:
            return
        recent: list[dict[str, float]] = []
        with Stop().heeded() as stop:
            for number, batch in self.lesson.batches.following(self.step):
                recent.append(self._next(number, batch, self._set_rate(budget)))
                share = budget.spent(self.seconds, self.step)
                told = stop.number  # a signal from here on is for the next step: what is told as kept is kept
                ends = share >= 1 or told > 0
                if self.step % self.settings.report == 0 or ends:
                    self._report(recent, share, tell)
                    recent.clear()
                if ends or self._due():
                    self.save()
                if share >= 1:
                    return
                if told:
                    raise Stopped(told, self.step)

    def result(self) -> TrainedNetwork:
        """What came of it so far."""
        network, learned = self.network, sum(p.numel() for p in self.network.parameters() if p.requires_grad)
        if self.average:
            network = copy.deepcopy(self.network).cpu()
            network.load_state_dict({name: value.cpu() for name, value in self.average.items()})
        return TrainedNetwork(network.eval(), self.step, self.seen, round(self.seconds / 3600, 3), learned)

    def save(self) -> None:
        """Writes the checkpoint, whole or not at all."""
        began = time.monotonic()
        partial = self.folder / f"{CHECKPOINT}.partial"
        with partial.open("wb") as file:
            torch.save({"network": self._learned(), "average": self.average, "step": self.step,
                        "optimizer": self.optimizer.state_dict(), "seconds": self.seconds, "seen": self.seen,
                        "beside": dict(self.lesson.beside)}, file)
            os.fsync(file.fileno())  # a name that outlives a power cut, of a file that does not, would be worse
        os.replace(partial, self.folder / CHECKPOINT)
        self._kept, self._saved = self.seconds, time.monotonic()
        self._cost = self._saved - began

    def _learned(self) -> dict[str, Tensor]:
        """What a checkpoint holds of the network: all but what stays as it was."""
        return {name: value for name, value in self.network.state_dict().items() if name not in self._fixed}

    def _due(self) -> bool:
        """True where a kill would lose too much."""
        return (self.seconds - self._kept > max(_LOST * self.seconds, _PATIENCE * self._cost)
                or time.monotonic() - self._saved > 60 * self.settings.checkpoint_minutes)

    def _next(self, number: int, batch: object, rate: float) -> dict[str, float]:
        """Takes the step of a batch; the parts of its loss, and what else is reported. What chance decides in it
        depends on its number alone, so that a run that was killed goes on as it would have."""
        start = time.monotonic()
        torch.manual_seed(self.settings.seed * _STEPS_APART + number)
        tensors = {name: torch.as_tensor(value).to(self.device) for name, value in vars(batch).items()}
        told = {**self._one_step(tensors), "rate": rate}
        self.step, self.seen = number + 1, self.seen + len(next(iter(tensors.values())))
        self.seconds += time.monotonic() - start
        return told

    def _load(self, path: Path) -> None:
        kept = _read(path, self.device)
        try:
            found = self.network.load_state_dict(kept["network"], strict=False)
            strange = [*found.unexpected_keys, *(name for name in found.missing_keys if name not in self._fixed)]
            if strange:
                raise KeyError(strange[0])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.average, self.step = kept["average"], kept["step"]
            self.seconds, self.seen, self._kept = kept["seconds"], kept["seen"], kept["seconds"]
        except (RuntimeError, KeyError, ValueError, TypeError) as error:
            raise unusable(path, error) from None

    def _one_step(self, batch: dict[str, Tensor]) -> dict[str, float]:
        self.network.train()
        self.optimizer.zero_grad(set_to_none=True)
        found: dict[str, float] = {}
        for part in _parts(batch, self.lesson.at_once):
            with torch.autocast(torch.device(self.device).type, torch.bfloat16, self.settings.precision == "bfloat16"):
                losses, measures = self.lesson.losses(part)
            loss = torch.stack(list(losses.values())).sum()
            loss.backward()
            for name, value in {"loss": loss, **losses, **measures}.items():
                found[name] = found.get(name, 0.0) + float(value.detach())
        learned = [p for p in self.network.parameters() if p.requires_grad]
        found["norm"] = float(nn.utils.clip_grad_norm_(learned, self.lesson.steps.clip))
        self.optimizer.step()
        if self.average:
            self._take_average()
        return found

    def _take_average(self) -> None:
        decay = min(self.lesson.average, (1 + self.step) / (10 + self.step))
        for name, value in self._learned().items():
            if value.is_floating_point():
                self.average[name].lerp_(value, 1 - decay)
            else:
                self.average[name].copy_(value)

    def _set_rate(self, budget: Budget) -> float:
        """Rises at first, then falls as a cosine."""
        steps, floor = self.lesson.steps, self.lesson.floor
        share = budget.spent(self.seconds, self.step)
        rate = steps.rate * min(1.0, (self.step + 1) / max(steps.warm_up, 1)) * (
            floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * share)))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        return rate

    def _report(self, recent: Sequence[Mapping[str, float]], share: float, tell: Tell) -> None:
        means = {name: sum(parts[name] for parts in recent) / len(recent) for name in recent[0]} | {
            "rate": recent[-1]["rate"]}
        with (self.folder / PROGRESS).open("a") as file:
            line = {"step": self.step, "seconds": round(self.seconds, 1), self._examples: self.seen}
            file.write(json.dumps({**line, **{name: float(f"{value:.4g}") for name, value in means.items()}}) + "\n")
        parts = ", ".join(f"{name} {value:.3f}" for name, value in means.items() if name not in ("loss", *_SHOWN))
        tell(f"{100 * share:5.1f} %  step {self.step}, {self.seen / max(self.seconds, 1e-9):.1f} {self._examples}/s, "
             f"loss {means['loss']:.3f} ({parts})")


def kept_beside(folder: Path) -> dict[str, Any] | None:
    """What the checkpoint of that folder holds beside the network, if there is one. Errors: ConfigError where it is
    damaged."""
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    try:
        return dict(_read(path, "cpu")["beside"])
    except (KeyError, TypeError, ValueError) as error:
        raise unusable(path, error) from None


def unusable(path: Path, error: Exception) -> ConfigError:
    """Why a checkpoint cannot be used."""
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return ConfigError(f"{path} is no checkpoint of this network: {reason}; choose another folder")


def _read(path: Path, device: str) -> dict[str, Any]:
    """Errors: ConfigError."""
    try:
        kept: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    except (RuntimeError, pickle.UnpicklingError, ValueError, EOFError) as error:
        raise unusable(path, error) from None
    return kept


def _parts(batch: dict[str, Tensor], at_once: int) -> Iterator[dict[str, Tensor]]:
    """The batch, so many examples of it at a time."""
    if not at_once:
        yield batch
        return
    for start in range(0, len(next(iter(batch.values()))), at_once):
        yield {name: value[start:start + at_once] for name, value in batch.items()}


def _groups(network: nn.Module, decay: float) -> list[dict[str, object]]:
    """Weights decay; what is one number a channel does not."""
    learned = [p for p in network.parameters() if p.requires_grad]
    return [{"params": [p for p in learned if p.ndim > 1], "weight_decay": decay},
            {"params": [p for p in learned if p.ndim <= 1], "weight_decay": 0.0}]
