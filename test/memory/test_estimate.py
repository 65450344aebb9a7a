"""Sizes over many sightings: what a sure detector shows never shrinks, what a wavering one shows settles."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dadu.memory.association.estimate import fuse
from dadu.world.detection import Detection
from dadu.world.graph import Entity, Kind


def after(true, sizes, score):
    entity = Entity("mug_0", Kind.OBJECT, "mug", position=(0.0, 0.0, 0.8), size=(true,) * 3, provenance="detection")
    for size in sizes:
        entity = fuse(entity, Detection("mug", score, (0, 0, 9, 9), 80, np.zeros((1, 3), np.float32),
                                        np.array([0, 0, 0.8]), np.full(3, size)), jitter=0.001)
    return max(entity.size)


@given(st.floats(0.05, 0.3), st.integers(0, 10**6))
def test_masks_that_are_now_and_then_too_large_make_no_thing_large(true, seed):
    rng = np.random.default_rng(seed)
    sizes = [true * (rng.uniform(2, 5) if rng.random() < 0.15 else rng.uniform(0.9, 1.05)) for _ in range(60)]
    assert 0.8 * true - 0.01 < after(true, sizes, 0.6) < 1.1 * true + 0.06


@given(st.lists(st.floats(0.02, 0.3), min_size=20, max_size=40))
def test_a_sure_detector_sees_parts_and_what_it_saw_stays(sizes):
    grown = after(0.1, [*sizes, *[max(sizes)] * 12], 1.0)
    assert grown >= max(0.1, 0.98 * max(sizes)) and after(0.1, [0.02] * 20, 1.0) == 0.1
