"""A surface that the camera looks through is none there."""

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.manipulation.placing.free_spots import free_spots
from dadu.manipulation.placing.held import HeldExtent
from dadu.manipulation.placing.planning import EDGE, FINE, holes
from dadu.robots.manipulator_settings import PlaceSettings
from dadu.world.graph import Surface

EYE = np.array([0.0, 1.0, 1.4])
TOP = Surface("top", Pose2(0.0, 0.0, 0.0), 0.84, (1.0, 0.5), 2.0)


def level(low, high, z):
    x, y = np.meshgrid(np.arange(low[0], high[0], 0.01), np.arange(low[1], high[1], 0.01))
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, z)])


def test_a_board_has_none():
    assert not len(holes(TOP, level((-0.5, -0.25), (0.5, 0.25), 0.84), EYE))


def test_the_floor_before_and_under_a_table_is_seen_past_its_edge():
    floor = level((-0.5, 0.2), (0.5, 0.9), 0.0)
    share = (EYE[2] - TOP.height) / EYE[2]
    through = EYE[1] + share * (floor[:, 1] - EYE[1])
    assert not len(holes(TOP, floor[through > 0.25], EYE)), "what it hides nobody sees"


@pytest.mark.parametrize("side", [-1, 1])
def test_things_go_beside_a_basin(side):
    basin = np.array([[0.05, -0.2], [0.45, 0.2]]) if side > 0 else np.array([[-0.45, -0.2], [-0.05, 0.2]])
    opening = level(*basin, TOP.height)
    seen = EYE + (opening - EYE) * (EYE[2] - 0.70) / (EYE[2] - TOP.height)  # what the rays through it end at
    through = holes(TOP, seen, EYE)
    assert len(through) and (side * through[:, 0] > 0).all()
    assert (np.abs(through) < np.array(TOP.size) / 2 - EDGE + FINE).all()
    points = np.column_stack([through, np.full(len(through), TOP.height + 0.03)])
    spots = free_spots(TOP, HeldExtent(0.08, 0.08), -np.pi / 2, 0.1, points, Pose2(0.0, 1.0, 0.0), -np.pi / 2,
                       PlaceSettings())
    assert spots and all(side * spot.position[0] < 0.02 for spot in spots)


def test_a_camera_below_a_board_looks_through_none():
    assert not len(holes(TOP, level((-0.2, -0.2), (0.2, 0.2), 0.3), np.array([0.0, 1.0, 0.8])))
