"""Training what tells states: the loss falls, what is exported is used, only what was shown is told of."""

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.house.files import load_house
from dadu.learning.pictures.store import HomeSheet, HomeWriter, PictureFolder
from dadu.learning.recipe.crops import kept_crops
from dadu.learning.recipe.order import EvaluationOrder, TrainOrder
from dadu.learning.states.batches import RECORD, StateBatches, crops_of
from dadu.learning.states.recipe import StatesRecipe
from dadu.learning.states.settings import StateNetworkSettings, StateTrainSettings
from dadu.perception.states import STATES, StateReader

TINY = StateTrainSettings(network=StateNetworkSettings(widths=(8, 8, 8), blocks=(0, 0, 0), hidden=8, dropout=0),
                          batch=16, report=1, warm_up=2, average=0.5, least_pixels=10)


@pytest.fixture
def lit(folder, tmp_path):
    """The folder's pictures with states told: what is bright is on, filled, clean and sliced."""
    source, out = next(iter(PictureFolder(folder).homes("train"))), PictureFolder(tmp_path / "lit")
    out.begin(PictureFolder(folder).sheet)
    for split, seed in (("train", 100_000), ("validation", 100_009), ("test", 900_000)):
        rng = np.random.default_rng(seed)
        height, width = source.depth.shape[1:]
        sheet = HomeSheet(home=str(seed), split=split, seed=seed, rooms=1, pictures=len(source.labels))
        with HomeWriter(out.path, sheet, (width, height)) as writer:
            for i, labels in enumerate(source.labels):
                rgb, things = source.rgb[i].copy(), []
                for label in labels.instances:
                    on = bool(rng.random() < 0.5)
                    rgb[source.instances[i] == label.id] //= 1 if on else 3
                    told = dict.fromkeys(STATES, on) if label.kind == "object" else {}
                    things.append(label.model_copy(update={"states": told}))
                labels = labels.model_copy(update={"instances": tuple(things)})
                writer.add(rgb, source.depth[i], source.instances[i], labels)
            writer.finish(load_house(str(source.path / "house.yaml")))
    return out.path


def cut(home, K):
    return crops_of(home, K, 10)


def test_crops_say_what_shows_and_are_cut_once(lit, tmp_path):
    home = next(PictureFolder(lit).homes("train"))
    K, told = np.array(PictureFolder(lit).sheet.K), []
    crops, = kept_crops(tmp_path / "crops", [(home, K)], cut, 10, told.append)
    assert len(told) == 1 and set(crops["category"]) == {"mug", "banana"}
    bright = crops["rgb"][:, 24, 24].max(axis=1) > 128
    assert (crops["states"] == bright[:, None]).all() and 0 < bright.mean() < 1
    again, = kept_crops(tmp_path / "crops", [(home, K)], cut, 10, told.append)
    assert len(told) == 1 and np.array_equal(again, crops)


def test_batches_ask_for_every_state_either_way(lit):
    home = next(PictureFolder(lit).homes("train"))
    crops = [crops_of(home, np.array(PictureFolder(lit).sheet.K), 10)]
    batches = StateBatches(crops, TINY)
    one, same = batches.make(3), batches.make(3)
    assert one.pictures.shape == (16, 6, 48, 48) and 0.2 < one.states.mean() < 0.8
    assert all(np.array_equal(a, b) for a, b in zip(vars(one).values(), vars(same).values()))
    with pytest.raises(ConfigError, match="is_powered_on"):
        StateBatches([np.zeros(0, RECORD)], TINY)


@pytest.mark.needs("train")
def test_the_loss_falls_and_the_file_tells_states(lit, tmp_path):
    told = []
    weights = StatesRecipe().train(TrainOrder([lit], tmp_path, TINY, steps=60, threads=1), told.append)
    loss = [float(line.split("loss ")[1].split()[0]) for line in told if "loss " in line]
    assert np.mean(loss[-5:]) < 0.7 * np.mean(loss[:5])
    reader = StateReader(weights)
    assert set(reader.tells("mug")) <= set(STATES) and not reader.tells("table")
    figures = StatesRecipe().evaluate(EvaluationOrder(weights, [lit], tmp_path / "card", TINY), told.append)
    assert figures["true_masks"]["is_filled"]["all"]["things"] > 0
    assert "0.1 or above 0.9" in (tmp_path / "card" / "README.md").read_text()
