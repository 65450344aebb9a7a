"""What stands on something level, by depth alone, whatever the camera."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.perception.learned.things import CutThings, joined
from dadu.perception.learned.weights import KNOWN
from dadu.perception.standing import standing_things

TABLE = (1.6, 0.0, 0.0, 0.5, 0.6, 0.75)
"""x and y of the middle, the lowest height, half of the extents, the highest [m]"""


def on_the_table(x, y, half, tall):
    return (1.6 + x, y, 0.75, half, half, 0.75 + tall)


def seen(boxes, *, focal=160.0, height=1.3, pitch=0.5, shape=(120, 160), noise=0.0):
    """Depth (h, w), the box that each pixel shows (-1: floor or wall), K, T_map_camera: from the origin along x,
    `pitch` [rad] downwards, in a room whose wall is 4 m away."""
    rows, columns = np.mgrid[:shape[0], :shape[1]]
    K = np.array([[focal, 0, shape[1] / 2], [0, focal, shape[0] / 2], [0, 0, 1]])
    forward, down = (np.cos(pitch), 0, -np.sin(pitch)), (-np.sin(pitch), 0, -np.cos(pitch))
    T = np.eye(4)
    T[:3, :3], T[2, 3] = np.column_stack([(0, -1, 0), down, forward]), height
    rays = np.stack([(columns - K[0, 2]) / focal, (rows - K[1, 2]) / focal, np.ones(shape)], axis=-1) @ T[:3, :3].T
    with np.errstate(divide="ignore", invalid="ignore"):
        depth = np.minimum(np.where(rays[..., 2] < 0, -height / rays[..., 2], np.inf), 4 / rays[..., 0])
        shown = np.full(shape, -1)
        for i, (x, y, low, half_x, half_y, high) in enumerate(boxes):
            first = (np.array([x - half_x, y - half_y, low]) - (0, 0, height)) / rays
            last = (np.array([x + half_x, y + half_y, high]) - (0, 0, height)) / rays
            enter, leave = np.minimum(first, last).max(axis=-1), np.maximum(first, last).min(axis=-1)
            hit = (enter < leave) & (enter > 0) & (enter < depth)
            depth, shown = np.where(hit, enter, depth), np.where(hit, i, shown)
    depth = depth + noise * depth ** 2 * np.random.default_rng(0).normal(size=shape)
    return depth.astype(np.float32), shown, K, T


def best(labels, mask):
    """Intersection over union of the part that fits `mask` best."""
    return max((((labels == i) & mask).sum() / ((labels == i) | mask).sum() for i in range(1, labels.max() + 1)),
               default=0.0)


@settings(max_examples=8, deadline=None)
@given(focal=st.floats(130, 220), height=st.floats(1.35, 1.6), noise=st.sampled_from([0.0, 0.001]))
def test_things_on_a_table_are_found_each_once_whatever_the_camera(focal, height, noise):
    things = [on_the_table(-0.2, -0.3, 0.04, 0.15), on_the_table(0.1, 0.1, 0.06, 0.1),
              on_the_table(-0.2, 0.3, 0.03, 0.2)]
    pitch = float(np.arctan2(height - 0.75, 1.6))
    depth, shown, K, T = seen([TABLE, *things], focal=focal, height=height, pitch=pitch, noise=noise)
    labels, levels = standing_things(depth, K, T)
    assert labels.max() == len(things) and levels == pytest.approx([0.75] * len(things), abs=0.02)
    assert all(best(labels, shown == i + 1) > 0.5 for i in range(len(things)))


def test_what_stands_on_the_floor_is_found_and_what_is_large_is_not():
    depth, shown, K, T = seen([(2.0, -0.4, 0, 0.1, 0.1, 0.3), (2.5, 0.6, 0, 0.3, 0.4, 1.0)])
    labels, levels = standing_things(depth, K, T)
    assert best(labels, shown == 0) > 0.5 and levels == pytest.approx([0], abs=0.02)


def test_an_empty_room_or_no_depth_has_nothing_standing_in_it():
    depth, _, K, T = seen([TABLE], noise=0.001)
    assert not standing_things(depth, K, T)[0].any()
    for nothing in (np.zeros_like(depth), np.full_like(depth, np.nan)):
        assert not standing_things(nothing, K, T)[0].any()


def joined_with(labels, standing, level=0.75, probability=0.0, objects=1):
    """`labels` of so many objects, else furniture, with what is `standing` at that level, which the network takes for
    objects with log-odds of `probability`."""
    count = len(np.unique(labels[labels > 0]))
    things = CutThings(labels.astype(np.int16), min(objects, count), np.zeros((count, len(KNOWN))))
    sure = np.eye(len(KNOWN))[[0]] * probability
    return joined(things, standing, np.array([level] * int(standing.max())), lambda found: np.repeat(
        sure, int(found.max()), axis=0))


def test_what_the_network_does_not_see_is_told_unless_it_rules_it_out():
    nothing, standing = np.zeros((20, 30), int), np.zeros((20, 30), int)
    standing[5:10, 5:10] = 1
    told = joined_with(nothing, standing)
    assert (told.objects, told.unseen) == (1, 1) and ((told.labels == 1) == (standing == 1)).all()
    assert joined_with(nothing, standing, probability=-7).objects == 0


def test_what_the_network_sees_in_part_becomes_whole_and_what_it_sees_as_two_stays_two():
    standing = np.zeros((20, 30), int)
    standing[5:10, 5:15] = 1
    part = np.where(np.arange(30) < 10, standing, 0)
    whole = joined_with(part, standing)
    assert (whole.objects, whole.unseen) == (1, 0) and ((whole.labels == 1) == (standing == 1)).all()
    two = np.where(np.arange(30) < 10, standing, 2 * standing)
    assert (joined_with(two, standing, objects=2).labels == two).all()


@pytest.mark.parametrize("level, told", [(0.0, 0), (0.75, 1)])
def test_what_the_network_takes_for_furniture_is_some_where_it_stands_on_the_floor(level, told):
    standing, labels = np.zeros((20, 30), int), np.ones((20, 30), int)
    standing[5:10, 5:15] = 1
    assert joined_with(labels, standing, level, objects=0).unseen == told


def test_furniture_of_which_nothing_is_left_is_none():
    standing = np.zeros((20, 30), int)
    standing[5:10, 5:15] = 1
    table = np.zeros((20, 30), int)
    table[15:], table[6:8, 6:8] = 1, 2  # a small one besides, where the thing stands
    told = joined_with(table, standing, objects=0)
    assert (told.objects, len(told.evidence)) == (1, 2) and set(np.unique(told.labels)) == {0, 1, 2}
    assert ((told.labels == 1) == (standing == 1)).all() and (told.labels[15:] == 2).all()
