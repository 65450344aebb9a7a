"""Crops, varied, with what should be said of their states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dadu.core.errors import ConfigError
from dadu.learning.detector.matching import frame_of, thinned
from dadu.learning.namer.augment import varied
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.batches import NumberedBatches
from dadu.learning.recipe.crops import CropRecords, crop_of, record_type
from dadu.learning.states.settings import StateTrainSettings
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.learned.channels import FOCAL
from dadu.perception.learned.crops import network_input
from dadu.perception.learned.cutter import mask_shape
from dadu.perception.states import STATES, cut_out

UNKNOWN = -1
COARSE = 0.5
"""how often a mask is only as fine as the learned detector's"""
RECORD = record_type(("states", np.int8, len(STATES)), ("category", "U40"), ("distance", np.float32))
"""A `Crop`; which of `STATES` it is in, 0 or 1, `UNKNOWN` where it does not show; its category; how far away [m]."""


@dataclass(frozen=True)
class StateBatch:
    """Crops with what should be said of them."""

    pictures: np.ndarray
    """float32 (B, 6, S, S), see `network_input`"""
    sizes: np.ndarray
    """float32 (B, 4)"""
    states: np.ndarray
    """float32 (B, states): 0, 1, or -1 where a state does not show"""


class StateBatches(NumberedBatches[StateBatch]):
    """Random crops; each state, either way, is asked for equally often."""

    def __init__(self, homes: Sequence[np.ndarray], settings: StateTrainSettings, processes: int = 0) -> None:
        """`homes`: `RECORD` (N,) each. Errors: ConfigError where there is a state that nothing is in, or not in."""
        self._records, self._settings, self.processes = CropRecords(homes), settings, processes
        states = np.concatenate([np.zeros((0, len(STATES)), np.int8), *(home["states"] for home in homes)])
        self._groups = [np.flatnonzero(states[:, k] == value) for k in range(len(STATES)) for value in (0, 1)]
        lacking = [STATES[i // 2] for i, group in enumerate(self._groups) if not len(group)]
        if lacking:
            raise ConfigError(f"these pictures do not show both ways of {', '.join(lacking)}; make more homes of split "
                              "train with: dadu data pictures")

    def __len__(self) -> int:
        """Crops there are."""
        return len(self._records)

    def make(self, number: int) -> StateBatch:
        """Batch `number`."""
        rng = np.random.default_rng([self._settings.seed, number])
        chosen = [self._records[int(rng.choice(self._groups[int(rng.integers(len(self._groups)))]))]
                  for _ in range(self._settings.batch)]
        crops = [varied(crop_of(record), self._settings.augmentation, rng) for record in chosen]
        return StateBatch(*network_input(crops), np.array([record["states"] for record in chosen], np.float32))


def crops_of(home: HomePictures, K: np.ndarray, least: int) -> np.ndarray:
    """`RECORD` (N,): everything whose states show and that has `least` pixels in view at the focal length of training,
    from all pictures. `K`: (3, 3) [px]."""
    records = []
    for i, labels in enumerate(home.labels):
        rng = np.random.default_rng([home.sheet.seed, i])
        frame, instances = frame_of(home, i, K), home.whole(i).astype(np.int16)
        if rng.random() < COARSE:
            coarse = mask_shape(instances.shape, K[0, 0])
            instances = thinned(thinned(instances, coarse), instances.shape)
        wanted = [label for label in labels.instances if label.states]
        numbers = max((label.id for label in labels.instances), default=0)
        found = Segmentation(instances, (Segment(""),) * numbers)
        for label in wanted:
            box = found.boxes[label.id - 1]
            if box is None or (instances[box] == label.id).sum() < least * (K[0, 0] / FOCAL) ** 2:
                continue
            cut = cut_out(frame, found, label.id - 1)
            states = tuple(int(label.states[state]) if state in label.states else UNKNOWN for state in STATES)
            records.append((cut.rgb, cut.mask, cut.relief, cut.sizes, states, label.category, label.distance))
    return np.array(records, RECORD)
