"""Free spots: inside the edges, clear of everything, next to what they should be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.manipulation.grasp.synthesis import PAD_DEPTH
from dadu.manipulation.placing.free_spots import FINE, Beside, free_spots
from dadu.manipulation.placing.held import UNDERSIDE, WITHIN, HeldExtent, box_in_hand, held_extent
from dadu.robots.manipulator_settings import PlaceSettings
from dadu.robots.poses import tool_pose
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Surface

SETTINGS = PlaceSettings()
BASE = Pose2(0.0, 1.0, 0.0)
DOWN = -np.pi / 2


def table(length=0.8, width=1.2, yaw=0.0) -> Surface:
    return Surface("top", Pose2(0.0, 0.0, yaw), 0.74, (length, width), 2.0)


def spots(surface, side, points=(), beside=None):
    """Of a square thing, its sides along the surface's, as far from its middle as half of `side`."""
    held = HeldExtent(side, side)
    return free_spots(surface, held, surface.pose.yaw, 0.1, np.reshape(points, (-1, 3)), BASE, DOWN, SETTINGS, beside)


things = st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)), max_size=6)


@given(things=things, radius=st.floats(0.03, 0.12), yaw=st.floats(-3, 3))
def test_spots_are_on_the_surface_and_clear(things, radius, yaw):
    surface = table(yaw=yaw)
    points = np.array([(x, y, 0.80) for x, y in things]).reshape(-1, 3)
    for spot in spots(surface, 2 * radius, points):
        local = np.abs(surface.pose.inverse().apply(spot.position[:2]))
        assert np.all(local + radius <= np.array(surface.size) / 2 + 1e-9)
        if len(points):
            assert np.linalg.norm(points[:, :2] - spot.position[:2], axis=1).min() >= radius + SETTINGS.gap - FINE


def test_the_nearest_to_the_arm_comes_first():
    best = spots(table(), 0.08)[0]
    assert best.position[1] > 0.25 and abs(best.position[0]) < 0.05


def test_next_to_something():
    beside = Beside(OrientedBox.upright(0.2, 0.1, 0.75, 0.0, (0.07, 0.07, 0.1)), loose=True)
    found = spots(table(), 0.08, [[0.2, 0.1, 0.8]], beside)
    away = beside.box.away([spot.position[:2] for spot in found])
    assert found and max(away) <= SETTINGS.next_to and min(away) > 0.08


def test_nothing_is_next_to_what_stands_on_another_board():
    above = Beside(OrientedBox.upright(0.2, 0.1, 1.2, 0.0, (0.07, 0.07, 0.1)), loose=True)
    assert spots(table(), 0.08, beside=above) == []


def test_next_to_furniture_is_at_that_end_of_the_table():
    bed = OrientedBox.upright(0.0, 1.2, 0.0, 0.0, (2.0, 1.0, 0.6))  # begins 0.1 m behind the table's edge
    beside = Beside(bed, loose=False)
    found = spots(table(), 0.08, beside=beside)
    assert found and min(spot.position[1] for spot in found) >= 0.7 - SETTINGS.next_to - 1e-9
    assert found[0].position[1] > 0.4


def test_full_or_too_small_has_no_spot():
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, 30), np.linspace(-0.7, 0.7, 40))
    crowd = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, 0.8)])
    assert spots(table(), 0.1, crowd) == []
    assert spots(table(0.1, 0.1), 0.24) == []


@given(things=things, along=st.floats(0.04, 0.3), across=st.floats(0.03, 0.12), heading=st.floats(-3, 3))
def test_what_is_long_covers_a_rectangle_that_turns_with_the_hand(things, along, across, heading):
    surface, points = table(), np.array([(x, y, 0.80) for x, y in things]).reshape(-1, 3)
    ahead = np.array([np.cos(heading), np.sin(heading)])
    for spot in free_spots(surface, HeldExtent(along, across), heading, 0.1, points, BASE, DOWN, SETTINGS)[::20]:
        put = OrientedBox.upright(*spot.position, heading, (along, across, 0.1))
        assert np.all(np.abs(put.outline) <= np.array(surface.size) / 2 + 1e-9)
        assert all(put.away(point[:2]) >= SETTINGS.gap - FINE for point in points)
        assert spot.heading == heading and np.allclose(put.R[:2, 0], ahead)


def test_a_long_thing_fits_beside_a_lamp_on_a_small_table():
    lamp = np.array([(x, y, 0.8) for x in np.linspace(-0.09, 0.09, 9) for y in np.linspace(-0.09, 0.09, 9)])
    small, remote = table(0.4, 0.45), HeldExtent(0.169, 0.045)
    assert not spots(small, 2 * remote.radius, lamp)
    found = free_spots(small, remote, 0.0, 0.03, lamp, BASE, DOWN, SETTINGS)
    assert found and all(abs(spot.position[1]) > 0.14 for spot in found)


def test_what_is_hardly_larger_than_a_table_goes_on_its_middle_and_sticks_out():
    small = table(0.4, 0.45)
    found = spots(small, 0.5)
    assert found and all(np.hypot(*(spot.position[:2] - small.pose[:2])) < 0.03 for spot in found)
    assert not spots(small, 0.6)


def test_the_hand_knows_how_a_thing_lies_in_it_by_how_far_its_fingers_are_apart():
    level = held_extent((0.045, 0.169, 0.03), 0.05, 0.0)
    assert level == HeldExtent(0.169, 0.045, pytest.approx(0.169 / 2 - PAD_DEPTH))
    assert held_extent((0.169, 0.045, 0.03), 0.05, np.pi / 2) == HeldExtent(0.169, 0.045, pytest.approx(0.0))
    assert held_extent((0.19, 0.06, 0.28), 0.185, 0.0).across == 0.19
    by_its_rim = held_extent((0.15, 0.15, 0.07), 0.006, np.pi / 2)
    assert (by_its_rim.along, by_its_rim.across, by_its_rim.aside) == (0.15, 0.15, 0.075), "the bowl to their left"
    assert np.allclose(by_its_rim.middle(np.pi / 2), (-0.075, 0.0, 0.0))
    for size, aperture in (((0.15, 0.15, 0.07), 0.09), ((0.06, 0.17, 0.03), 0.01)):
        anyhow = held_extent(size, aperture, 0.0)
        assert anyhow.along == anyhow.across == pytest.approx(np.hypot(*size[:2])) and anyhow.aside == 0
    T_tool_box, size = box_in_hand(tool_pose((0.1, -0.6, 0.8), 0.0, np.pi / 2), by_its_rim, 0.07, 0.04)
    low, high = (0.8 + T_tool_box[0, 3] * -1 + side * size[2] / 2 for side in (-1, 1))
    assert 0.06 < high - low - 0.07 + UNDERSIDE + WITHIN < 0.08, "it tips, so its other side hangs lower"


@given(heading=st.floats(-3, 3), tilt=st.sampled_from((0.0, 0.6, np.pi / 2)), height=st.floats(0.05, 0.3))
def test_what_is_carried_hangs_upright_from_the_hand(heading, tilt, height):
    held, above = HeldExtent(0.2, 0.06, 0.05), 0.04
    T_base_tool = tool_pose((0.1, -0.6, 0.8), heading, tilt)
    T_tool_box, size = box_in_hand(T_base_tool, held, height, above)
    T_base_box = T_base_tool @ T_tool_box
    assert np.allclose(T_base_box[:3, 2], (0, 0, 1))
    assert np.allclose(T_base_box[:2, 0], (np.cos(heading), np.sin(heading)))
    assert 0.0 <= T_base_box[2, 3] - size[2] / 2 - (0.8 - above) <= UNDERSIDE + WITHIN
    assert np.allclose((T_base_box[:3, 3] - T_base_tool[:3, 3])[:2], 0.05 * T_base_box[:2, 0])
