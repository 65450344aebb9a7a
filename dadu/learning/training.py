"""The training run of any network: reads batches, lowers the loss, keeps checkpoints, goes on where it was after a
kill."""

from __future__ import annotations

import copy
import json
import math
import os
import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from dadu.core.config import save
from dadu.core.errors import ConfigError
from dadu.learning.budget import Budget
from dadu.learning.settings import RunSettings
from dadu.learning.stopping import Stop, Stopped

CHECKPOINT, PROGRESS, CONFIGURATION = "checkpoint.pt", "progress.jsonl", "config.yaml"
_LOST = 0.1
"""share of the time spent that a kill may lose"""
_STEPS_APART = 1_000_003
"""seeds of chance from one seed's run to the next one's: more than a run has steps"""
Losses = Callable[[dict[str, Tensor]], dict[str, Tensor]]
"""Of a batch, by the names of its fields: the parts of the loss, weighted, whose sum is minimised; and ``right``,
which is no part: the share of answers that are right"""


class BatchSource(Protocol):
    """Batches by number. A batch is a dataclass of arrays; the length of its first one is how many examples it has."""

    def following(self, number: int) -> Iterator[tuple[int, object]]:
        """Those from `number` on, each with its number."""


class TrainingRun:
    """A training run in a folder."""

    def __init__(self, folder: Path, settings: RunSettings, network: nn.Module, losses: Losses, examples: str,
                 beside: Mapping[str, Any] | None = None, device: str = "cpu") -> None:
        """Goes on with the folder's checkpoint where there is one. `examples`: what they are called, in reports;
        `beside`: what checkpoints hold, too, see `kept_beside`. Errors: ConfigError where it is of another network, or
        damaged."""
        self.folder, self.settings, self.device = folder, settings, device
        self.network, self.losses = network.to(device, memory_format=torch.channels_last), losses
        self.average = {name: value.clone() for name, value in self.network.state_dict().items()}
        self.optimizer = torch.optim.AdamW(_groups(self.network, settings.weight_decay), settings.rate)
        self.step, self.seconds, self.seen, self._kept = 0, 0.0, 0, 0.0
        self._saved = time.monotonic()
        self._examples, self._beside = examples, dict(beside or {})
        folder.mkdir(parents=True, exist_ok=True)
        save(settings, folder / CONFIGURATION)
        if (folder / CHECKPOINT).exists():
            self._load(folder / CHECKPOINT)

    @property
    def parameters(self) -> int:
        """How many numbers are learned."""
        return sum(p.numel() for p in self.network.parameters())

    @property
    def hours(self) -> float:
        """Spent on steps."""
        return round(self.seconds / 3600, 2)

    def train(self, batches: BatchSource, budget: Budget, tell: Callable[[str], None]) -> None:
        """Until the budget is spent; `tell` is given a line of progress now and then. Checkpoints come after the first
        step, then whenever a tenth of what was done would be lost, at the latest as the settings say.

        Errors: Stopped, by SIGINT or SIGTERM, once the step in progress has ended and is kept.
        """
        if budget.spent(self.seconds, self.step) >= 1:
            return
        recent: list[dict[str, float]] = []
        with Stop().heeded() as stop:
            for number, batch in batches.following(self.step):
                rate = self._set_rate(budget)
                recent.append(self._next(number, batch))
                share = budget.spent(self.seconds, self.step)
                ends = share >= 1 or stop.number > 0
                if self.step % self.settings.report == 0 or ends:
                    self._report(recent, rate, share, tell)
                    recent.clear()
                if ends or self._due():
                    self.save()
                if share >= 1:
                    return
                if stop.number:
                    raise Stopped(stop.number, self.step)

    def averaged(self) -> nn.Module:
        """The network with the average of the weights, for use."""
        network = copy.deepcopy(self.network).cpu()
        network.load_state_dict({name: value.cpu() for name, value in self.average.items()})
        return network.eval()

    def save(self) -> None:
        """Writes the checkpoint, whole or not at all."""
        partial = self.folder / f"{CHECKPOINT}.partial"
        with partial.open("wb") as file:
            torch.save({"network": self.network.state_dict(), "average": self.average, "step": self.step,
                        "optimizer": self.optimizer.state_dict(), "seconds": self.seconds, "seen": self.seen,
                        "beside": self._beside}, file)
            os.fsync(file.fileno())  # a name that outlives a power cut, of a file that does not, would be worse
        os.replace(partial, self.folder / CHECKPOINT)
        self._kept, self._saved = self.seconds, time.monotonic()

    def _due(self) -> bool:
        """True if a kill would lose too much."""
        return (self.seconds - self._kept > _LOST * self.seconds
                or time.monotonic() - self._saved > 60 * self.settings.checkpoint_minutes)

    def _next(self, number: int, batch: object) -> dict[str, float]:
        """Takes the step of a batch; the parts of its loss. What chance decides in it depends on its number alone, so
        that a run that was killed goes on as it would have."""
        start = time.monotonic()
        torch.manual_seed(self.settings.seed * _STEPS_APART + number)
        tensors = {name: torch.as_tensor(value).to(self.device) for name, value in vars(batch).items()}
        parts = {name: float(value.detach()) for name, value in self._one_step(tensors).items()}
        self.step, self.seen = number + 1, self.seen + len(next(iter(tensors.values())))
        self.seconds += time.monotonic() - start
        return parts

    def _load(self, path: Path) -> None:
        kept = _read(path, self.device)
        try:
            self.network.load_state_dict(kept["network"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.average, self.step = kept["average"], kept["step"]
            self.seconds, self.seen, self._kept = kept["seconds"], kept["seen"], kept["seconds"]
        except (RuntimeError, KeyError, ValueError, TypeError) as error:
            raise unusable(path, error) from None

    def _one_step(self, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        self.network.train()
        with torch.autocast(torch.device(self.device).type, torch.bfloat16, self.settings.precision == "bfloat16"):
            parts = self.losses(batch)
        self.optimizer.zero_grad(set_to_none=True)
        torch.stack([value for name, value in parts.items() if name != "right"]).sum().backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        self.optimizer.step()
        decay = min(self.settings.average, (1 + self.step) / (10 + self.step))
        for name, value in self.network.state_dict().items():
            if value.is_floating_point():
                self.average[name].lerp_(value, 1 - decay)
            else:
                self.average[name].copy_(value)
        return parts

    def _set_rate(self, budget: Budget) -> float:
        """Rises at first, then falls as a cosine."""
        share = budget.spent(self.seconds, self.step)
        rate = self.settings.rate * min(1.0, (self.step + 1) / self.settings.warm_up) * (
            0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * share)))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        return rate

    def _report(self, recent: Sequence[Mapping[str, float]], rate: float, share: float, tell: Callable[[str], None]
                ) -> None:
        means = {name: round(sum(parts[name] for parts in recent) / len(recent), 4) for name in recent[0]}
        loss = sum(value for name, value in means.items() if name != "right")
        with (self.folder / PROGRESS).open("a") as file:
            line = {"step": self.step, "seconds": round(self.seconds, 1), self._examples: self.seen, "rate": rate}
            file.write(json.dumps({**line, **means}) + "\n")
        parts = ", ".join(f"{name} {value:.3f}" for name, value in means.items())
        tell(f"{100 * share:5.1f} %  step {self.step}, {self.seen / max(self.seconds, 1e-9):.1f} {self._examples}/s, "
             f"loss {loss:.3f} ({parts})")


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


def _groups(network: torch.nn.Module, decay: float) -> list[dict[str, object]]:
    """Weights decay; what is one number a channel does not."""
    matrices = [p for p in network.parameters() if p.ndim > 1]
    return [{"params": matrices, "weight_decay": decay},
            {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0}]
