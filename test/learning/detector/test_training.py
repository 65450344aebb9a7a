"""Training: the loss falls, a run that was killed goes on as it would have, what is exported is what was trained."""

import json

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.learning.detector.recipe import DetectorRecipe
from dadu.learning.detector.settings import NetworkSettings, TrainSettings
from dadu.learning.recipe.order import TrainOrder
from dadu.perception.learned.weights import DetectorWeights

pytestmark = pytest.mark.needs("train")

TINY = TrainSettings(network=NetworkSettings(widths=(8, 8, 8, 8), blocks=(0, 0, 0, 1), embedding=8), batch=4, report=1,
                     warm_up=2, average=0.5)


@pytest.fixture(scope="module")
def told():
    return []


def losses(told):
    return [float(line.split("loss ")[1].split()[0]) for line in told if "loss " in line]


def test_the_loss_falls(folder, tmp_path):
    told = []
    DetectorRecipe().train(TrainOrder([folder], tmp_path, TINY, steps=40, threads=1), told.append)
    assert np.mean(losses(told)[-5:]) < 0.7 * np.mean(losses(told)[:5])


def test_a_run_that_was_killed_goes_on_as_it_would_have(folder, tmp_path, monkeypatch):
    import torch

    whole, parts = [], []
    DetectorRecipe().train(TrainOrder([folder], tmp_path / "whole", TINY, steps=6, threads=1), whole.append)

    class Killed(BaseException):
        pass

    def tell(line):
        parts.append(line)
        if "step 3," in line:
            raise Killed

    often = TINY.model_copy(update={"checkpoint_minutes": 1e-9})
    with pytest.raises(Killed):
        DetectorRecipe().train(TrainOrder([folder], tmp_path / "parts", often, steps=6, threads=1), tell)
    DetectorRecipe().train(TrainOrder([folder], tmp_path / "parts", often, steps=6, threads=1), parts.append)
    assert any("begins at step 2" in line for line in parts)
    one, other = (torch.load(tmp_path / name / "checkpoint.pt", weights_only=True)["average"]
                  for name in ("whole", "parts"))
    for name, value in one.items():
        torch.testing.assert_close(value, other[name])


def test_what_is_exported_says_what_was_trained(folder, tmp_path):
    import torch

    from dadu.learning.detector.network import DetectorNetwork

    path = DetectorRecipe().train(TrainOrder([folder], tmp_path, TINY, steps=2, threads=1), lambda line: None)
    network = DetectorNetwork(TINY.network)
    network.load_state_dict(torch.load(tmp_path / "checkpoint.pt", weights_only=True)["average"])
    picture = np.random.default_rng(0).normal(size=(48, 80, 6)).astype(np.float32)
    with torch.no_grad():
        wanted = network.eval()(torch.from_numpy(picture.transpose(2, 0, 1)[None]))
    for one, other in zip(DetectorWeights(path).run(picture), wanted):
        np.testing.assert_allclose(one, other[0].numpy(), atol=1e-4)


def test_a_damaged_checkpoint_or_another_network_s_ends_in_a_sentence(folder, tmp_path):
    DetectorRecipe().train(TrainOrder([folder], tmp_path, TINY, steps=1, threads=1), lambda line: None)
    other = TINY.model_copy(update={"network": NetworkSettings(widths=(8, 8, 8, 16), embedding=8)})
    with pytest.raises(ConfigError, match="no checkpoint of this network"):
        DetectorRecipe().train(TrainOrder([folder], tmp_path, other, steps=2, threads=1), lambda line: None)
    (tmp_path / "checkpoint.pt").write_bytes(b"damaged")
    with pytest.raises(ConfigError, match="no checkpoint"):
        DetectorRecipe().train(TrainOrder([folder], tmp_path, TINY, steps=2, threads=1), lambda line: None)


def test_a_run_goes_on_with_its_own_words_when_the_catalogue_has_changed(folder, tmp_path, monkeypatch):
    DetectorRecipe().train(TrainOrder([folder], tmp_path, TINY, steps=1, threads=1), lambda line: None)
    monkeypatch.setattr("dadu.learning.recipe.words.object_categories", lambda: {"mug": None})
    told = []
    path = DetectorRecipe().train(TrainOrder([folder], tmp_path, TINY, steps=2, threads=1), told.append)
    assert "begins at step 1" in told[0] and len(json.loads(DetectorWeights(path).training)["categories"]) > 100
