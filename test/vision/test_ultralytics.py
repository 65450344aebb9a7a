"""Detectors of ultralytics on its real classes with random weights. The encoders of words, whose weights are published
apart, have a stand-in: every text is a random point."""

import sys
import zlib
from types import SimpleNamespace

import numpy as np
import pytest

from dadu.knowledge.category_names import categories_by_word
from dadu.perception.detectors import make_detector
from test.support.boxworld import SceneBox, look, render

pytestmark = pytest.mark.needs("foundation")
FRAME = render([SceneBox("a", (1, 0, 1), (0.1, 0.2, 0.2)), SceneBox("b", (2, 0, 1), (0.1, 3, 3))],
               look((0, 0, 1), (1, 0, 1)), scale=4)


@pytest.fixture(autouse=True)
def words(monkeypatch):
    import torch

    class RandomPoints:
        def tokenize(self, texts):
            return torch.tensor([[zlib.crc32(text.encode())] for text in texts])

        def encode_text(self, tokens):
            rows = [np.random.default_rng(int(token)).normal(size=512) for token in tokens]
            return torch.nn.functional.normalize(torch.tensor(np.array(rows), dtype=torch.float32), dim=-1)

    encoders = SimpleNamespace(build_text_model=lambda *_args, **_named: RandomPoints())
    monkeypatch.setitem(sys.modules, "ultralytics.nn.text_model", encoders)  # the real one imports a package from git


def test_yolo_cuts_out_what_the_catalogue_knows(monkeypatch):
    """Every second name is none of the catalogue's."""
    from dadu.perception import ultralytics_detector

    monkeypatch.setattr(ultralytics_detector, "_CONFIDENCE", 1e-6)
    detector = make_detector("yolo", "yolo11n-seg.yaml")
    known = sorted(categories_by_word())
    detector._model.model.names = {number: f"unheard of {number}" if number % 2 else known[number]
                                   for number in detector._model.model.names}
    segmentation = detector.segment(FRAME)
    assert segmentation.labels.shape == FRAME.depth.shape and segmentation.labels.any()
    found = {segment.label for segment in segmentation.segments}
    assert found and found <= {categories_by_word()[name] for name in known[:80:2]}


def test_yoloe_is_told_what_to_look_for(monkeypatch):
    from dadu.perception import ultralytics_detector

    monkeypatch.setattr(ultralytics_detector, "_CONFIDENCE", 1e-6)
    detector = make_detector("open_vocabulary", "yoloe-11s-seg.yaml")
    before = len(detector._model.names)
    detector.look_for("mug", "a red one with a handle")
    assert len(detector._model.names) == before + 1
    detector.add_categories(["mug", "snow_globe"])
    assert len(detector._model.names) == before + 2 and "snow globe" in detector._model.names.values()
    assert detector.segment(FRAME).labels.shape == FRAME.depth.shape


def test_yolo_world_finds_boxes_for_words(monkeypatch):
    from dadu.perception.foundation import yolo_world

    monkeypatch.setattr(yolo_world, "_LEAST", 1e-6)
    finder = yolo_world.YoloWorld("yolov8s-worldv2.yaml")
    boxes = finder.find(FRAME.rgb, ["mug", "milk carton", "soda can"])
    assert boxes.corners.shape == (len(boxes.scores), 4) and len(boxes.corners)
    assert ((boxes.scores > 0).sum(axis=1) == 1).all()
    assert (boxes.corners[:, :2] <= boxes.corners[:, 2:]).all()
    assert finder.find(FRAME.rgb, ["mug"]).scores.shape[1] == 1
