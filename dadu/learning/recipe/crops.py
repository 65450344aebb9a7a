"""Crops of things, cut out of homes' pictures once and kept on disk, home by home: training reads each many times."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.lesson import Tell
from dadu.perception.learned.crops import SIDE, Crop

_CROP = [("rgb", np.uint8, (SIDE, SIDE, 3)), ("mask", np.uint8, (SIDE, SIDE)), ("relief", np.int8, (SIDE, SIDE)),
         ("sizes", np.float32, 3)]
Homes = Sequence[tuple[HomePictures, np.ndarray]]
"""each with the intrinsics (3, 3) [px] of its pictures"""


def record_type(*said: tuple[str, DTypeLike] | tuple[str, DTypeLike, int]) -> np.dtype[Any]:
    """Of a `Crop` with what should be `said` of it."""
    return np.dtype([*_CROP, *said])


def crop_of(record: np.ndarray) -> Crop:
    """Of one record."""
    return Crop(*(np.array(record[name]) for name, *_ in _CROP))


class CropRecords:
    """Records of many homes, numbered through."""

    def __init__(self, homes: Sequence[np.ndarray]) -> None:
        """`homes`: structured, (N,) each, that may be mapped from files; see `record_type`."""
        self._homes = homes
        self._starts = np.concatenate([[0], np.cumsum([len(home) for home in homes])])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def __getitem__(self, number: int) -> np.ndarray:
        """One record, ()."""
        home = int(np.searchsorted(self._starts, number, "right")) - 1
        record: np.ndarray = self._homes[home][number - self._starts[home]]
        return record


def kept_crops(folder: Path, homes: Homes, cut: Callable[[HomePictures, np.ndarray], np.ndarray], what: object,
               tell: Tell) -> list[np.ndarray]:
    """Of each home its crops (N,), unitless, mapped into memory; those that `folder` lacks are `cut` first. `what`
    tells, as JSON may hold it, one sort of crops from another."""
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for number, (home, K) in enumerate(homes):
        told = json.dumps([str(home.path.resolve()), what, SIDE])
        path = folder / f"{home.sheet.home}-{hashlib.sha256(told.encode()).hexdigest()[:12]}.npy"
        if not path.exists():
            partial = path.with_suffix(".partial")
            with partial.open("wb") as file:
                np.save(file, cut(home, K))
            os.replace(partial, path)
            if number % 20 == 0:
                tell(f"cutting out things: home {number + 1} of {len(homes)}")
        out.append(np.load(path, mmap_mode="r", allow_pickle=False))
    return out
