"""Free spots: inside the edges, clear of everything, next to what they should be."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.manipulation.placing.free_spots import Beside, free_spots
from dadu.robots.manipulator_settings import PlaceSettings
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Surface

SETTINGS = PlaceSettings()
BASE = Pose2(0.0, 1.0, 0.0)
DOWN = -np.pi / 2


def table(length=0.8, width=1.2, yaw=0.0) -> Surface:
    return Surface("top", Pose2(0.0, 0.0, yaw), 0.74, (length, width), 2.0)


things = st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)), max_size=6)


@given(things=things, radius=st.floats(0.03, 0.12), yaw=st.floats(-3, 3))
def test_spots_are_on_the_surface_and_clear(things, radius, yaw):
    surface = table(yaw=yaw)
    points = np.array([(x, y, 0.80) for x, y in things]).reshape(-1, 3)
    for spot in free_spots(surface, radius, 0.1, points, BASE, DOWN, SETTINGS):
        local = np.abs(surface.pose.inverse().apply(spot.position[:2]))
        assert np.all(local + radius <= np.array(surface.size) / 2 + 1e-9)
        if len(points):
            assert np.linalg.norm(points[:, :2] - spot.position[:2], axis=1).min() >= radius + SETTINGS.gap - 1e-9


def test_the_nearest_to_the_arm_comes_first():
    best = free_spots(table(), 0.04, 0.1, np.zeros((0, 3)), BASE, DOWN, SETTINGS)[0]
    assert best.position[1] > 0.25 and abs(best.position[0]) < 0.05


def test_next_to_something():
    beside = Beside(OrientedBox.upright(0.2, 0.1, 0.75, 0.0, (0.07, 0.07, 0.1)), loose=True)
    spots = free_spots(table(), 0.04, 0.1, np.array([[0.2, 0.1, 0.8]]), BASE, DOWN, SETTINGS, beside)
    away = beside.box.away([spot.position[:2] for spot in spots])
    assert spots and max(away) <= SETTINGS.next_to and min(away) > 0.08


def test_nothing_is_next_to_what_stands_on_another_board():
    above = Beside(OrientedBox.upright(0.2, 0.1, 1.2, 0.0, (0.07, 0.07, 0.1)), loose=True)
    assert free_spots(table(), 0.04, 0.1, np.zeros((0, 3)), BASE, DOWN, SETTINGS, above) == []


def test_next_to_furniture_is_at_that_end_of_the_table():
    bed = OrientedBox.upright(0.0, 1.2, 0.0, 0.0, (2.0, 1.0, 0.6))  # begins 0.1 m behind the table's edge
    beside = Beside(bed, loose=False)
    spots = free_spots(table(), 0.04, 0.1, np.zeros((0, 3)), BASE, DOWN, SETTINGS, beside)
    assert spots and min(spot.position[1] for spot in spots) >= 0.7 - SETTINGS.next_to - 1e-9
    assert spots[0].position[1] > 0.4


def test_full_or_too_small_has_no_spot():
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, 30), np.linspace(-0.7, 0.7, 40))
    crowd = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, 0.8)])
    assert free_spots(table(), 0.05, 0.1, crowd, BASE, DOWN, SETTINGS) == []
    assert free_spots(table(0.1, 0.1), 0.12, 0.1, np.zeros((0, 3)), BASE, DOWN, SETTINGS) == []
