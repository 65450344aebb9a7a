"""Crops of all things of a home that have a name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from dadu.core.robot import CameraFrame
from dadu.learning.detector.matching import MATCH, frame_of, overlaps, thinned
from dadu.learning.detector.targets import FURNITURE, OBJECT, UNNAMED, HomeTable
from dadu.learning.namer.settings import CropSettings
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.crops import record_type
from dadu.perception.learned.channels import FOCAL
from dadu.perception.learned.crops import View, crop
from dadu.perception.learned.cutter import Cutter, mask_shape
from dadu.perception.upright import quarter_turns

RECORD = record_type(("name", np.int16))
"""A `Crop`, and the index of its category among those taught."""


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
