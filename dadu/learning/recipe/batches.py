"""Batches by number, made while one is in use: in a thread, or, for a device that would wait for that, in processes."""

from __future__ import annotations

import os
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from types import SimpleNamespace
from typing import Generic, TypeVar, cast

T = TypeVar("T")
_EACH_AHEAD = 4
"""batches that each process makes before they are asked for"""


class NumberedBatches(ABC, Generic[T]):
    """Batch i is the same whenever it is made, so a run that was killed goes on as it would have."""

    processes: int = 0
    """that make them; 0: a thread"""

    @abstractmethod
    def make(self, number: int) -> T:
        """Batch `number`: a dataclass of arrays."""

    def following(self, number: int) -> Iterator[tuple[int, T]]:
        """Batches from `number` on, each with its number. By processes its fields are tensors in the place of arrays:
        those come through shared memory."""
        return self._prefetch_in_processes(number) if self.processes else self._prefetch_in_thread(number)

    def _prefetch_in_thread(self, number: int) -> Iterator[tuple[int, T]]:
        with ThreadPoolExecutor(1) as pool:
            coming = pool.submit(self.make, number)
            while True:
                made = coming.result()
                coming = pool.submit(self.make, number + 1)
                yield number, made
                number += 1

    def _prefetch_in_processes(self, number: int) -> Iterator[tuple[int, T]]:
        import cv2
        from torch.utils.data import DataLoader

        cv2.setNumThreads(1)  # a forked process would wait for ever for the threads that its parent has
        batches = DataLoader(_Made(self), batch_size=None, sampler=count(number), num_workers=self.processes,
                             prefetch_factor=_EACH_AHEAD, worker_init_fn=_heed_the_parent_alone,
                             multiprocessing_context="fork")  # homes are mapped into memory, not copied
        yield from enumerate((cast(T, batch) for batch in batches), start=number)


def processes_for(device: str) -> int:
    """How many make batches unless somebody says: on a processor they would take the time of the training itself."""
    return 0 if device == "cpu" else max(len(os.sched_getaffinity(0)) - 1, 1)


class _Made:
    """What a `torch.utils.data.Dataset` is: by number."""

    def __init__(self, batches: NumberedBatches[T]) -> None:
        self._batches = batches

    def __getitem__(self, number: int) -> SimpleNamespace:
        import torch

        fields = vars(self._batches.make(number)).items()
        return SimpleNamespace(**{name: torch.from_numpy(value) for name, value in fields})


def _heed_the_parent_alone(process: int) -> None:
    """Ctrl-C is for the parent, which lets the step in progress end and then ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
