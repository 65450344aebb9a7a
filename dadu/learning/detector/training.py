"""The training run: reads batches, lowers the loss, keeps checkpoints, goes on where it was after a kill."""

from __future__ import annotations

import json
import math
import os
import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from dadu.core.config import save
from dadu.core.errors import ConfigError
from dadu.learning.detector.batches import Batch, Batches
from dadu.learning.detector.losses import losses, total
from dadu.learning.detector.network import DetectorNetwork
from dadu.learning.detector.settings import TrainSettings
from dadu.learning.detector.words import Taught
from dadu.perception.learned.space import PhraseSpace

CHECKPOINT, PROGRESS, CONFIGURATION = "checkpoint.pt", "progress.jsonl", "config.yaml"
_CLIP = 5.0
"""greatest norm of a gradient"""


@dataclass(frozen=True)
class Budget:
    """When training ends; the learning rate falls to nothing by then. One of the two is 0."""

    hours: float = 0.0
    steps: int = 0

    def spent(self, seconds: float, step: int) -> float:
        """Share, 0 to 1."""
        share = max(seconds / 3600 / self.hours if self.hours else 0.0, step / self.steps if self.steps else 0.0)
        return min(share, 1.0)


class TrainingRun:
    """A training run in a folder."""

    def __init__(self, folder: Path, settings: TrainSettings, taught: Taught, device: str = "cpu") -> None:
        """Goes on with the folder's checkpoint where there is one; `taught` must then be what that was taught, see
        `kept_words`. Errors: ConfigError where it is of another network, or damaged."""
        torch.manual_seed(settings.seed)
        self.folder, self.settings, self.taught, self.device = folder, settings, taught, device
        self.network = DetectorNetwork(settings.network).to(device, memory_format=torch.channels_last)
        self.average = {name: value.clone() for name, value in self.network.state_dict().items()}
        self.optimizer = torch.optim.AdamW(_groups(self.network, settings.weight_decay), settings.rate)
        self.step, self.seconds, self.pictures = 0, 0.0, 0
        folder.mkdir(parents=True, exist_ok=True)
        save(settings, folder / CONFIGURATION)
        if (folder / CHECKPOINT).exists():
            self._load(folder / CHECKPOINT)

    def train(self, batches: Batches, budget: Budget, tell: Callable[[str], None]) -> None:
        """Until the budget is spent; `tell` is given a line of progress now and then."""
        phrases = torch.from_numpy(self.taught.phrases).to(self.device)
        recent: list[dict[str, float]] = []
        saved = time.monotonic()
        if budget.spent(self.seconds, self.step) >= 1:
            return
        for number, batch in batches.following(self.step):
            start = time.monotonic()
            rate = self._set_rate(budget)
            parts = self._one_step(batch, phrases)
            recent.append({name: float(value.detach()) for name, value in parts.items()})
            self.step, self.pictures = number + 1, self.pictures + len(batch.pictures)
            self.seconds += time.monotonic() - start
            share = budget.spent(self.seconds, self.step)
            if self.step % self.settings.report == 0 or share >= 1:
                self._report(recent, rate, share, tell)
                recent.clear()
            if time.monotonic() - saved > 60 * self.settings.checkpoint_minutes or share >= 1:
                self.save()
                saved = time.monotonic()
            if share >= 1:
                return

    def averaged(self) -> DetectorNetwork:
        """The network with the average of the weights, for use."""
        network = DetectorNetwork(self.settings.network)
        network.load_state_dict({name: value.cpu() for name, value in self.average.items()})
        return network.eval()

    def save(self) -> None:
        """Writes the checkpoint, whole or not at all."""
        partial = self.folder / f"{CHECKPOINT}.partial"
        space = self.taught.space
        torch.save({
            "network": self.network.state_dict(), "average": self.average, "optimizer": self.optimizer.state_dict(),
            "step": self.step, "seconds": self.seconds, "pictures": self.pictures,
            "categories": list(self.taught.categories), "mean": torch.from_numpy(space.mean),
            "projection": torch.from_numpy(space.projection), "phrases": torch.from_numpy(self.taught.phrases),
        }, partial)
        os.replace(partial, self.folder / CHECKPOINT)

    def _load(self, path: Path) -> None:
        try:
            kept = _read(path, self.device)
            self.network.load_state_dict(kept["network"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.average, self.step = kept["average"], kept["step"]
            self.seconds, self.pictures = kept["seconds"], kept["pictures"]
        except (RuntimeError, KeyError, ValueError, TypeError) as error:
            raise _unusable(path, error) from None

    def _one_step(self, batch: Batch, phrases: Tensor) -> dict[str, Tensor]:
        self.network.train()
        parts = losses(self.network, self._tensors(batch), phrases, self.settings.loss)
        self.optimizer.zero_grad(set_to_none=True)
        total(parts).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), _CLIP)
        self.optimizer.step()
        decay = min(self.settings.average, (1 + self.step) / (10 + self.step))
        for name, value in self.network.state_dict().items():
            if value.is_floating_point():
                self.average[name].lerp_(value, 1 - decay)
            else:
                self.average[name].copy_(value)
        return parts

    def _tensors(self, batch: Batch) -> dict[str, Tensor]:
        tensors = {name: torch.from_numpy(value).to(self.device) for name, value in vars(batch).items()}
        tensors["pictures"] = tensors["pictures"].permute(0, 3, 1, 2)  # channels_last as it lies there
        return tensors

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
            line = {"step": self.step, "seconds": round(self.seconds, 1), "pictures": self.pictures, "rate": rate}
            file.write(json.dumps({**line, **means}) + "\n")
        parts = ", ".join(f"{name} {value:.3f}" for name, value in means.items())
        tell(f"{100 * share:5.1f} %  step {self.step}, {self.pictures / max(self.seconds, 1e-9):.1f} pictures/s, "
             f"loss {loss:.3f} ({parts})")


def kept_words(folder: Path) -> Taught | None:
    """What the run of that folder was taught, if there is one: also when the catalogue has changed since.

    Errors: ConfigError where its checkpoint is damaged.
    """
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    kept = _read(path, "cpu")
    try:
        space = PhraseSpace(kept["mean"].numpy(), kept["projection"].numpy())
        return Taught(tuple(kept["categories"]), kept["phrases"].numpy(), space)
    except (KeyError, AttributeError, TypeError) as error:
        raise _unusable(path, error) from None


def _read(path: Path, device: str) -> dict[str, Any]:
    """Errors: ConfigError."""
    try:
        kept: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    except (RuntimeError, pickle.UnpicklingError, ValueError, EOFError) as error:
        raise _unusable(path, error) from None
    return kept


def _unusable(path: Path, error: Exception) -> ConfigError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return ConfigError(f"{path} is no checkpoint of this network: {reason}; choose another folder")


def _groups(network: torch.nn.Module, decay: float) -> list[dict[str, object]]:
    """Weights decay; what is one number a channel does not."""
    matrices = [p for p in network.parameters() if p.ndim > 1]
    return [{"params": matrices, "weight_decay": decay},
            {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0}]
