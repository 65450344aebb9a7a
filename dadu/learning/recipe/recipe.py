"""The one recipe of training: a network brings its data set, model and loss, the rest is everybody's.

Data to batches by number, steps within a budget, checkpoints from which a killed run goes on as it would have, a file
or folder that the robot uses, figures on homes that were kept out, a card beside the weights.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from dadu.core.errors import ConfigError
from dadu.learning.recipe.lesson import Lesson, Tell
from dadu.learning.recipe.order import EvaluationOrder, TrainOrder, ready
from dadu.learning.recipe.settings import KeptRunSettings

S = TypeVar("S", bound=KeptRunSettings)


@dataclass(frozen=True)
class Recipe(ABC, Generic[S]):
    """Of one network; its fields are the options of ``dadu train NAME`` that other networks do not have."""

    kind: ClassVar[type[KeptRunSettings]]
    """of settings"""
    out: ClassVar[Path]
    """folder of a run, unless another one is named"""
    work: ClassVar[str] = ""
    """folder in it, of checkpoints and progress"""
    examples: ClassVar[str]
    """what they are called"""
    needed: ClassVar[Sequence[str]] = ("torch", "onnx")
    """modules"""
    made_by: ClassVar[str] = "dadu data pictures"
    """what makes its data"""

    def settings(self, evaluated: Path | None = None) -> S:
        """Where no file names others; to train, or of weights that are `evaluated`. Errors: ConfigError where there are
        none for these options."""
        return self.kind()  # type: ignore[return-value]  # a class variable has no type parameters

    def train(self, order: TrainOrder[S], tell: Tell) -> Path:
        """Trains, or goes on training, and writes what is used; returns its place.

        Errors: ConfigError for data and checkpoints that do not fit; MissingExtra; Stopped, see `TrainingRun.train`.
        """
        if not order.data:
            raise ConfigError(f"give a folder made by `{self.made_by}`")
        budget = order.budget()
        ready(order.settings, order.threads, self.needed)
        from dadu.learning.recipe.loop import TrainingRun

        lesson = self.lesson(order, tell)
        run = TrainingRun(order.out / self.work, order.settings, lesson, self.examples, order.device)
        tell(f"{lesson.summary}; begins at step {run.step}")
        run.train(budget, tell)
        return lesson.write(run.result())

    @abstractmethod
    def lesson(self, order: TrainOrder[S], tell: Tell) -> Lesson:
        """Data set, model and loss. Errors: ConfigError."""

    @abstractmethod
    def evaluate(self, order: EvaluationOrder[S], tell: Tell) -> Mapping[str, Any]:
        """Figures, as JSON may hold them, on what was kept out of training; a card where there is one. Errors:
        ConfigError for unusable weights, or where there is nothing to measure on."""


def option(default: Any, help: str, metavar: str = "") -> Any:
    """A field of a recipe."""
    return field(default=default, metadata={"help": help, "metavar": metavar})
