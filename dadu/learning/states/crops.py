"""Crops of all things of a home whose states show."""

from __future__ import annotations

import numpy as np

from dadu.learning.detector.matching import frame_of, thinned
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.crops import record_type
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.learned.channels import FOCAL
from dadu.perception.learned.cutter import mask_shape
from dadu.perception.states import STATES, cut_out

UNKNOWN = -1
COARSE = 0.5
"""how often a mask is only as fine as the learned detector's"""
RECORD = record_type(("states", np.int8, len(STATES)), ("category", "U40"), ("distance", np.float32))
"""A `Crop`; which of `STATES` it is in, 0 or 1, `UNKNOWN` where it does not show; its category; how far away [m]."""


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
