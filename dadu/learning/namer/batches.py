"""Crops, varied, with what should be said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dadu.core.errors import ConfigError
from dadu.learning.namer.augment import varied
from dadu.learning.namer.settings import NamerSettings
from dadu.learning.recipe.batches import NumberedBatches
from dadu.learning.recipe.crops import CropRecords, crop_of
from dadu.perception.learned.crops import network_input


@dataclass(frozen=True)
class CropBatch:
    """Crops with what should be said of them."""

    pictures: np.ndarray
    """float32 (B, 6, S, S), see `network_input`"""
    sizes: np.ndarray
    """float32 (B, 4)"""
    names: np.ndarray
    """int64 (B,)"""


class CropBatches(NumberedBatches[CropBatch]):
    """Random crops; a category is shown in proportion to the square root of how often there is one."""

    def __init__(self, homes: Sequence[np.ndarray], settings: NamerSettings, processes: int = 0) -> None:
        """`homes`: `RECORD` (N,) each. Errors: ConfigError without any crop."""
        self._records, self._settings, self.processes = CropRecords(homes), settings, processes
        if not self._records:
            raise ConfigError("nothing with a name is large enough in these pictures; make more: dadu data pictures")
        names = np.concatenate([home["name"] for home in homes])
        weight = 1 / np.sqrt(np.bincount(names)[names])
        self._sum = np.cumsum(weight / weight.sum())

    def __len__(self) -> int:
        """Crops there are."""
        return len(self._records)

    def make(self, number: int) -> CropBatch:
        """Batch `number`."""
        rng = np.random.default_rng([self._settings.seed, number])
        chosen = np.minimum(np.searchsorted(self._sum, rng.random(self._settings.batch)), len(self) - 1)
        crops, names = [], []
        for i in chosen:
            record = self._records[int(i)]
            crops.append(varied(crop_of(record), self._settings.augmentation, rng))
            names.append(int(record["name"]))
        return CropBatch(*network_input(crops), np.array(names))
