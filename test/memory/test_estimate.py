"""Sizes over many sightings: of what was seen best, whatever masks that are too large show now and then."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dadu.memory.association.estimate import fuse
from dadu.world.detection import Detection
from dadu.world.graph import Entity, Kind

BEST = 80


def after(true, sizes, pixels=BEST, truncated=False):
    entity = Entity("mug_0", Kind.OBJECT, "mug", position=(0.0, 0.0, 0.8), size=(true,) * 3, provenance="detection")
    for size in sizes:
        entity = fuse(entity, Detection("mug", 0.9, (0, 0, 9, 9), pixels, np.zeros((1, 3), np.float32),
                                        np.array([0, 0, 0.8]), np.full(3, size), truncated=truncated), 0.001, BEST)
    return max(entity.size)


@given(st.floats(0.05, 0.3), st.integers(0, 10**6))
def test_masks_that_are_now_and_then_too_large_make_no_thing_large(true, seed):
    rng = np.random.default_rng(seed)
    sizes = [true * (rng.uniform(2, 5) if rng.random() < 0.15 else rng.uniform(0.9, 1.05)) for _ in range(60)]
    assert 0.8 * true - 0.01 < after(true, sizes) < 1.1 * true + 0.06


@given(st.floats(0.05, 0.3), st.floats(0.05, 0.3))
def test_a_look_from_nearby_counts_and_one_from_afar_hardly_does(true, wrong):
    assert abs(after(wrong, [true], 9 * BEST) - true) <= 0.11 * abs(wrong - true)
    assert abs(after(true, [wrong], BEST // 20) - true) < 0.05 * abs(wrong - true) + 0.002


def test_what_the_border_cuts_off_makes_nothing_smaller():
    assert after(0.1, [0.02] * 20, truncated=True) == 0.1
