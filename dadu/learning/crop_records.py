"""Crops of many homes, kept on disk home by home, by one number each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dadu.perception.learned.crops import Crop


class CropRecords:
    """Records, numbered through, of arrays that may be mapped from files."""

    def __init__(self, homes: Sequence[np.ndarray]) -> None:
        """`homes`: structured, (N,) each, with the fields of a `Crop` and what should be said of it."""
        self._homes = homes
        self._starts = np.concatenate([[0], np.cumsum([len(home) for home in homes])])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def __getitem__(self, number: int) -> np.ndarray:
        """One record, ()."""
        home = int(np.searchsorted(self._starts, number, "right")) - 1
        record: np.ndarray = self._homes[home][number - self._starts[home]]
        return record


def crop_of(record: np.ndarray) -> Crop:
    """Of one record."""
    return Crop(*(np.array(record[name]) for name in ("rgb", "mask", "relief", "sizes")))
