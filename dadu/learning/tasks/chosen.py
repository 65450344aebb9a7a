"""What of all homes' tasks is kept: what the grammar reads alike, no duplicates, types and rooms in balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from dadu.knowledge.embedding import LexicalEmbedder, remembering_embedder
from dadu.learning.tasks.settings import TaskSettings
from dadu.learning.tasks.signature import kinds_of
from dadu.learning.tasks.store import HomeTasks, TaskOrder, unpacked
from dadu.learning.tasks.verify import TYPES, VerifiedTask


@dataclass
class ChosenTasks:
    """Tasks by home, and why others are not among them."""

    tasks: list[tuple[TaskOrder, VerifiedTask]] = field(default_factory=list)
    disagreeing: list[tuple[TaskOrder, VerifiedTask]] = field(default_factory=list)
    """the expert did it, and the grammar reads something else"""
    rejected: Counter[str] = field(default_factory=Counter)
    """by reason, proposals of all homes and tasks that were not chosen"""
    homes: int = 0
    lacking: tuple[str, ...] = TYPES
    """types of which there could be more"""


def choose(made: Sequence[tuple[TaskOrder, HomeTasks]], count: int, settings: TaskSettings) -> ChosenTasks:
    """At most `count` tasks, home by home in turn, the same for the same homes."""
    chosen, known = ChosenTasks(homes=sum(bool(home.tasks) for _, home in made)), _Known(settings.alike)
    per_type = -(-count // len(TYPES))
    per_room = -(-per_type * settings.room_share // 1)
    types, rooms = Counter[str](), Counter[tuple[str, str]]()
    for _, home in made:
        chosen.rejected.update(home.rejected)
    for order, task, vector in _turns(made):
        if task.reading != "same":
            chosen.disagreeing.append((order, task))
            chosen.rejected[f"the grammar reads {'another goal' if task.reading == 'other' else 'no goal'}"] += 1
        elif types[task.type] == per_type or len(chosen.tasks) == count:
            chosen.rejected[f"balance: enough of type {task.type}"] += 1
        elif rooms[task.type, task.room] >= per_room:
            chosen.rejected[f"balance: enough in a {task.room.replace('_', ' ')}"] += 1
        elif why := known.duplicate(task, vector):
            chosen.rejected[f"duplicate: {why}"] += 1
        else:
            chosen.tasks.append((order, task))
            types[task.type] += 1
            rooms[task.type, task.room] += 1
    chosen.lacking = tuple(sort for sort in TYPES if types[sort] < per_type)
    return chosen


def _turns(made: Sequence[tuple[TaskOrder, HomeTasks]]) -> Iterator[tuple[TaskOrder, VerifiedTask, np.ndarray]]:
    """The first task of every home, then the second...: few tasks are of many homes, too."""
    rows = [unpacked(home.vectors, len(home.tasks)) for _, home in made]
    for number in range(max((len(home.tasks) for _, home in made), default=0)):
        for (order, home), vectors in zip(made, rows, strict=True):
            if number < len(home.tasks):
                yield order, home.tasks[number], vectors[number]


class _Known:
    """Instructions that were taken."""

    def __init__(self, alike: float) -> None:
        # Where only words can be compared, likeness of words says nothing of likeness of meaning.
        lexical = remembering_embedder().name == LexicalEmbedder.name
        self._alike = 2.0 if lexical else alike
        self._goals: set[str] = set()
        self._texts: set[str] = set()
        self._rows = np.zeros((0, 0), np.float32)
        self._count = 0

    def duplicate(self, task: VerifiedTask, vector: np.ndarray) -> str:
        """Of what a task is one; empty of none, and then it is taken."""
        kinds, text = kinds_of(task.signature), task.instruction.lower()
        if text in self._texts:
            return "the same words"
        if kinds in self._goals:
            return "the same goal, in this home or another"
        if self._count and float((self._rows[:self._count] @ vector).max()) >= self._alike:
            return "nearly the same meaning"
        self._goals.add(kinds)
        self._texts.add(text)
        if self._count == len(self._rows):
            grown = np.zeros((max(256, 2 * self._count), len(vector)), np.float32)
            grown[:self._count] = self._rows[:self._count].reshape(self._count, -1) if self._count else 0
            self._rows = grown
        self._rows[self._count] = vector
        self._count += 1
        return ""
