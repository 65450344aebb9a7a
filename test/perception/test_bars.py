"""Handles by depth: found on doors and drawers where they are, however the camera stands, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.learning.pictures.sensor import measured
from dadu.learning.pictures.settings import DepthNoise
from dadu.perception.bars import attach_bars, find_bars
from dadu.perception.detector import Segment, Segmentation
from test.support.boxworld import SceneBox, look, render

FRIDGE = SceneBox("fridge", (2.0, 0.0, 0.75), (0.6, 0.6, 1.5))
FRONT, WALL = 1.7, SceneBox("wall", (2.4, 0.0, 1.25), (0.1, 4.0, 2.5))
"""the fridge's face is the plane x = FRONT [m], its normal -x: who stands before it has +y on the left"""


def door_bar(y=0.25, z=0.95, length=0.42):
    """A bar with its posts, 4 cm off the face; its middle is at x = FRONT - 0.05."""
    return [SceneBox("bar", (FRONT - 0.05, y, z), (0.02, 0.02, length)), *(
        SceneBox("post", (FRONT - 0.02, y, z + end * (length / 2 - 0.01)), (0.04, 0.02, 0.02)) for end in (-1, 1))]


def drawer_bar(z, length=0.2):
    return [SceneBox("bar", (FRONT - 0.05, 0.0, z), (0.02, length, 0.02)), *(
        SceneBox("post", (FRONT - 0.02, end * (length / 2 - 0.01), z), (0.04, 0.02, 0.02)) for end in (-1, 1))]


def picture(boxes, eye, target=(1.8, 0.0, 0.9), others=()):
    """What the camera shows, and bool (H, W), which pixels are of the piece that consists of `boxes`."""
    frame = render([*boxes, WALL, *others], look(eye, target))
    return frame, (frame.instances > 0) & (frame.instances <= len(boxes))


def bars(frame, mask):
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return find_bars(frame, mask, (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)))


@examples(10)
@given(x=st.floats(-0.6, 0.6), y=st.floats(-1.0, 1.0), up=st.floats(1.1, 1.4))
def test_a_door_s_bar_is_found_from_wherever_one_looks(x, y, up):
    bar, = bars(*picture([FRIDGE, *door_bar()], (x, y, up)))
    assert bar.upright and bar.length == pytest.approx(0.42, abs=0.05)
    np.testing.assert_allclose(bar.centre, (FRONT - 0.05, 0.25, 0.95), atol=0.012)
    assert np.degrees(np.arccos(bar.normal @ np.array((-1.0, 0.0, 0.0)))) < 1.0
    assert (bar.left, bar.right) == (pytest.approx(0.05, abs=0.03), pytest.approx(0.55, abs=0.03))


def test_drawers_have_bars_that_lie():
    found = bars(*picture([FRIDGE, *drawer_bar(1.1), *drawer_bar(0.7)], (0.2, 0.3, 1.3)))
    assert [bar.upright for bar in found] == [False, False]
    assert sorted(bar.centre[2] for bar in found) == pytest.approx([0.7, 1.1], abs=0.012)


@pytest.mark.parametrize(("extra", "what"), [
    ([], "a plain front"),
    ([SceneBox("knob", (FRONT - 0.02, 0.1, 0.9), (0.04, 0.04, 0.04))], "a knob"),
    ([SceneBox("panel", (FRONT - 0.02, 0.0, 0.7), (0.04, 0.5, 0.5))], "a door that is thicker than its neighbour"),
    ([SceneBox("broom", (FRONT - 0.16, 0.0, 0.6), (0.02, 0.02, 1.2))], "something that leans before it"),
])
def test_what_is_no_bar(extra, what):
    assert bars(*picture([FRIDGE, *extra], (0.2, 0.3, 1.3))) == (), what


def test_another_thing_before_the_front_is_no_handle():
    """Its pixels are no part of the mask."""
    pole = SceneBox("pole", (FRONT - 0.05, 0.0, 0.6), (0.02, 0.02, 1.2))
    frame, mask = picture([FRIDGE], (0.2, 0.3, 1.3), others=[pole])
    assert bars(frame, mask) == ()


def test_a_bar_that_the_picture_cuts_off_is_left_for_another_picture():
    frame, mask = picture([FRIDGE, *door_bar(z=0.95, length=0.6)], (0.9, 0.2, 1.3), target=(1.8, 0.2, 1.35))
    assert bars(frame, mask) == ()


@pytest.mark.parametrize("seed", range(4))
def test_a_real_camera_s_depth_is_enough(seed):
    """Depth as an active stereo camera measures it, 1.4 m before the door."""
    frame, mask = picture([FRIDGE, *door_bar()], (0.35, 0.3, 1.3))
    depth = measured(frame.depth, frame.rgb, float(frame.K[0, 0]), DepthNoise(), np.random.default_rng(seed))
    bar, = bars(replace(frame, depth=depth.astype(np.float32) / 1000), mask)
    np.testing.assert_allclose(bar.centre, (FRONT - 0.05, 0.25, 0.95), atol=0.03)
    assert bar.upright


def test_only_what_opens_is_looked_at():
    frame, mask = picture([FRIDGE, *door_bar()], (0.2, 0.3, 1.3))
    for label, count in (("fridge", 1), ("table", 0)):
        seen = attach_bars(frame, Segmentation(mask.astype(np.int16), (Segment(label),)))
        assert len(seen.segments[0].bars) == count
