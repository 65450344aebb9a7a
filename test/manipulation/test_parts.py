"""Handles of hinged and sliding parts: where they go, and how far open they look."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.manipulation.articulation.part_sense import aligned, sense
from dadu.manipulation.articulation.parts import TIP, handle_pose, leaf, motion, push_pose, radius, value_at
from dadu.manipulation.articulation.widening import INNER, OUTER, door_end_pose, value_at_end
from dadu.world.graph import Articulation

DOOR = Articulation("door", "hinge", (0.0, -0.3, 0.0), (0.0, 0.0, -1.0), (0.07, 0.25, 0.95), (0.0, 0.0, 1.0),
                    (1.0, 0.0, 0.0), 1.7)
DRAWER = Articulation("drawer", "slide", (0.0, 0.0, 0.6), (1.0, 0.0, 0.0), (0.07, 0.0, 0.6), (0.0, 1.0, 0.0),
                      (1.0, 0.0, 0.0), 0.4)


@pytest.mark.parametrize("part", [DOOR, DRAWER])
@given(share=st.floats(0.0, 1.0))
def test_the_value_is_read_off_the_handle(part, share):
    value = share * part.range
    assert value_at(part, handle_pose(part, value)[:3, 3]) == pytest.approx(value, abs=1e-6)


@given(value=st.floats(0.0, 1.7))
def test_a_hinged_handle_keeps_its_distance_and_the_hand_its_angle(value):
    T = handle_pose(DOOR, value)
    assert np.linalg.norm(T[:2, 3] - (0.0, -0.3)) == pytest.approx(radius(DOOR))
    closed = handle_pose(DOOR, 0.0)
    assert np.arccos(np.clip(closed[:3, 0] @ T[:3, 0], -1, 1)) == pytest.approx(value, abs=1e-6)
    np.testing.assert_allclose(T[:3, 2], (0, 0, 1), atol=1e-9)


def test_opening_brings_the_handle_out():
    assert handle_pose(DOOR, 0.3)[0, 3] > handle_pose(DOOR, 0.0)[0, 3]
    assert handle_pose(DRAWER, 0.3)[0, 3] == pytest.approx(0.37)


def test_fingers_close_across_the_bar():
    assert abs(handle_pose(DOOR, 0.0)[:3, 1] @ DOOR.handle_axis) < 1e-9
    assert abs(handle_pose(DRAWER, 0.0)[:3, 1] @ DRAWER.handle_axis) < 1e-9


def test_pushing_meets_the_front_from_outside():
    T = push_pose(DOOR, 0.0, 0.40)
    assert T[0, 0] == pytest.approx(-1.0)
    tip = T[:3, 3] + 0.022 * T[:3, 0]
    np.testing.assert_allclose(tip, (0.02, 0.1, 0.95), atol=1e-6)


def front_points(part, value) -> np.ndarray:
    y, z = np.meshgrid(np.linspace(-0.25, 0.25, 40), np.linspace(-0.3, 0.3, 40))
    if part.kind == "slide":
        y, z = y * 0.6, z * 0.3
    points = np.column_stack([np.full(y.size, 0.02), y.ravel(), z.ravel() + part.handle[2]])
    T = motion(part, value)
    return points @ T[:3, :3].T + T[:3, 3]


@pytest.mark.parametrize("part", [DOOR, DRAWER])
@given(share=st.floats(0.0, 1.0))
def test_openness_is_seen(part, share):
    value = share * part.range
    assert sense(part, front_points(part, value)) == pytest.approx(value, abs=0.05 * part.range)


def test_a_drawer_is_as_open_as_its_front_whatever_lies_in_it():
    thing = np.random.default_rng(0).uniform((0.18, -0.03, 0.57), (0.22, 0.03, 0.63), (280, 3))
    front = front_points(DRAWER, 0.38)
    front = front[np.abs(front[:, 2] - 0.6) < 0.06][::8]
    assert len(front) < 0.5 * len(thing)
    assert sense(DRAWER, np.concatenate([front, thing])) == pytest.approx(0.38, abs=0.02)


def test_nothing_seen_is_no_value():
    assert sense(DOOR, np.zeros((0, 3))) is None
    assert sense(DOOR, np.random.default_rng(0).uniform(3, 4, (500, 3))) is None


@pytest.mark.parametrize("part", [DOOR, DRAWER])
@given(across=st.floats(-0.04, 0.04), out=st.floats(-0.02, 0.02), share=st.floats(0.0, 1.0))
def test_a_part_is_found_where_it_is_seen(part, across, out, share):
    value = share * part.range
    side = np.cross(part.handle_axis, part.normal)
    line = np.linspace(-0.1, 0.1, 15)[:, None] * np.array(part.handle_axis)
    bar = np.array(part.handle) + 0.01 * np.array(part.normal) + np.concatenate([line - 0.008 * side,
                                                                                line + 0.008 * side])
    y, z = np.meshgrid(np.linspace(-0.2, 0.2, 20), np.linspace(-0.2, 0.2, 20))
    face = np.array(part.handle) + np.column_stack([np.full(y.size, -0.05), y.ravel(), z.ravel()])
    shift = across * side + out * np.array(part.normal)
    T = motion(part, value)
    seen = aligned(part, value, (np.concatenate([bar, face]) + shift) @ T[:3, :3].T + T[:3, 3])
    np.testing.assert_allclose(np.array(seen.handle) - part.handle, shift, atol=0.004)


@given(across=st.floats(-0.04, 0.04), side=st.sampled_from((-0.104, 0.104)))
def test_of_a_pair_of_doors_the_bar_is_its_own(across, side):
    """The neighbour's bar is seen, too, and more of it."""
    line, y = np.linspace(-0.1, 0.1, 20), np.array(DOOR.handle) + (0.01, across, 0.0)
    own = y + np.column_stack([np.zeros(20), np.repeat((-0.008, 0.008), 10), line])
    other = y + np.column_stack([np.zeros(60), side + np.tile((-0.008, 0.0, 0.008), 20), np.repeat(line, 3)])
    seen = aligned(DOOR, 0.0, np.concatenate([own, other]))
    assert seen.handle[1] - DOOR.handle[1] == pytest.approx(across, abs=0.004)


@given(value=st.floats(0.0, 1.7))
def test_a_leaf_has_two_faces_that_no_fingertip_slips_through(value):
    points = leaf(replace(DOOR, value=value))
    T = motion(DOOR, value)
    closed = (points - T[:3, 3]) @ T[:3, :3]
    fingertip = np.array([0.022, 0.022, 0.036]) / 2
    for x in (0.0, 0.02):  # the hinge lies in the inner face, the outer one stands `handle` less its bar before it
        for y, z in ((-0.2, 0.7), (0.1, 1.0), (0.24, 1.2)):
            assert (np.abs(closed - (x, y, z)) <= fingertip).all(axis=1).sum() >= 3


@pytest.mark.parametrize("side", [INNER, OUTER])
@given(value=st.floats(0.5, 1.6))
def test_a_hand_at_the_end_of_a_leaf_touches_it_on_its_side_and_tells_where_it_stands(side, value):
    T = door_end_pose(DOOR, value, side)
    assert value_at_end(DOOR, T[:3, 3], side) == pytest.approx(value, abs=0.02)
    fingers = T[:3, 3] + np.linspace(-0.1, TIP, 20)[:, None] * T[:3, 0]
    T_leaf = motion(DOOR, value)
    closed = (fingers - T_leaf[:3, 3]) @ T_leaf[:3, :3]
    inner, outer = closed[:, 0] < 0.0, closed[:, 0] > 0.02
    assert (inner if side == INNER else outer).all()
