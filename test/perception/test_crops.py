"""Crops: a square around the thing, the same thing from whatever distance, what is unknown said to be so."""

import numpy as np
import pytest

from dadu.core.robot import CameraFrame
from dadu.perception.learned.crops import SIDE, UNKNOWN, View, crop, network_input

LEVEL = np.array([[0.0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 1.2], [0, 0, 0, 1]])
SHAPE = (240, 320)


def seen(left, top, width, height, distance, behind=3.0, cell=1, finer=1):
    """A red thing before a grey wall: the crop of it, by a mask with cells of so many pixels, and by a camera with so
    many times the pixels."""
    K = np.array([[312.0, 0, 160], [0, 312.0, 120], [0, 0, 1]]) * [[finer], [finer], [1]]
    shape = tuple(finer * np.array(SHAPE))
    left, top, width, height = finer * np.array([left, top, width, height])
    rgb, depth, mask = np.full((*shape, 3), 128, np.uint8), np.full(shape, behind, np.float32), np.zeros(shape, bool)
    mask[top:top + height, left:left + width] = True
    rgb[mask], depth[mask] = (255, 0, 0), distance
    return crop(View.from_frame(CameraFrame(0.0, rgb, depth, K, LEVEL)), mask[::cell, ::cell])


def test_the_thing_is_in_the_middle_and_as_large_as_it_may():
    cut = seen(60, 80, 40, 20, 1.4)
    rows, columns = np.nonzero(cut.mask > 127)
    assert np.ptp(columns) + 1 == pytest.approx(SIDE * 40 / (1.3 * 40 + 4), abs=2)
    assert abs(columns.mean() - (SIDE - 1) / 2) < 1 and abs(rows.mean() - (SIDE - 1) / 2) < 1
    assert (cut.rgb[cut.mask == 255] == (255, 0, 0)).all()


def test_the_side_is_told_in_metres_whatever_the_distance():
    near, far = seen(60, 80, 80, 40, 0.7), seen(60, 80, 40, 20, 1.4)
    assert near.sizes[0] == pytest.approx((1.3 * 80 + 4) * 0.7 / 312, rel=0.01)
    assert far.sizes[0] == pytest.approx(near.sizes[0], rel=0.05)


def test_relief_says_how_far_behind_in_sides():
    cut = seen(60, 80, 40, 40, 1.4, behind=1.45)
    wall = cut.relief[0, 0] / 127 * cut.sizes[0]
    assert wall == pytest.approx(0.05, abs=0.004) and abs(int(cut.relief[SIDE // 2, SIDE // 2])) <= 1


def test_what_has_no_depth_says_so():
    cut = seen(60, 80, 40, 40, 0.0)
    assert (cut.relief == UNKNOWN).all() and cut.sizes[0] == 0
    pictures, sizes = network_input([cut])
    assert not pictures[0, 4:].any() and sizes[0, 1] == 0 and np.isfinite(sizes).all()


@pytest.mark.parametrize("left, top", [(0, 0), (310, 232), (0, 232)])
def test_things_at_the_edge_are_cut_out_too(left, top):
    cut = seen(left, top, 10, 8, 1.0)
    assert (cut.mask > 127).any() and np.isfinite(cut.sizes).all()


@pytest.mark.parametrize("cell, finer", [(2, 1), (4, 2)])
def test_a_coarse_mask_of_a_fine_picture_cuts_out_the_same(cell, finer):
    fine, cut = seen(60, 80, 40, 20, 1.4), seen(60, 80, 40, 20, 1.4, cell=cell, finer=finer)
    assert cut.sizes == pytest.approx(fine.sizes * [1, 1, finer], rel=0.01)
    assert np.abs(cut.rgb.astype(int) - fine.rgb).mean() < 2 and np.abs(cut.mask.astype(int) - fine.mask).mean() < 6
    assert np.abs(cut.relief.astype(int) - fine.relief).mean() < 6
