"""Makes the next batch while one is in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def one_ahead(make: Callable[[int], T], number: int) -> Iterator[tuple[int, T]]:
    """What `make` makes of `number`, of the next one, and so on, each with its number."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(make, number)
        while True:
            made = coming.result()
            coming = pool.submit(make, number + 1)
            yield number, made
            number += 1
