"""Figures of a detector: matches, precision, names, calibrated scores; the card and the sheet."""

import json

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.house.catalogue import object_categories
from dadu.learning.detector.calibrate import calibrated
from dadu.learning.detector.evaluate import collect, own_categories, report
from dadu.learning.detector.matching import (
    IGNORED,
    NOBODY,
    DetectedInstance,
    GroundTruthInstance,
    Matched,
    matched,
    overlaps,
)
from dadu.learning.detector.metrics import (
    average_precision,
    found_precision,
    mean_precision,
    named_precision,
    naming,
    recall,
)
from dadu.learning.detector.recipe import DetectorRecipe
from dadu.learning.detector.settings import TrainSettings
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.learning.recipe.order import EvaluationOrder
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.weights import KNOWN, Curve


def test_overlap_is_that_of_the_definition():
    masks, things = np.zeros((4, 6), int), np.zeros((4, 6), int)
    masks[:2, :4], things[:2, 2:] = 1, 2
    assert overlaps(masks, things)[1, 2] == pytest.approx(4 / 12) and overlaps(masks, things)[1, 1] == 0


@pytest.mark.parametrize(("hits", "total", "expected"), [
    ([True, True], 2, 1.0), ([True, False], 2, 0.5), ([False, True], 1, 0.5), ([], 3, 0.0),
    ([True, False, True], 2, 0.5 + 0.5 * 2 / 3), ([False, True, True], 2, 2 / 3),
])
def test_average_precision_is_the_area_under_the_curve(hits, total, expected):
    assert average_precision(hits, np.linspace(1, 0.5, len(hits)), total) == pytest.approx(expected)


def test_of_nothing_there_is_no_precision():
    assert np.isnan(average_precision([False], [1.0], 0))


@pytest.fixture
def home(folder):
    return DataFolders([folder]).homes("test")[0][0]


def found_in(home, *masks):
    """Of picture 0: label, score and mask."""
    return Segmentation.from_masks([m for _, _, m in masks], [Segment(label, score) for label, score, _ in masks])


def test_each_thing_is_matched_once_by_the_surest_mask(home):
    instances = np.asarray(home.instances[0])
    mug, part = instances == 2, (instances == 2) & (np.arange(96) % 20 != 0)
    labels = np.where(part, 2, np.where(mug, 1, 0)).astype(np.int16)
    both = Segmentation(labels, (Segment("mug", 0.9), Segment("mug", 0.8)))
    result = matched(home, 0, both, "object", frozenset({"mug", "banana"}), 25)
    assert [there.category for there in result.there] == ["mug", "banana"]
    assert [seen.match for seen in result.seen] == [NOBODY, 0]
    assert matched(home, 0, both, "object", frozenset({"mug"}), 10_000).seen[1].match == IGNORED


def matches():
    """Two mugs and a banana; a mug is found, the banana is called a mug, and there is a false alarm."""
    there = (GroundTruthInstance(1, "mug", 1.0, 100), GroundTruthInstance(2, "mug", 3.0, 100),
             GroundTruthInstance(3, "banana", 1.2, 100))
    seen = (DetectedInstance("mug", 0.9, 1.0, 0, 0), DetectedInstance("mug", 0.8, 1.2, 1, 2),
            DetectedInstance("mug", 0.7, 2.0, 2, NOBODY))
    return [Matched(there, seen)]


def test_names_count_only_where_they_are_asked_for():
    assert recall(matches()) == pytest.approx(2 / 3) and recall(matches(), (2.0, 9.0)) == 0
    assert found_precision(matches()) == pytest.approx(2 / 3)
    assert named_precision(matches()) == pytest.approx(1 / 3)
    assert named_precision(matches(), categories=frozenset({"mug"})) == pytest.approx(1 / 2)  # the banana is left out
    assert named_precision(matches(), (0.0, 2.5), frozenset({"mug"})) == 1
    assert mean_precision(matches()) == pytest.approx((0.5 + 0) / 2)
    assert recall(matches(), categories=frozenset({"banana"})) == 1


def test_what_has_its_phrase_s_embedding_is_named_right(colours):
    names = colours.objects
    categories = names.categories[:40]
    figures = naming(names.cosines(names.points[:40]), categories, [names] * 40, names.categories[40:45])
    assert figures.first == figures.among_five == 1 and figures.nearest_known < 1
    noise = np.random.default_rng(0).normal(size=(400, names.points.shape[1]))
    chance = naming(names.cosines(noise / np.linalg.norm(noise, axis=1)[:, None]), names.categories[:40] * 10,
                    [names] * 400, categories)
    assert chance.among_five == pytest.approx(0.2, abs=0.08) and chance.first < 0.03


def test_a_house_s_own_kinds_are_told_and_have_figures_of_their_own(folder, colours, monkeypatch):
    """To this house a banana is nothing that a catalogue has."""
    catalogue = {name: entry for name, entry in object_categories().items() if name != "banana"}
    monkeypatch.setattr("dadu.learning.detector.evaluate.object_categories", lambda: catalogue)
    monkeypatch.setattr("dadu.learning.detector.evaluate.own_categories", lambda home: ["banana", "gizmo"])
    before = list(colours.objects.categories)
    collected = collect(colours, DataFolders([folder]).homes("test"))
    assert colours.objects.categories == before, "another house has other kinds"
    assert all("gizmo" in names.categories for names in collected.names)
    figures = report(collected, ())
    assert figures["own"]["categories"] == ["banana"] and figures["own"]["recall"] > 0.5
    assert figures["naming_own"]["things"] > 0 and figures["naming_own"]["first"] > 0.9


def test_a_house_s_own_kinds_are_what_the_catalogue_lacks(folder, tmp_path):
    home = DataFolders([folder]).homes("test")[0][0]
    assert own_categories(home) == []
    other = HomePictures(tmp_path, home.sheet)
    (tmp_path / "house.yaml").write_text("""
house: hut
rooms: [{name: room, category: kitchen, floor: [[0, 0], [4, 0], [4, 4], [0, 4]]}]
furniture: [{name: table_0, category: dining_table, room: room, pose: [2.0, 3.0, -1.5708]}]
objects:
  - {name: lantern_0, category: lantern, on: table_0, shape: cylinder, size: [0.1, 0.1, 0.2]}
  - {name: mug_0, category: mug, on: table_0}
""")
    assert own_categories(other) == ["lantern"]


def test_calibrated_scores_are_shares_of_what_is_right():
    rng = np.random.default_rng(0)
    evidence = rng.normal(size=(4000, 2))
    chance = 1 / (1 + np.exp(-(evidence @ (1.5, -0.5) + 0.3)))
    calibration = calibrated(evidence, rng.random(4000) < chance)
    assert np.abs(calibration.score(evidence) - chance).max() < 0.1


def test_where_nothing_is_wrong_scores_stay_as_they_are():
    assert calibrated(np.ones((5, len(KNOWN))), np.ones(5, bool)) == Curve()


@pytest.fixture(scope="module")
def colours_file():
    from pathlib import Path

    return Path(__file__).parents[2] / "perception" / "data" / "colours.onnx"


@pytest.fixture(scope="module")
def colours(colours_file):
    return LearnedDetector(colours_file)


FACTS = TrainingFacts(categories=("mug", "banana", "table"), held_out=("toy_car",), homes=3, seeds=(1, 3), seed=0,
                      steps=1, pictures=2, different=18, hours=0.1, machine="none", parameters=1000)


def evaluated(weights, folder, out):
    return DetectorRecipe().evaluate(EvaluationOrder(weights, [folder], out, TrainSettings()), lambda line: None)


def test_networks_that_hold_out_other_categories_are_not_measured_together(folder, colours_file, tmp_path, monkeypatch):
    both = iter([FACTS, FACTS.model_copy(update={"held_out": ("toy_train",)})])
    monkeypatch.setattr("dadu.learning.detector.recipe.TrainingFacts.model_validate_json", lambda text: next(both))
    with pytest.raises(ConfigError, match="do not hold out the same categories"):
        evaluated(colours_file, folder, tmp_path)


def test_evaluation_writes_figures_card_and_sheet(folder, colours_file, tmp_path, monkeypatch):
    monkeypatch.setattr("dadu.learning.detector.recipe.TrainingFacts.model_validate_json", lambda text: FACTS)
    figures = evaluated(colours_file, folder, tmp_path)
    json.dumps(figures, allow_nan=False)
    assert figures["pictures"] == 6 and figures["recall"] > 0.5 and figures["furniture"]["recall"] > 0.5
    assert figures["naming_known"]["first"] > 0.9 and figures["recall_held_out"] is None
    card = (tmp_path / "README.md").read_text()
    assert "Apache-2.0" in card and "toy_car" in card and "seeds\n  1 to 3" in card and "dadu train namer" in card
    assert (tmp_path / "hits.png").stat().st_size > 1000
