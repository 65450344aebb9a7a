"""Samples of a corpus's tasks, drawn by hashes alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import sha256

from dadu.imports.instructed.task import Task


def draw(tasks: Iterable[Task], count: int, seed: int, first: Collection[str] = ()) -> list[Task]:
    """One task each of so many groups, fewer where there are not so many; those with the ids `first` before others.

    Which come is decided by a hash of the seed and each task's names alone, so that a sample changes little when a few
    sentences more or less can be judged.
    """
    order = sorted(tasks, key=lambda task: (task.id not in first, rank(seed, task.group), rank(seed, task.id)))
    one = {task.group: task for task in reversed(order)}
    return [task for task in order if one[task.group] is task][:count]


def rank(seed: int, name: str) -> str:
    """A hash, in hexadecimal."""
    return sha256(f"{seed} {name}".encode()).hexdigest()
