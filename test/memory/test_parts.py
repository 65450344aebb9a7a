"""Doors and drawers: the value read from points is the true one, or none where the points do not tell."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.memory.association.parts import PartReadings, observed_value

GRAPH = build_graph(load_house("flat"))
FRIDGE = GRAPH["fridge_0"]
DOOR = FRIDGE.parts[0]
DRAWER = GRAPH["cabinet_0"].parts[0]


def panel(part, angle, count=200, seed=0):
    """Points on the outer face of a hinged part turned by `angle` [rad]."""
    rng = np.random.default_rng(seed)
    axis, origin, handle = np.array(part.axis), np.array(part.origin), np.array(part.handle)
    width = handle - origin
    width = width - (width @ np.array(part.normal)) * np.array(part.normal)
    width[2] = 0
    flat = origin + rng.uniform(0, 1.05, (count, 1)) * width + rng.uniform(0.1, 1.4, (count, 1)) * [0, 0, 1]
    offset = flat - origin
    c, s = np.cos(angle), np.sin(angle)
    along = (offset @ axis)[:, None] * axis
    return origin + along + c * (offset - along) + s * np.cross(axis, offset)


def front(part, value, count=200, seed=0):
    """Points on the front of a drawer that is out by `value` [m]."""
    rng = np.random.default_rng(seed)
    normal = np.array(part.normal)
    side = np.cross((0, 0, 1), normal)
    face = np.array(part.handle) - 0.05 * normal + value * normal
    return face + rng.uniform(-0.2, 0.2, (count, 1)) * side + rng.uniform(-0.06, 0.06, (count, 1)) * [0, 0, 1]


@examples(25)
@given(angle=st.floats(0.4, 1.7))
def test_an_open_door(angle):
    assert observed_value(DOOR, panel(DOOR, angle)) == pytest.approx(angle, abs=0.05)


@examples(25)
@given(value=st.floats(0.1, 0.39))
def test_an_open_drawer(value):
    assert observed_value(DRAWER, front(DRAWER, value)) == pytest.approx(value, abs=0.06)


def test_a_closed_face_must_be_seen_beside_the_handle():
    assert observed_value(DRAWER, front(DRAWER, 0.0)) == 0.0
    face = panel(DOOR, 0.0) + 0.054 * np.array(DOOR.normal)
    assert observed_value(DOOR, face) == 0.0
    far = face[np.abs(face[:, 2] - DOOR.handle[2]) > 0.3]
    assert observed_value(DOOR, far) is None
    body = face - 0.06 * np.array(DOOR.normal)
    assert observed_value(DOOR, body) is None and observed_value(DOOR, np.empty((0, 3))) is None


def test_the_frame_of_an_opened_door_is_no_closed_face():
    """A microwave's in a niche: its door, 34 cm high, hangs aside, outside the picture."""
    along, normal = np.array((0.0, 0.0, 1.0)), np.array(DOOR.normal)
    face, to_hinge = np.array(DOOR.handle) - 0.05 * normal, np.subtract(DOOR.origin, DOOR.handle) * (1, 1, 0)
    side = (to_hinge - (to_hinge @ normal) * normal) / np.linalg.norm(to_hinge - (to_hinge @ normal) * normal)
    t, z = (v.ravel()[:, None] for v in np.meshgrid(np.linspace(-0.1, 0.4, 26), np.linspace(-0.3, 0.3, 31)))
    framed = face + t * side + z * along
    assert observed_value(DOOR, framed) == 0.0
    assert observed_value(DOOR, framed[(np.abs(z) > 0.17).ravel() | (t < -0.03).ravel()]) is None


def test_a_truncated_view_of_a_drawer_only_ever_opens_it_further():
    known = replace(DRAWER, value=0.4)
    assert observed_value(known, front(DRAWER, 0.2), truncated=True) == pytest.approx(0.4)
    assert observed_value(known, front(DRAWER, 0.2)) < 0.26


def test_one_picture_is_a_hint_and_the_next_that_says_the_same_is_believed():
    """Eleven points that were no door, seen from 4.5 m, had taken an open one for one that is ajar."""
    readings, opened = PartReadings(), replace(FRIDGE, parts=(replace(DOOR, value=1.5), *FRIDGE.parts[1:]))
    nothing, ajar, shut = np.empty((0, 3)), panel(DOOR, 0.45), panel(DOOR, 0.0) + 0.054 * np.array(DOOR.normal)

    def door(points):
        return readings.see(opened, points, False)[0].value
    assert [door(points) for points in (ajar, nothing, panel(DOOR, 1.45), ajar, shut)] == [1.5] * 5
    assert door(nothing) == 1.5 and door(shut) == 0.0, "what does not tell says nothing against it"
