"""Training the namer: the loss falls, a run that was killed goes on as it would have, what is exported is used."""

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.learning.namer.recipe import NamerRecipe
from dadu.learning.namer.settings import NamerNetworkSettings, NamerSettings
from dadu.learning.recipe.facts import TrainingFacts
from dadu.learning.recipe.order import TrainOrder
from dadu.perception.learned.crops import Crop
from dadu.perception.learned.namer import NamerWeights

pytestmark = pytest.mark.needs("train")

TINY = NamerSettings(network=NamerNetworkSettings(widths=(8, 8, 8), blocks=(0, 0, 1), hidden=16, embedding=8), batch=8,
                     report=1, warm_up=2, average=0.5)


def test_the_loss_falls_and_the_file_names_things(folder, tmp_path):
    told = []
    namer = NamerWeights(NamerRecipe().train(TrainOrder([folder], tmp_path, TINY, steps=40, threads=1), told.append))
    loss = [float(line.split("loss ")[1].split()[0]) for line in told if "loss " in line]
    assert np.mean(loss[-5:]) < 0.7 * np.mean(loss[:5])
    blank = Crop(np.zeros((48, 48, 3), np.uint8), np.zeros((48, 48), np.uint8), np.zeros((48, 48), np.int8),
                 np.array([0.1, 0.8, 30], np.float32))
    vectors = namer.embeddings([blank, blank, blank])
    assert vectors.shape == (3, 8) and np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert namer.embeddings([]).shape == (0, 8)


def test_a_run_that_was_killed_goes_on_as_it_would_have(folder, tmp_path):
    import torch

    NamerRecipe().train(TrainOrder([folder], tmp_path / "whole", TINY, steps=4, threads=1), lambda line: None)

    class Killed(BaseException):
        pass

    def tell(line):
        if "step 3," in line:
            raise Killed

    often = TINY.model_copy(update={"checkpoint_minutes": 1e-9})
    with pytest.raises(Killed):
        NamerRecipe().train(TrainOrder([folder], tmp_path / "parts", often, steps=4, threads=1), tell)
    told = []
    NamerRecipe().train(TrainOrder([folder], tmp_path / "parts", often, steps=4, threads=1), told.append)
    assert any("begins at step 2" in line for line in told)
    one, other = (torch.load(tmp_path / name / "namer" / "checkpoint.pt", weights_only=True)["average"]
                  for name in ("whole", "parts"))
    for name, value in one.items():
        torch.testing.assert_close(value, other[name])


def test_one_that_begins_with_weights_knows_what_those_know(folder, tmp_path):
    base = NamerRecipe().train(TrainOrder([folder], tmp_path / "base", TINY, steps=60, threads=1), lambda line: None)
    told = []
    slow = TINY.model_copy(update={"rate": 1e-6, "warm_up": 1000})
    path = NamerRecipe(base=base).train(TrainOrder([folder], tmp_path / "more", slow, steps=1, threads=1), told.append)
    crop = Crop(np.full((48, 48, 3), 90, np.uint8), np.full((48, 48), 255, np.uint8), np.zeros((48, 48), np.int8),
                np.array([0.1, 0.8, 30], np.float32))
    np.testing.assert_allclose(NamerWeights(path).embeddings([crop]), NamerWeights(base).embeddings([crop]), atol=2e-3)
    facts, before = (TrainingFacts.model_validate_json(NamerWeights(each).training) for each in (path, base))
    assert facts.steps == 1 and facts.base == before and before.base is None


def test_it_does_not_begin_with_weights_of_another_size(folder, tmp_path):
    base = NamerRecipe().train(TrainOrder([folder], tmp_path / "base", TINY, steps=1, threads=1), lambda line: None)
    wider = TINY.model_copy(update={"network": TINY.network.model_copy(update={"hidden": 24})})
    with pytest.raises(ConfigError, match="other sizes"):
        NamerRecipe(base=base).train(TrainOrder([folder], tmp_path / "more", wider, steps=1, threads=1), print)
