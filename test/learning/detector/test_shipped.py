"""The weights that come with the project, on a home that they were never shown."""

import numpy as np
import pytest

from dadu.core.work import Workers
from dadu.learning.detector import metrics
from dadu.learning.detector.evaluate import collect
from dadu.learning.pictures.home import HomeOrder
from dadu.learning.pictures.run import begin, make_pictures
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.perception.detectors import make_detector

SEED = 900_100
"""of a home of split test"""


@pytest.fixture(scope="module")
def eyes():
    return make_detector("learned")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    settings = PictureSettings(pictures=24, scene=12, rooms=(2, 3))
    folder = begin(tmp_path_factory.mktemp("test"), settings)
    list(make_pictures(folder, [HomeOrder(SEED, "test")], Workers()))
    return DataFolders([folder.path]).homes("test")


def test_they_find_things_and_name_many_of_them(eyes, home):
    collected = collect(eyes, home)
    assert sum(len(picture.there) for picture in collected.objects) > 40
    assert metrics.recall(collected.objects) > 0.55  # 0.75 over twelve homes
    assert metrics.found_precision(collected.objects) > 0.5  # 0.72
    called = [name.category for name in eyes.objects.nearest(np.array(collected.embeddings))]
    assert np.mean([name == there for name, there in zip(called, collected.categories)]) > 0.3  # 0.6; by chance 0.003


def test_both_networks_are_in_8_bits_trained_on_homes_of_split_train_and_hold_out_the_same(eyes):
    networks = eyes.cutter.network, eyes.namer
    cutter, namer = (TrainingFacts.model_validate_json(network.training) for network in networks)
    assert cutter.held_out == namer.held_out and cutter.held_out
    for facts in (cutter, namer):
        assert facts.quantised
        assert 100_000 <= facts.seeds[0] <= facts.seeds[1] < 900_000 and not {*facts.categories} & {*facts.held_out}
