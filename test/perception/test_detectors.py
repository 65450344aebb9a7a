"""Detectors: the instance detector, overlapping masks, colours, and the registry's errors."""

import dataclasses

import numpy as np
import pytest

from dadu.core.errors import ConfigError, MissingExtra, NotUsable
from dadu.perception import detectors
from dadu.perception.colors import lightness, majority_colors
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.instance_detector import InstanceDetector, NoInstances
from test.support.boxworld import SceneBox, look, render

BOXES = [SceneBox("a", (1, 0, 1), (0.1, 0.2, 0.2)), SceneBox("b", (2, 0, 1), (0.1, 3, 3))]
FRAME = render(BOXES, look((0, 0, 1), (1, 0, 1)), scale=4)


def test_instances_without_a_category_are_not_detected():
    segmentation = InstanceDetector(["a", "b"], {"b": "wall"}).segment(FRAME)
    assert [s.label for s in segmentation.segments] == ["wall"]
    np.testing.assert_array_equal(segmentation.labels > 0, FRAME.instances == 2)


def test_pictures_that_do_not_fit_the_names():
    with pytest.raises(NoInstances, match="simulation only"):
        InstanceDetector([], {}).segment(dataclasses.replace(FRAME, instances=None))
    for instances in (FRAME.instances, FRAME.instances - 2):  # one too many, and one below none
        with pytest.raises(NotUsable, match="another scene"):
            InstanceDetector(["a"], {"a": "mug"}).segment(dataclasses.replace(FRAME, instances=instances))


def test_contested_pixels_go_to_the_higher_score():
    left, both = np.array([[True, False]]), np.array([[True, True]])
    segmentation = Segmentation.from_masks([left, both], [Segment("mug", 0.9), Segment("cup", 0.4)])
    assert segmentation.labels.tolist() == [[1, 2]]
    with pytest.raises(ValueError, match="1 masks for 2"):
        Segmentation.from_masks([left], [Segment("mug"), Segment("cup")])


@pytest.mark.parametrize(("rgb", "name"), [
    ((250, 250, 245), "white"), ((15, 15, 18), "black"), ((128, 128, 130), "grey"), ((200, 30, 30), "red"),
    ((120, 20, 20), "red"), ((240, 140, 30), "orange"), ((235, 210, 50), "yellow"), ((50, 160, 60), "green"),
    ((40, 70, 200), "blue"), ((120, 60, 170), "purple"), ((250, 160, 190), "pink"), ((110, 70, 40), "brown"),
    ((25, 76, 74), "teal"), ((170, 135, 90), "brown"), ((120, 35, 30), "red"), ((26, 40, 68), "blue"),
    ((80, 79, 40), "green"),
])
def test_color_names(rgb, name):
    pixels = np.array([rgb] * 3 + [(0, 255, 0)], np.uint8)
    assert majority_colors(pixels, np.zeros(4, int), 2) == [name, ""]


def test_a_white_thing_in_shade_is_white_and_a_grey_one_grey():
    shades = np.array([0.4, 0.5, 0.6, 0.7])
    white, grey = (np.repeat((255 * shades * albedo).astype(np.uint8)[:, None], 3, axis=1) for albedo in (0.95, 0.56))
    pixels, owner = np.vstack([white, grey]), np.repeat([0, 1], 4)
    assert majority_colors(pixels, owner, 2) == ["white", "grey"]


def test_how_light_things_are():
    pixels = np.array([(120, 20, 20), (200, 30, 30), (255, 255, 255), (255, 255, 255), (0, 0, 0)], np.uint8)
    light = lightness(pixels, np.array([0, 1, 2, 2, 4]), 5)
    assert 0 < light[0] < light[1] < light[2] and light[2:].tolist() == pytest.approx([1, 0, 0])


def test_registry_names_the_choices_and_the_missing_extra(monkeypatch):
    assert detectors.detector_class("ground_truth") is InstanceDetector
    with pytest.raises(ConfigError, match="valid: ground_truth"):
        detectors.detector_class("telepathy")
    monkeypatch.setitem(detectors.DETECTORS, "heavy", detectors.Registration("no_such_library.x:Y", "vision"))
    with pytest.raises(MissingExtra, match=r"\.\[vision\]"):
        detectors.detector_class("heavy")


def test_a_class_of_ones_own_is_named_by_where_it_is(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("class Mine:\n    pass\n")
    assert detectors.detector_class(f"{mine}:Mine").__name__ == "Mine"
    assert detectors.detector_class("dadu.perception.instance_detector:InstanceDetector") is InstanceDetector


@pytest.mark.parametrize(("name", "complaint"), [
    ("{folder}/none.py:Mine", "No such file"), ("{folder}/empty.py:Mine", "no 'Mine' in"), (":Mine", "valid: "),
    ("mine.py:", "valid: "), ("no_such_package.x:Mine", "No module named"),
])
def test_what_is_not_where_it_was_said_to_be_is_named(name, complaint, tmp_path):
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(ConfigError, match=complaint):
        detectors.detector_class(name.format(folder=tmp_path))
