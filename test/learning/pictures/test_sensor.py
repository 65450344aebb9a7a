"""Properties of the noise: what it may change, and what it must leave."""

import numpy as np
import pytest

from dadu.learning.pictures.sensor import measured, photographed
from dadu.learning.pictures.settings import ColorNoise, DepthNoise

FOCAL = 312.0
SHAPE = (120, 160)
QUIET = {"ragged": (0, 0), "shadow": (0, 0), "dropouts": (0, 0), "speckles": (0, 0), "grazing": (9, 9)}


@pytest.fixture
def rng():
    return np.random.default_rng(1)


@pytest.fixture
def picture(rng):
    return rng.integers(60, 200, (*SHAPE, 3)).astype(np.uint8)


def wall(distance):
    return np.full(SHAPE, distance, np.float32)


def spread(distance, picture, rng):
    noise = DepthNoise(disparity=(0.1, 0.1), steps=(1000, 1000), **QUIET)
    return measured(wall(distance), picture, FOCAL, noise, rng).std()


def test_the_error_of_depth_grows_with_the_square_of_the_distance(picture, rng):
    assert spread(4.0, picture, rng) / spread(1.0, picture, rng) == pytest.approx(16, rel=0.25)


def test_a_flat_wall_is_measured_right_on_the_whole(picture, rng):
    z = measured(wall(2.0), picture, FOCAL, DepthNoise(), rng)
    assert (z > 0).mean() > 0.85 and abs(z[z > 0].mean() - 2000) < 20


def test_depth_comes_in_steps_of_disparity(picture, rng):
    noise = DepthNoise(disparity=(0.1, 0.1), steps=(8, 8), **QUIET)
    z = measured(wall(3.0), picture, FOCAL, noise, rng)
    levels = np.unique(z)
    disparity = 0.05 * FOCAL * 640 / SHAPE[1] / (levels / 1000)
    assert 1 < len(levels) < 30 and np.allclose(disparity * 8, np.round(disparity * 8), atol=0.05)


def test_nothing_is_measured_too_near_or_too_far(picture, rng):
    depth = np.where(np.arange(SHAPE[1]) < 80, np.float32(0.1), np.float32(9.0)) * np.ones(SHAPE, np.float32)
    assert not measured(depth, picture, FOCAL, DepthNoise(), rng).any()


def test_beside_a_near_thing_there_is_a_blind_strip_on_one_side(picture, rng):
    depth = wall(3.0)
    depth[:, 60:100] = 0.6
    noise = DepthNoise(disparity=(0, 0), **QUIET | {"shadow": (1, 1)})
    lost = (measured(depth, picture, FOCAL, noise, rng) == 0).mean(axis=0)
    assert lost[50:60].mean() > 0.8 and lost[100:110].mean() < 0.1


def test_dropouts_take_about_the_share_that_is_set(picture, rng):
    noise = DepthNoise(disparity=(0, 0), **QUIET | {"dropouts": (0.1, 0.1)})
    lost = [(measured(wall(1.0), picture, FOCAL, noise, rng) == 0).mean() for _ in range(10)]
    assert np.mean(lost) == pytest.approx(0.1, abs=0.03)


def test_automatic_exposure_brings_a_dim_picture_up_and_keeps_its_colours_apart(rng):
    dim = np.zeros((*SHAPE, 3), np.uint8)
    dim[:, :80], dim[:, 80:] = (60, 20, 20), (20, 20, 60)
    noise = ColorNoise(exposure=(0, 0), white_balance=0, gamma=(1, 1), noise=(0, 0), blurred=0, moved=0, compressed=0)
    photo = photographed(dim, noise, rng)
    assert 100 < photo.mean() < 125
    assert photo[:, :80, 0].mean() > 2 * photo[:, :80, 2].mean()
    assert photo[:, 80:, 2].mean() > 2 * photo[:, 80:, 0].mean()


def test_blur_softens_edges_and_keeps_the_mean(rng):
    edge = np.zeros((*SHAPE, 3), np.uint8)
    edge[:, 80:] = 200
    sharp = ColorNoise(exposure=(0, 0), white_balance=0, gamma=(1, 1), noise=(0, 0), blurred=0, moved=0, compressed=0)
    soft = sharp.model_copy(update={"blurred": 1.0, "blur": (2, 2)})
    steps = [np.abs(np.diff(photographed(edge, noise, rng)[60, :, 0].astype(int))).max() for noise in (sharp, soft)]
    assert steps[1] < steps[0] / 2
