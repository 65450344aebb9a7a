"""The same picture from the same place is searched once, any other anew."""

import dataclasses

import numpy as np
import pytest

from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import LastLook, perceive
from test.support.boxworld import SceneBox, look, render

TABLE = SceneBox("table_0", (2, 0, 0.7), (1.0, 1.6, 0.04))
CAMERA = look((0.2, 0, 1.35), (2, 0, 0.7))


class Counting(InstanceDetector):
    """Knows how often it was asked."""

    def __init__(self):
        super().__init__(["table_0"], {"table_0": "table"})
        self.asked = 0

    def segment(self, frame):
        self.asked += 1
        return super().segment(frame)


def copied(frame, **changed):
    """As it comes in a message of its own."""
    return dataclasses.replace(frame, rgb=frame.rgb.copy(), depth=frame.depth.copy(),
                               instances=frame.instances.copy(), **changed)


def one_pixel(pixels):
    changed = pixels.copy()
    changed[pixels.shape[0] // 2, pixels.shape[1] // 2] = 0
    return changed


@pytest.fixture
def frame():
    return render([TABLE], CAMERA, scale=2)


def seen(frame, *more):
    """How often the detector was asked, and what is perceived in the last of the pictures."""
    detector, last = Counting(), LastLook()
    frames = [perceive(each, detector, last=last) for each in (frame, *more)]
    return detector.asked, frames[-1]


def test_the_same_again_is_told_with_its_own_stamp_and_pose_and_searched_once(frame):
    breathing = CAMERA.copy()
    breathing[0, 3] += 1e-3
    again = copied(frame, stamp=frame.stamp + 0.2, T_map_camera=breathing)
    asked, told = seen(frame, again)
    anew = perceive(again, Counting())
    assert asked == 1 and told.stamp == again.stamp
    np.testing.assert_array_equal(told.T_map_camera, breathing)
    np.testing.assert_array_equal(told.detections[0].points, anew.detections[0].points)


@pytest.mark.parametrize("which", ["rgb", "depth", "instances"])
def test_a_single_pixel_is_news(frame, which):
    assert seen(frame, dataclasses.replace(frame, **{which: one_pixel(getattr(frame, which))}))[0] == 2


def test_another_place_is_news_even_if_it_looks_the_same(frame):
    moved = CAMERA.copy()
    moved[1, 3] += 0.01
    assert seen(frame, copied(frame, T_map_camera=moved))[0] == 2


def test_who_teaches_the_detector_has_it_look_again(frame):
    detector, last = Counting(), LastLook()
    perceive(frame, detector, last=last)
    last.forget()
    perceive(frame, detector, last=last)
    assert detector.asked == 2


def test_missing_depth_is_equal_to_missing_depth(frame):
    depth = frame.depth.copy()
    depth[:20] = np.nan
    blind = dataclasses.replace(frame, depth=depth)
    assert seen(blind, copied(blind))[0] == 1
