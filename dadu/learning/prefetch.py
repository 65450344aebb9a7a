"""Makes the next batches while one is in use: in a thread, or, for a device that would wait for that, in processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from types import SimpleNamespace
from typing import TypeVar, cast

T = TypeVar("T")
_EACH_AHEAD = 4
"""batches that each process makes before they are asked for"""


def prefetch(make: Callable[[int], T], number: int, processes: int = 0) -> Iterator[tuple[int, T]]:
    """What `make` makes of `number`, of the next one, and so on, each with its number. By `processes` its fields are
    tensors in the place of arrays: those come through shared memory."""
    return _prefetch_in_processes(make, number, processes) if processes else _prefetch_in_thread(make, number)


def processes_for(device: str) -> int:
    """How many make batches unless somebody says: on a processor they would take the time of the training itself."""
    return 0 if device == "cpu" else max(len(os.sched_getaffinity(0)) - 1, 1)


def _prefetch_in_thread(make: Callable[[int], T], number: int) -> Iterator[tuple[int, T]]:
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(make, number)
        while True:
            made = coming.result()
            coming = pool.submit(make, number + 1)
            yield number, made
            number += 1


def _prefetch_in_processes(make: Callable[[int], T], number: int, processes: int) -> Iterator[tuple[int, T]]:
    import cv2
    from torch.utils.data import DataLoader

    cv2.setNumThreads(1)  # a forked process would wait for ever for the threads that its parent has
    batches = DataLoader(_Made(make), batch_size=None, sampler=count(number), num_workers=processes,
                         prefetch_factor=_EACH_AHEAD, worker_init_fn=_heed_the_parent_alone,
                         multiprocessing_context="fork")  # homes are mapped into memory, not copied
    yield from enumerate((cast(T, batch) for batch in batches), start=number)


class _Made:
    """What a `torch.utils.data.Dataset` is: by number."""

    def __init__(self, make: Callable[[int], object]) -> None:
        self._make = make

    def __getitem__(self, number: int) -> SimpleNamespace:
        import torch

        return SimpleNamespace(**{name: torch.from_numpy(value) for name, value in vars(self._make(number)).items()})


def _heed_the_parent_alone(process: int) -> None:
    """Ctrl-C is for the parent, which lets the step in progress end and then ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
