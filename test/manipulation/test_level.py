"""Where a surface is seen to be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.manipulation.placing.planning import OFF, levelled
from dadu.world.graph import Surface

POSE = Pose2(2.0, 1.0, 0.7)


def top(height):
    return Surface("top", POSE, height, (0.5, 0.6), 2.0)


def seen(height, count=400, share=1.0, noise=0.002, seed=0):
    """Points all over it, of which a share lies at its height and the rest 10 to 20 cm higher."""
    rng = np.random.default_rng(seed)
    xy = POSE.apply(rng.uniform(-0.5, 0.5, (count, 2)) * (0.5, 0.6))
    z = np.where(rng.random(count) < share, height, height + rng.uniform(0.1, 0.2, count))
    return np.column_stack([xy, z + rng.normal(0, noise, count)])


@given(off=st.floats(-OFF + 0.01, OFF - 0.01), share=st.floats(0.4, 1.0), seed=st.integers(0, 1000))
def test_a_surface_is_where_most_of_it_is_seen(off, share, seed):
    assert levelled(top(0.52), seen(0.52 + off, share=share, seed=seed)).height == pytest.approx(0.52 + off, abs=0.002)


def test_it_stays_where_that_is_not_clear():
    surface = top(0.52)
    ramp = seen(0.52)
    ramp[:, 2] = np.linspace(0.47, 0.57, len(ramp))
    for points in (np.zeros((0, 3)), seen(0.55, count=40), seen(0.9), ramp, seen(0.55) + (3.0, 0.0, 0.0)):
        assert levelled(surface, points) == surface
