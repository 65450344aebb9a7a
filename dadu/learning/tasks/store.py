"""A folder of tasks: the contract between who makes them and who runs them.

::

    DIR/data.yaml                  `TaskSheet`: settings, what instructions are compared by
    DIR/made/HOME.json             `HomeTasks`: what came of one home, written last and whole
    DIR/homes/HOME.house.yaml      its house
    DIR/tasks-000.suite.yaml...    the tasks that are kept, in shards, for `dadu eval`
    DIR/disagreeing.jsonl          tasks that the expert did and the grammar reads otherwise, with what it reads
    DIR/statistics.json            `dadu.learning.tasks.written`: counts, and reasons of rejection
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import ValidationError, model_validator

from dadu.core.config import Settings, load
from dadu.core.errors import ConfigError
from dadu.house.files import save_house
from dadu.house.format import House
from dadu.knowledge.embedding import remembering_embedder
from dadu.learning.begun import begin, write_whole
from dadu.learning.pictures.splits import seeds
from dadu.learning.tasks.settings import TaskSettings
from dadu.learning.tasks.verify import TYPES, VerifiedTask

SHEET = "data.yaml"
_HOMES = 1000
"""homes apart, from one seed's first to the next one's"""


@dataclass(frozen=True)
class TaskOrder:
    """Which home, and what is made there."""

    home: int
    """seed of the generator"""
    types: tuple[str, ...] = TYPES
    """of tasks, which take turns"""

    @property
    def name(self) -> str:
        """Of its files; sorts by seed."""
        return f"{self.home:09d}"


class TaskSheet(Settings):
    """What holds for all of a folder."""

    format: Literal[1] = 1
    settings: TaskSettings
    compared_by: str
    """what told whether two instructions say the same"""


class HomeTasks(Settings):
    """What came of one home."""

    house: str = ""
    """empty: no home came of that seed"""
    tasks: tuple[VerifiedTask, ...]
    rejected: dict[str, int]
    """proposals by the reason why they are no tasks"""
    vectors: str = ""
    """of the instructions, as `packed` has them"""

    @model_validator(mode="after")
    def _fits(self) -> HomeTasks:
        unpacked(self.vectors, len(self.tasks))
        return self


def packed(texts: list[str]) -> str:
    """Sentence embeddings (N, D) in half precision, as text."""
    # One by one: in company the last bits of a vector depend on the others, and files on which worker made what before.
    vectors = [remembering_embedder().embed([text])[0] for text in texts]
    return b64encode(np.stack(vectors).astype("<f2").tobytes()).decode() if texts else ""


def unpacked(text: str, count: int) -> np.ndarray:
    """float32 (N, D) of `count` texts, rows of about unit length. Errors: ValueError."""
    flat = np.frombuffer(b64decode(text), "<f2").astype(np.float32)
    return flat.reshape(count, -1) if count else np.zeros((0, 1), np.float32)


class TaskFolder:
    """Homes by name."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, settings: TaskSettings) -> None:
        """New, or the same again. Errors: ConfigError where it was made with other settings."""
        for name in ("made", "homes"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        begin(self.path / SHEET, TaskSheet(settings=settings, compared_by=remembering_embedder().name))

    def sheet(self) -> TaskSheet:
        """Errors: ConfigError where this is no folder of tasks."""
        return load(TaskSheet, self.path / SHEET)

    def orders(self, count: int, types: tuple[str, ...] = TYPES) -> list[TaskOrder]:
        """The first `count` homes of this folder's seed, `types` of tasks in each that is not made."""
        settings = self.sheet().settings
        first = _HOMES * settings.seed
        return [TaskOrder(seed, types) for seed in seeds(settings.split, first + count)[first:]]

    def made(self, order: TaskOrder) -> HomeTasks | None:
        """None where the home is not done. Errors: ConfigError for a file that holds something else."""
        path = self._made(order)
        try:
            return HomeTasks.model_validate_json(path.read_bytes()) if path.exists() else None
        except ValidationError as error:
            raise ConfigError(f"{path}: not as it was written ({error.errors()[0]['msg']}); without it the home "
                              "is made again") from None

    def write(self, order: TaskOrder, house: House | None, made: HomeTasks) -> None:
        """One home, whole."""
        if house is not None:
            save_house(house, self.path / self.house_file(order))
        write_whole(self._made(order), made.model_dump_json(exclude_defaults=True))

    def house_file(self, order: TaskOrder) -> str:
        """From the folder."""
        return f"homes/{order.name}.house.yaml"

    def _made(self, order: TaskOrder) -> Path:
        return self.path / "made" / f"{order.name}.json"
