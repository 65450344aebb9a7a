"""What training is given: the labels as targets, varied pictures that agree with them, the same batch each time."""

from functools import partial

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.learning.detector.augment import augmented
from dadu.learning.detector.batches import Batches, homes_of
from dadu.learning.detector.settings import AugmentationSettings, TrainSettings
from dadu.learning.detector.targets import BACKGROUND, FURNITURE, OBJECT, UNNAMED, target
from dadu.learning.recipe.facts import DataFolders

EVERYWHERE = slice(0, None), slice(0, None)
CATEGORIES = ("banana", "mug", "table")


@pytest.fixture(scope="module")
def homes(folder):
    return homes_of(DataFolders([folder]).homes("train"), CATEGORIES)


def test_kinds_and_names_come_from_the_labels_and_parts_go_by_their_furniture(homes):
    table = homes[0].table
    assert table.kind.tolist() == [BACKGROUND, FURNITURE, OBJECT, OBJECT, FURNITURE]
    assert table.name.tolist() == [UNNAMED, 2, 1, 0, 2]


def test_every_pixel_of_an_object_points_to_its_middle(homes):
    instances = np.zeros((40, 60), np.uint16)
    instances[5:16, 10:21], instances[20:27, 40:49], instances[30:] = 2, 3, 1
    wanted = target(instances, homes[0].table, 16, 6, np.random.default_rng(0))
    rows, columns = np.nonzero(wanted.kind == OBJECT)
    pointed = np.stack([columns + wanted.offset[0, rows, columns], rows + wanted.offset[1, rows, columns]], axis=1)
    assert {tuple(p) for p in pointed} == {(15.0, 10.0), (44.0, 23.0)}
    assert {tuple(map(int, p)) for p in np.argwhere(wanted.centre == 1)} == {(10, 15), (23, 44)}
    assert not wanted.offset[:, wanted.kind != OBJECT].any()


def test_pixels_to_be_named_show_what_they_are_named(homes):
    instances = np.zeros((40, 60), np.uint16)
    instances[5:16, 10:21], instances[20:22, 40:42], instances[30:] = 2, 3, 1
    wanted = target(instances, homes[0].table, 16, 6, np.random.default_rng(0))
    shown = homes[0].table.name[instances[tuple(wanted.places.T)]]
    np.testing.assert_array_equal(shown, wanted.names)
    assert np.bincount(wanted.names, minlength=3).tolist() == [0, 0, 16]  # objects are the namer's


@pytest.mark.parametrize("seed", range(8))
def test_a_crop_holds_what_it_is_to_hold(homes, seed):
    picture, instances = partial(homes[0].part, 0), homes[0].pictures.instances[0]
    focus = tuple(np.argwhere(instances == 3)[seed])
    _, moved = augmented(picture, instances, focus, AugmentationSettings(crop=0.5), np.random.default_rng(seed))
    assert moved.shape == (32, 48) and (moved == 3).any()


@pytest.mark.parametrize("seed", range(8))
def test_a_varied_picture_still_agrees_with_its_labels(homes, seed):
    picture, instances = partial(homes[0].part, 0), homes[0].pictures.instances[0]
    settings = AugmentationSettings(contrast=(1, 1), brightness=0, saturation=(1, 1), no_depth=0)
    varied, moved = augmented(picture, instances, None, settings, np.random.default_rng(seed))
    inside = np.zeros(moved.shape, bool)
    inside[1:-1, 1:-1] = (moved[1:-1, 1:-1] == 2) & (moved[:-2, 1:-1] == 2) & (moved[2:, 1:-1] == 2) & (
        moved[1:-1, :-2] == 2) & (moved[1:-1, 2:] == 2)
    assert not inside.any() or np.abs(varied[inside, :3] - [1, -1, -1]).max() < 0.25  # the mug is red
    heights, whole = varied[..., 5][moved == 2], picture(*EVERYWHERE)
    assert not len(heights) or heights.min() >= whole[..., 5][instances == 2].min() - 1e-6


def test_enlarging_a_picture_gives_more_pixels_a_metre(homes):
    picture, instances = partial(homes[0].part, 0), homes[0].pictures.instances[0]
    settings = AugmentationSettings(flip=0, scale=(2.0, 2.0), crop=1, no_depth=0)
    varied, moved = augmented(picture, instances, None, settings, np.random.default_rng(1))
    before = np.median(picture(*EVERYWHERE)[..., 3][instances == 1])
    assert np.median(varied[..., 3][moved == 1]) == pytest.approx(2 * before)


def test_a_batch_is_the_same_whenever_it_is_made(homes):
    settings = TrainSettings(batch=4)
    first, again = (Batches(homes, settings) for _ in range(2))
    first.make(0)
    for one, other in zip(vars(first.make(7)).values(), vars(again.make(7)).values()):
        np.testing.assert_array_equal(one, other)
    number, batch = next(iter(Batches(homes, settings).following(7)))
    assert number == 7 and (batch.pictures == again.make(7).pictures).all()
    assert (again.make(8).pictures != again.make(7).pictures).any()


def test_without_homes_it_says_how_to_make_some(folder):
    with pytest.raises(ConfigError, match="no home of split train.*dadu data pictures"):
        DataFolders([]).some_homes("train")
