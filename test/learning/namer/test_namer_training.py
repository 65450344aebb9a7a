"""Training the namer: the loss falls, a run that was killed goes on as it would have, what is exported is used."""

import numpy as np
import pytest

from dadu.learning.namer.run import train
from dadu.learning.namer.settings import NamerNetworkSettings, NamerSettings
from dadu.learning.order import TrainOrder
from dadu.perception.learned.crops import Crop
from dadu.perception.learned.namer import Namer

pytestmark = pytest.mark.needs("train")

TINY = NamerSettings(network=NamerNetworkSettings(widths=(8, 8, 8), blocks=(0, 0, 1), hidden=16, embedding=8), batch=8,
                     report=1, warm_up=2, average=0.5)


def test_the_loss_falls_and_the_file_names_things(folder, tmp_path):
    told = []
    namer = Namer(train(TrainOrder([folder], tmp_path, TINY, steps=40, threads=1), told.append))
    loss = [float(line.split("loss ")[1].split()[0]) for line in told if "loss " in line]
    assert np.mean(loss[-5:]) < 0.7 * np.mean(loss[:5])
    blank = Crop(np.zeros((48, 48, 3), np.uint8), np.zeros((48, 48), np.uint8), np.zeros((48, 48), np.int8),
                 np.array([0.1, 0.8, 30], np.float32))
    vectors = namer.embeddings([blank, blank, blank])
    assert vectors.shape == (3, 8) and np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert namer.embeddings([]).shape == (0, 8)


def test_a_run_that_was_killed_goes_on_as_it_would_have(folder, tmp_path):
    import torch

    train(TrainOrder([folder], tmp_path / "whole", TINY, steps=4, threads=1), lambda line: None)

    class Killed(BaseException):
        pass

    def tell(line):
        if "step 3," in line:
            raise Killed

    often = TINY.model_copy(update={"checkpoint_minutes": 1e-9})
    with pytest.raises(Killed):
        train(TrainOrder([folder], tmp_path / "parts", often, steps=4, threads=1), tell)
    told = []
    train(TrainOrder([folder], tmp_path / "parts", often, steps=4, threads=1), told.append)
    assert any("begins at step 2" in line for line in told)
    one, other = (torch.load(tmp_path / name / "namer" / "checkpoint.pt", weights_only=True)["average"]
                  for name in ("whole", "parts"))
    for name, value in one.items():
        torch.testing.assert_close(value, other[name])
