"""What a network brings to a training run: batches of its data, the model, its loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from dadu.learning.recipe.settings import StepSettings

if TYPE_CHECKING:
    from torch import Tensor, nn

Tell = Callable[[str], None]
"""takes a line for people"""
Losses = Callable[["dict[str, Tensor]"], "tuple[dict[str, Tensor], dict[str, Tensor]]"]
"""Of a batch, by the names of its fields: the parts of the loss, weighted, whose sum is minimised; and what else is to
be reported, such as the share of answers that are right"""


class BatchSource(Protocol):
    """Batches by number: batch i is the same whenever it is made. A batch is a dataclass of arrays; the length of its
    first one is how many examples it has."""

    def following(self, number: int) -> Iterator[tuple[int, object]]:
        """Those from `number` on, each with its number."""


@dataclass(frozen=True)
class TrainedNetwork:
    """What came of a run."""

    network: nn.Module
    """as it is used: with the average of the weights, where one was kept"""
    steps: int
    seen: int
    """examples, with repetitions"""
    hours: float
    """spent on steps"""
    parameters: int
    """that were learned"""


@dataclass(frozen=True)
class Lesson:
    """What a run learns, and how."""

    network: nn.Module
    losses: Losses
    batches: BatchSource
    steps: StepSettings
    write: Callable[[TrainedNetwork], Path]
    """what is used of it in the end; returns its place"""
    summary: str
    """of what there is to learn from"""
    average: float = 0.0
    """decay of the average of weights that is used in the end; 0: the last weights are"""
    at_once: int = 0
    """examples of a batch that are in memory together; 0: all"""
    floor: float = 0.01
    """of the greatest learning rate, at the end"""
    beside: Mapping[str, Any] = field(default_factory=dict)
    """what checkpoints hold, too"""
