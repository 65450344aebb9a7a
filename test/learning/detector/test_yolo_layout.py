"""Pictures as YOLO reads them: outlines that give the masks back, classes by name, the same export once."""

import cv2
import numpy as np
import pytest
import yaml

from dadu.core.errors import ConfigError, MissingExtra
from dadu.learning.detector import yolo_run
from dadu.learning.detector.yolo_layout import export, outline
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.facts import DataFolders
from dadu.learning.recipe.order import TrainOrder
from dadu.learning.recipe.settings import KeptRunSettings


def filled(points, shape):
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.int32(points * np.array(shape[::-1]))], 1)
    return mask.astype(bool)


def test_an_outline_gives_its_mask_back():
    """Two pieces and a dent."""
    mask = np.zeros((40, 60), bool)
    mask[5:20, 4:30], mask[30:38, 50:58], mask[5:12, 10:15] = True, True, False
    found = filled(outline(mask), mask.shape)
    assert found[mask].all()
    assert (found & ~mask).sum() < 40, "the line between the pieces, and the dent's edge"


@pytest.fixture(scope="module")
def exported(folder, tmp_path_factory):
    return export(DataFolders([folder]), tmp_path_factory.mktemp("yolo") / "pictures")


def test_classes_are_objects_and_furniture_in_the_detector_s_words(exported):
    sheet = yaml.safe_load(exported.read_text())
    assert sheet["names"] == {0: "banana", 1: "mug", 2: "table"}
    assert len(list(exported.parent.glob("images/train/*.png"))) == 18
    assert len(list(exported.parent.glob("images/val/*.png"))) == 6


def test_labels_are_the_masks(folder, exported):
    """A door is its table's."""
    home = DataFolders([folder]).homes("train")[0][0]
    image = cv2.imread(str(exported.parent / "images/train/0-1-0.png"))
    np.testing.assert_array_equal(image[..., ::-1], home.rgb[0])
    lines = (exported.parent / "labels/train/0-1-0.txt").read_text().splitlines()
    shown = {int(line.split()[0]): np.array(line.split()[1:], float).reshape(-1, 2) for line in lines}
    numbers = np.where(home.instances[0] == 4, 1, home.instances[0])
    for number, points in shown.items():
        mask = numbers == {0: 3, 1: 2, 2: 1}[number]
        if number != 2:  # a thing may stand before the table, and cut a hole
            assert (filled(points, mask.shape) != mask).sum() <= 2
        else:
            assert filled(points, mask.shape)[mask].all()
    assert 2 in shown and len(shown) >= 2


def test_a_house_s_own_kind_is_a_class(folder, monkeypatch, tmp_path):
    read = HomePictures.labels.func

    def renamed(home):
        return tuple(labels.model_copy(update={"instances": tuple(
            thing.model_copy(update={"category": "snow_globe"}) if thing.category == "mug" else thing
            for thing in labels.instances)}) for labels in read(home))

    monkeypatch.setattr(HomePictures, "labels", property(renamed))
    assert "snow globe" in yaml.safe_load(export(DataFolders([folder]), tmp_path / "out").read_text())["names"].values()


def test_pictures_that_are_there_are_kept_and_those_of_other_homes_refused(folder, exported):
    picture = next(exported.parent.glob("images/train/*.png"))
    before = picture.stat().st_mtime_ns
    assert export(DataFolders([folder]), exported.parent) == exported and picture.stat().st_mtime_ns == before
    with pytest.raises(ConfigError, match="other homes"):
        export(DataFolders([folder, folder]), exported.parent)


def test_without_ultralytics_the_extra_is_named(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("dadu.learning.recipe.order.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"ultralytics.*\[vision\]"):
        yolo_run.train("yolo11n-seg", TrainOrder([folder], tmp_path, KeptRunSettings(), steps=1), print)
