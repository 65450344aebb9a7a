"""What is asked of a training run of the eyes, whichever network it trains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from dadu.core.errors import MissingExtra
from dadu.learning.settings import RunSettings

S = TypeVar("S", bound=RunSettings)


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


def ready(order: TrainOrder[S]) -> None:
    """Seed and threads of PyTorch. Errors: MissingExtra without it."""
    try:
        import onnx  # noqa: F401
        import torch
    except ModuleNotFoundError as error:
        raise MissingExtra(f"dadu train needs {error.name}: pip install -e '.[train]'") from None
    if order.threads:
        torch.set_num_threads(order.threads)
    torch.manual_seed(order.settings.seed)
