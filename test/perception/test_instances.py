"""Pixels to instances: parted where depth jumps, cut between middles, never more than the network saw."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dadu.perception.learned.instances import InstanceSettings, furniture, objects

SHAPE = (24, 40)
SETTINGS = InstanceSettings(least_pixels=4, least_furniture=4)


def said(object_mask=None, furniture_mask=None, middles=()):
    """What the network would say of masks; `middles`: row and column of each, pixels point to the nearest."""
    geometry = np.zeros((6, *SHAPE), np.float32)
    for i, mask in ((1, furniture_mask), (2, object_mask)):
        if mask is not None:
            geometry[i][mask] = 0.9
    rows, columns = np.mgrid[:SHAPE[0], :SHAPE[1]]
    if middles:
        away = np.array([(rows - r) ** 2 + (columns - c) ** 2 for r, c in middles])
        nearest = np.array(middles)[away.argmin(axis=0)]
        geometry[4], geometry[5] = nearest[..., 1] - columns, nearest[..., 0] - rows
    for r, c in middles:
        geometry[3, r, c] = 0.9
    return geometry


def box(top, left, height, width):
    mask = np.zeros(SHAPE, bool)
    mask[top:top + height, left:left + width] = True
    return mask


def flat(depth=1.0):
    return np.full(SHAPE, depth, np.float32)


def test_what_touches_is_cut_between_the_middles():
    mask = box(5, 5, 10, 20)
    labels = objects(said(mask, middles=[(10, 9), (10, 20)]), flat(), SETTINGS)
    assert labels.max() == 2 and labels[10, 9] != labels[10, 20] and (labels > 0).sum() == mask.sum()
    assert len(np.unique(labels[5:15, 5:14])) == 1


def test_one_middle_or_none_cuts_nothing():
    mask = box(5, 5, 10, 20)
    for middles in ([], [(10, 9)]):
        assert objects(said(mask, middles=middles), flat(), SETTINGS).max() == 1


def test_a_middle_of_something_else_cuts_nothing():
    one, other = box(2, 2, 6, 6), box(2, 20, 6, 6)
    labels = objects(said(one | other, middles=[(5, 5), (5, 23)]), flat(), SETTINGS)
    assert labels.max() == 2 and len(np.unique(labels[one])) == len(np.unique(labels[other])) == 1


def test_a_jump_in_depth_parts_and_a_slope_does_not():
    mask, depth = box(5, 5, 10, 20), flat()
    depth[:, 15:] = 1.1
    assert objects(said(mask), depth, SETTINGS).max() == 2
    slope = 1.0 + 0.01 * np.arange(SHAPE[1], dtype=np.float32)[None].repeat(SHAPE[0], axis=0)
    assert objects(said(mask), slope, SETTINGS).max() == 1


def test_crumbs_are_left_out():
    assert objects(said(box(0, 0, 1, 3) | box(10, 10, 5, 5)), flat(), SETTINGS).max() == 1


def test_furniture_of_two_kinds_is_two_pieces():
    mask, category = box(5, 5, 10, 20), np.zeros(SHAPE, int)
    category[:, 15:] = 3
    assert furniture(said(furniture_mask=mask), category, flat(), SETTINGS).max() == 2


@given(seed=st.integers(0, 2**32 - 1))
def test_every_instance_is_seen_large_enough_and_numbered_without_gaps(seed):
    rng = np.random.default_rng(seed)
    geometry = rng.random((6, *SHAPE), np.float32)
    depth = rng.choice([0.0, 1.0, 1.01, 2.0], SHAPE).astype(np.float32)
    labels = objects(geometry, depth, SETTINGS)
    assert not labels[geometry[2] <= SETTINGS.object_probability].any()
    sizes = np.bincount(labels.ravel())[1:]
    assert (sizes >= SETTINGS.least_pixels).all()
