"""What the namer is taught by: each thing cut out with its name, varied, the same batch each time."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.learning.detector.matching import thinned
from dadu.learning.namer.augment import varied
from dadu.learning.namer.batches import CropBatches, crops_of
from dadu.learning.namer.photograph import other_background, photographed, printed, sensed
from dadu.learning.namer.settings import CropAugmentationSettings, CropSettings, NamerSettings
from dadu.learning.recipe.crops import kept_crops
from dadu.learning.recipe.facts import DataFolders
from dadu.perception.learned.crops import UNKNOWN, Crop
from dadu.perception.learned.cutter import CutThings, mask_shape

CATEGORIES = ("banana", "mug", "table")
COLOURS = {0: (0, 255, 0), 1: (255, 0, 0), 2: (0, 0, 255)}


def cut(place, homes, categories):
    index = {category: i for i, category in enumerate(categories)}
    return kept_crops(place, homes, lambda home, K: crops_of(home, K, index, CropSettings()), categories, print)


@pytest.fixture(scope="module")
def kept(folder, tmp_path_factory):
    place = tmp_path_factory.mktemp("crops")
    homes = DataFolders([folder]).homes("train")
    return [cut(place, homes, CATEGORIES) for _ in range(2)]


def test_things_are_cut_out_with_their_names_and_held_out_ones_are_not(kept):
    for home in kept[0]:
        assert set(home["name"]) <= {0, 1, 2} and (home["name"] == 1).sum() <= 6
        for record in home[home["name"] != 2]:
            inside = record["rgb"][record["mask"] == 255]
            np.testing.assert_allclose(np.median(inside, axis=0), COLOURS[int(record["name"])], atol=2)


def test_crops_are_cut_once(kept):
    for one, other in zip(*kept):
        assert one.filename == other.filename and np.array_equal(one, other)


class OfTheUpperHalf:
    """Stands for a detector that gives of each mug the upper part, and something where nothing is."""

    network = SimpleNamespace(training="of the upper half")

    def __init__(self, home):
        self._pictures = iter(range(len(home.labels)))
        self._home = home

    def look(self, frame):
        instances = np.asarray(self._home.instances[next(self._pictures)])
        return thinned(instances, mask_shape(frame.depth.shape, frame.K[0, 0]))

    def things(self, instances):
        rows = np.flatnonzero((instances == 2).any(axis=1))
        labels = np.where((instances == 2) & (np.arange(len(instances))[:, None] < rows[0] + 0.75 * len(rows)), 1, 0)
        labels[:2, :2] = 2
        return CutThings(labels.astype(np.int16), 2, np.zeros((2, 6)))

    def sure(self, things):
        return things


def test_things_are_cut_out_by_the_masks_of_a_detector_too(folder):
    home, K = DataFolders([folder]).homes("train")[0]
    index, settings = {"mug": 0}, CropSettings(least_object=1)
    true, both = (crops_of(home, K, index, settings, cutter) for cutter in (None, OfTheUpperHalf(home)))
    assert len(both) == 2 * len(true) == 12
    for whole, cut in zip(both[::2], both[1::2]):
        assert whole["name"] == cut["name"] == 0 and whole["sizes"][2] > cut["sizes"][2]


def test_other_categories_are_other_crops(folder, kept):
    homes, place = DataFolders([folder]).homes("train"), Path(kept[0][0].filename).parent
    mugs = cut(place, homes, ("mug",))
    assert {int(name) for home in mugs for name in home["name"]} == {0}
    assert {mug.filename for mug in mugs}.isdisjoint(home.filename for home in kept[0])


def test_a_batch_is_the_same_whenever_it_is_made(kept):
    first, second = (CropBatches(kept[0], NamerSettings(batch=8)) for _ in range(2))
    np.testing.assert_array_equal(first.make(7).pictures, second.make(7).pictures)
    assert not np.array_equal(first.make(7).pictures, first.make(8).pictures)
    number, batch = next(first.following(7))
    assert number == 7 and batch.pictures.shape == (8, 6, 48, 48) and len(batch.names) == len(batch.sizes) == 8


def test_without_any_crop_there_is_nothing_to_learn(kept):
    with pytest.raises(ConfigError, match="nothing with a name"):
        CropBatches([kept[0][0][:0]], NamerSettings())


@pytest.mark.parametrize("seed", range(6))
def test_colours_and_masks_move_together(kept, seed):
    record = kept[0][0][0]
    whole = Crop(*(np.array(record[name]) for name in ("rgb", "mask", "relief", "sizes")))
    plain = CropAugmentationSettings(contrast=(1, 1), brightness=0, tint=0, frayed=0, no_mask=0, no_depth=0, printed=0,
                                    elsewhere=0, photographed=0)
    moved = varied(whole, plain, np.random.default_rng(seed))
    inside, colour = moved.mask > 250, np.median(whole.rgb[whole.mask == 255], axis=0)
    assert inside.any() and (np.abs(moved.rgb[inside] - colour) < 30).mean() > 0.95


@pytest.mark.parametrize("seed", range(6))
def test_prints_stay_on_things_and_backgrounds_behind_them(kept, seed):
    crop = Crop(*(np.array(kept[0][0][0][name]) for name in ("rgb", "mask", "relief", "sizes")))
    inside, outside = crop.mask == 255, crop.mask == 0
    over, behind = (change(crop.rgb, crop.mask, np.random.default_rng(seed)) for change in (printed, other_background))
    np.testing.assert_array_equal(over[outside], crop.rgb[outside])
    np.testing.assert_array_equal(behind[inside], crop.rgb[inside])
    assert (behind[outside] != crop.rgb[outside]).any()
    rng = np.random.default_rng(seed)
    photo, relief = photographed(crop.rgb, rng), sensed(crop.relief, rng)
    assert photo.shape == crop.rgb.shape and photo.dtype == np.uint8
    assert relief.dtype == np.int8 and (relief[crop.relief == UNKNOWN] == UNKNOWN).all()
