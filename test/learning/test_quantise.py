"""The eyes in 8 bits see nearly what they saw."""

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.core.work import Workers
from dadu.learning.detector.matching import frame_of
from dadu.learning.pictures.home import HomeOrder
from dadu.learning.pictures.run import begin, make_pictures
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.perception.learned.crops import SIDE
from dadu.perception.learned.cutter import network_picture
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.namer import FILE

pytestmark = pytest.mark.needs("train")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    settings = PictureSettings(pictures=8, scene=8, rooms=(2, 3))
    folder = begin(tmp_path_factory.mktemp("pictures"), settings)
    list(make_pictures(folder, [HomeOrder(100_400, "train")], Workers()))
    return folder.path


@pytest.fixture(scope="module")
def both(pictures, tmp_path_factory):
    """The eyes of this project in 32 bits, trained by nobody, and the same in 8."""
    from dadu.learning.detector import network
    from dadu.learning.detector.recipe import DetectorRecipe
    from dadu.learning.detector.settings import TrainSettings
    from dadu.learning.namer.recipe import NamerRecipe
    from dadu.learning.namer.settings import NamerSettings
    from dadu.learning.recipe.order import TrainOrder
    from dadu.learning.recipe.quantised_eyes import quantise_networks

    folder = tmp_path_factory.mktemp("weights")
    eyes, names = TrainSettings(batch=4), NamerSettings(batch=16)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "FURNITURE_SEEN", 0.0)  # so early it sees no furniture: it is to tell of all pixels
        weights = DetectorRecipe().train(TrainOrder([pictures], folder, eyes, steps=6, threads=1), lambda _: None)
    NamerRecipe().train(TrainOrder([pictures], folder, names, steps=6, threads=1), lambda _: None)
    quantise_networks(weights, [pictures], folder / "small", lambda _: None)
    return LearnedDetector(weights), LearnedDetector(folder / "small" / weights.name), folder


def test_they_see_nearly_the_same(both, pictures):
    home, K = DataFolders([pictures]).homes("train")[0]
    for i in range(4):
        frame = frame_of(home, i, K)
        assert network_picture(frame).shape == (1, 6, 240, 320)
        one, other = (detector.cutter.look(frame) for detector in both[:2])
        assert np.abs(one.geometry[:3] - other.geometry[:3]).mean() < 0.02
        assert len(one.embedding) == one.geometry[0].size
        assert (one.embedding * other.embedding).sum(axis=-1).mean() > 0.98


def test_training_may_begin_with_them(both):
    import torch

    from dadu.learning.namer.network import NamerNetwork
    from dadu.learning.namer.settings import NamerNetworkSettings
    from dadu.learning.recipe.pretrained import take_over

    rng = np.random.default_rng(0)
    examples = [torch.from_numpy(rng.normal(size=size).astype(np.float32)) for size in ((16, 6, SIDE, SIDE), (16, 4))]
    found = []
    for folder in (both[2], both[2] / "small"):
        network = NamerNetwork(NamerNetworkSettings(), 3).eval()
        take_over(network, folder / FILE, *examples)
        with torch.no_grad():
            found.append(network(*examples).numpy())
    norms = [np.linalg.norm(each, axis=1) for each in found]
    assert (np.einsum("ij,ij->i", *found) / (norms[0] * norms[1])).min() > 0.98


def test_files_are_half_as_large_and_say_what_they_are(both):
    plain, small, folder = both
    for name in ("detector.onnx", "namer.onnx"):
        assert (folder / "small" / name).stat().st_size < 0.7 * (folder / name).stat().st_size
    before, after = (TrainingFacts.model_validate_json(each.cutter.network.training) for each in (plain, small))
    assert after == before.model_copy(update={"quantised": True}) and not before.quantised


def test_what_is_in_8_bits_is_not_quantised_again(both, pictures, tmp_path):
    from dadu.learning.recipe.quantised_eyes import quantise_networks

    with pytest.raises(ConfigError, match="already"):
        quantise_networks(both[2] / "small" / "detector.onnx", [pictures], tmp_path, lambda _: None)
