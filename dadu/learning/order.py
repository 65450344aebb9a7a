"""What is asked of a training run, whichever network it trains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Generic, TypeVar

from dadu.core.errors import MissingExtra
from dadu.learning.settings import KeptRunSettings

S = TypeVar("S", bound=KeptRunSettings)


@dataclass(frozen=True)
class TrainOrder(Generic[S]):
    """What to train, on what, for how long: hours or steps, the other 0."""

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


def ready(order: TrainOrder[S], needed: Sequence[str] = ("torch", "onnx"), extra: str = "train") -> None:
    """Seed and threads of PyTorch. Errors: MissingExtra where one of `needed`, which `extra` brings, is not there."""
    need(needed, extra)
    import torch

    if order.threads:
        torch.set_num_threads(order.threads)
    torch.manual_seed(order.settings.seed)
    torch.backends.cudnn.benchmark = True  # batches of one network have one size


def need(modules: Sequence[str], extra: str = "train") -> None:
    """Errors: MissingExtra where one of these is not there."""
    lacking = [name for name in modules if find_spec(name) is None]
    if lacking:
        raise MissingExtra(f"dadu train needs {', '.join(lacking)}: pip install -e '.[{extra}]'")
