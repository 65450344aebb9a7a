"""The learned detectors over a stand-in for ultralytics that finds what is red, in upright pictures only."""

import dataclasses
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from dadu.knowledge.category_names import categories_by_word
from dadu.perception.detector import Prompted
from dadu.perception.detectors import detector_class, make_detector
from test.support.boxworld import SceneBox, look, render

UPRIGHT = render([SceneBox("cup", (1, 0, 1), (0.1, 0.2, 0.2))], look((0, 0, 1), (1, 0, 1)), scale=4)


class Tensor:
    def __init__(self, values):
        self._values = np.asarray(values)

    def cpu(self):
        return self

    def numpy(self):
        return self._values


class Model:
    """Two classes of what is red: a cup, and something that no catalogue has."""

    names = {0: "Cup", 1: "gizmo"}

    def __init__(self, weights):
        self.weights = weights

    def get_text_pe(self, words):
        return len(words)

    def set_classes(self, words, embedding):
        assert embedding == len(words)
        self.words = words
        self.names = {0: "cup", 1: words[0]} if "cup" in words else {}

    def predict(self, picture, conf, retina_masks, verbose):
        red = (picture[..., 2] > 150) & (picture[..., 0] < 100)  # BGR
        assert not red.any() or red[: len(red) // 2].any(), "the picture stands on its head"
        if not red.any():
            return [SimpleNamespace(masks=None, boxes=None, names=self.names)]
        boxes = SimpleNamespace(cls=Tensor([0.0, 1.0]), conf=Tensor([0.9, 0.5]))
        return [SimpleNamespace(masks=SimpleNamespace(data=Tensor([red, ~red])), boxes=boxes, names=self.names)]


@pytest.fixture(autouse=True)
def ultralytics(monkeypatch):
    module = ModuleType("ultralytics")
    module.YOLO = module.YOLOE = Model
    monkeypatch.setitem(sys.modules, "ultralytics", module)
    monkeypatch.delitem(sys.modules, "dadu.perception.ultralytics_detector", raising=False)
    yield
    sys.modules.pop("dadu.perception.ultralytics_detector", None)


def painted(turns):
    """The picture with a red patch in its upper half, of a camera that is rolled by so many quarter turns."""
    rgb = np.zeros((*UPRIGHT.depth.shape, 3), np.uint8)
    rgb[5:25, 40:70] = (220, 20, 20)
    roll = np.eye(4)
    angle = turns * np.pi / 2
    roll[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return dataclasses.replace(UPRIGHT, rgb=np.ascontiguousarray(np.rot90(rgb, turns)),
                               depth=np.ascontiguousarray(np.rot90(UPRIGHT.depth, turns)), instances=None,
                               T_map_camera=UPRIGHT.T_map_camera @ roll)


@pytest.mark.parametrize("turns", range(4))
def test_masks_lie_where_the_thing_is_however_the_camera_is_mounted(turns):
    frame = painted(turns)
    segmentation = detector_class("yolo")().segment(frame)
    assert [s.label for s in segmentation.segments] == ["cup"], "what the catalogue lacks is left out"
    np.testing.assert_array_equal(segmentation.labels == 1, frame.rgb[..., 0] > 150)


def test_a_picture_without_a_find():
    segmentation = detector_class("yolo")("mine.pt").segment(dataclasses.replace(UPRIGHT, rgb=UPRIGHT.rgb * 0))
    assert segmentation.segments == () and not segmentation.labels.any()


def test_the_open_vocabulary_is_the_catalogue():
    segmentation = detector_class("open_vocabulary")().segment(painted(0))
    assert segmentation.segments[0].label == "cup"


def test_what_a_thing_is_said_to_look_like_is_looked_for_too():
    detector = detector_class("open_vocabulary")()
    assert isinstance(detector, Prompted)
    detector.look_for("lemon", "Yellow  oval fruit")
    words = detector._model.words
    assert "yellow oval fruit" in words and {"cup", "lemon"} <= set(words)
    assert detector._categories["yellow oval fruit"] == "lemon"
    for number in range(9):
        detector.look_for("lemon", f"fruit number {number}")
    assert "fruit number 8" in detector._model.words and len(detector._model.words) == len(words) + 3, "bounded"
    detector.forget_looks()
    assert set(detector._model.words) == set(words) - {"yellow oval fruit"}
    assert not isinstance(detector_class("yolo")(), Prompted)


def test_a_house_s_own_kinds_of_things_are_looked_for_too():
    detector = make_detector("open_vocabulary", categories=["gizmo", "snow_globe", "cup"])
    assert {"gizmo", "snow globe", "cup"} <= set(detector._model.words)
    assert detector._categories["snow globe"] == "snow_globe"
    detector.look_for("snow_globe", "a glass ball with snow")
    assert {"snow globe", "a glass ball with snow"} <= set(detector._model.words)


def test_what_a_model_calls_by_the_name_of_a_house_s_own_kind_is_kept():
    found = make_detector("yolo", categories=["gizmo"]).segment(painted(0))
    assert {segment.label for segment in found.segments} == {"cup", "gizmo"}


def test_words_of_common_datasets_are_known():
    words = categories_by_word()
    assert {words[w] for w in ("refrigerator", "dining table", "cup", "bottle", "apple")} >= {
        "fridge", "dining_table", "cup", "apple"}
