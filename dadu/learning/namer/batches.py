"""Crops, varied, with what should be said of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.robot import CameraFrame
from dadu.learning.detector.matching import MATCH, frame_of, overlaps, thinned
from dadu.learning.detector.targets import FURNITURE, OBJECT, UNNAMED, HomeTable
from dadu.learning.namer.augment import varied
from dadu.learning.namer.settings import CropSettings, NamerSettings
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.batches import NumberedBatches
from dadu.learning.recipe.crops import CropRecords, crop_of, record_type
from dadu.perception.learned.channels import FOCAL
from dadu.perception.learned.crops import View, crop, network_input
from dadu.perception.learned.cutter import Cutter, mask_shape
from dadu.perception.upright import quarter_turns

RECORD = record_type(("name", np.int16))
"""A `Crop`, and the index of its category among those taught."""


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


def crops_of(home: HomePictures, K: np.ndarray, categories: Mapping[str, int], settings: CropSettings,
             cutter: Cutter | None = None) -> np.ndarray:
    """`RECORD` (N,): everything of a category that is taught and large enough in view, from all pictures, by its true
    mask, and by the one that `cutter` gives it, too. `K`: (3, 3) [px]; `categories`: to their index."""
    table, finer = HomeTable.from_home(home, categories), (K[0, 0] / FOCAL) ** 2
    records = []
    for i in range(len(home.labels)):
        rng = np.random.default_rng([home.sheet.seed, i])
        instances = home.whole(i)
        count = np.bincount(instances.ravel(), minlength=len(table.kind)) / finer
        least = np.select([table.kind == OBJECT, table.kind == FURNITURE],
                          [settings.least_object, settings.least_furniture], np.iinfo(int).max)
        masks = thinned(instances, mask_shape(instances.shape, K[0, 0]))
        taken = (table.name != UNNAMED) & (count >= least) & (np.bincount(masks.ravel(), minlength=len(count)) > 0)
        taken &= (table.kind == OBJECT) | (rng.random(len(taken)) < settings.furniture)
        if not taken.any():
            continue
        frame = frame_of(home, i, K)
        masks = np.rot90(masks, quarter_turns(frame.T_map_camera[:3, :3]))
        view = View.from_frame(frame)
        true = ((int(number), masks == number) for number in np.flatnonzero(taken))
        for number, mask in (*true, *_masks_of(cutter, frame, masks, taken)):
            cut = crop(view, mask)
            records.append((cut.rgb, cut.mask, cut.relief, cut.sizes, table.name[number]))
    return np.array(records, RECORD)


def _masks_of(cutter: Cutter | None, frame: CameraFrame, instances: np.ndarray, taken: np.ndarray
              ) -> Iterator[tuple[int, np.ndarray]]:
    """Masks (h, w) that it gives to those of `instances` (h, w) that are `taken`, each with the thing's number."""
    if cutter is None:
        return
    found = cutter.sure(cutter.things(cutter.look(frame)))
    for label, overlap in enumerate(overlaps(found.labels, instances)[1:, 1:], start=1):
        number = int(overlap.argmax()) + 1 if overlap.size else 0
        if number and overlap[number - 1] >= MATCH and taken[number]:
            yield number, found.labels == label
