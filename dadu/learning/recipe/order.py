"""What is asked of a training run or of an evaluation, whichever network it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Generic, Literal, TypeVar

from dadu.core.errors import ConfigError, MissingExtra
from dadu.learning.recipe.settings import KeptRunSettings

S = TypeVar("S", bound=KeptRunSettings)
KeptOutSplit = Literal["validation", "test"]


@dataclass(frozen=True)
class Budget:
    """When training ends; the learning rate falls by then. One of the two is 0."""

    hours: float = 0.0
    steps: int = 0

    def spent(self, seconds: float, step: int) -> float:
        """Share, 0 to 1."""
        share = max(seconds / 3600 / self.hours if self.hours else 0.0, step / self.steps if self.steps else 0.0)
        return min(share, 1.0)


@dataclass(frozen=True)
class TrainOrder(Generic[S]):
    """What to train on, for how long: hours or steps, the other 0."""

    data: Sequence[Path]
    out: Path
    settings: S
    hours: float = 0.0
    steps: int = 0
    threads: int = 0
    """0: as many as there are cores"""
    device: str = "cpu"
    processes: int = 0
    """that make batches; 0: a thread"""

    def budget(self) -> Budget:
        """Errors: ConfigError where it is none."""
        if (self.hours > 0) == (self.steps > 0):
            raise ConfigError("give either --hours or --steps")
        return Budget(self.hours, self.steps)


@dataclass(frozen=True)
class EvaluationOrder(Generic[S]):
    """What to measure, on what."""

    weights: Path
    """a file, or a planner's folder"""
    data: Sequence[Path]
    out: Path
    """folder of the card"""
    settings: S
    split: KeptOutSplit = "test"
    limit: int | None = None
    """of the network's own measures; None: its own limit, 0: none"""
    threads: int = 0
    device: str = "cpu"


def ready(settings: KeptRunSettings, threads: int, needed: Sequence[str]) -> None:
    """Seed and threads of PyTorch. Errors: MissingExtra as of `need`."""
    need(needed)
    import torch

    if threads:
        torch.set_num_threads(threads)
    torch.manual_seed(settings.seed)
    torch.backends.cudnn.benchmark = True  # batches of one network have one size


def need(modules: Sequence[str]) -> None:
    """Errors: MissingExtra where one of these, which the extra ``train`` brings, is not there."""
    lacking = [name for name in modules if find_spec(name) is None]
    if lacking:
        raise MissingExtra(f"dadu train needs {', '.join(lacking)}: pip install -e '.[train]'")
