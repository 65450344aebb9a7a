"""Maps of other people's map servers are where they say, however they lie."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.incoming.grid import occupancy


def message(grid, origin, resolution=0.05, quaternion=None):
    x, y, yaw = origin
    q = (0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)) if quaternion is None else quaternion
    pose = SimpleNamespace(position=SimpleNamespace(x=x, y=y, z=0.0),
                           orientation=SimpleNamespace(**dict(zip("xyzw", q))))
    return SimpleNamespace(data=grid.ravel().tolist(), info=SimpleNamespace(
        width=grid.shape[1], height=grid.shape[0], resolution=resolution, origin=pose))


def floor():
    grid = np.zeros((60, 80), np.int8)
    grid[0], grid[-1], grid[:, 0], grid[:, -1] = 100, 100, 100, 100
    grid[20:30, 50:60] = 100
    return grid


@pytest.mark.parametrize("yaw", [0.0, 0.3, math.pi / 2, -2.5, math.pi])
def test_a_thing_of_a_turned_map_is_where_it_is(yaw):
    origin, grid = Pose2(-1.0, 2.0, yaw), floor()
    map = occupancy(message(grid, origin))
    rng = np.random.default_rng(0)
    inside = rng.uniform((0.1, 0.1), (3.9, 2.9), (400, 2))
    cells = (inside / 0.05).astype(int)
    clear = np.abs(inside / 0.05 - cells - 0.5).max(axis=1) < 0.1  # near a cell's middle, which no turning moves out
    assert (map.at(origin.apply(inside[clear])) == grid[cells[clear, 1], cells[clear, 0]]).mean() > 0.97
    assert map.at(origin.apply((2.75, 1.25))) == 100 and map.at(origin.apply((1.0, 1.0))) == 0
    assert map.at(origin.apply((-0.5, 1.0))) == -1


def test_an_orientation_that_was_left_out_is_none():
    assert occupancy(message(floor(), (1.0, 2.0, 0.0), quaternion=(0.0,) * 4)).origin == (1.0, 2.0)


@pytest.mark.parametrize("amiss", [
    {"quaternion": (0.0, 0.0, 0.0, 2.0)}, {"quaternion": (math.nan, 0, 0, 1)}, {"quaternion": (0.3, 0, 0, 0.954)},
    {"origin": (math.nan, 0.0, 0.0)}, {"resolution": 0.0}, {"resolution": math.nan}, {"resolution": -0.05}])
def test_maps_that_are_none(amiss):
    with pytest.raises(NotUsable):
        occupancy(message(floor(), **{"origin": (0.0, 0.0, 0.0)} | amiss))
    short = message(floor(), (0.0, 0.0, 0.0))
    short.data.pop()
    with pytest.raises(NotUsable, match="holds 4799"):
        occupancy(short)


def test_a_map_of_another_frame_is_not_laid_onto_map():
    with pytest.raises(NotUsable, match="'odom'"):
        occupancy(message(floor(), (0.0, 0.0, 0.0)), "odom")


def test_values_that_mean_nothing_are_unknown():
    grid = floor()
    grid[5, 5], grid[6, 6] = 127, -100
    kept = occupancy(message(grid, (0.0, 0.0, 0.0))).grid
    assert kept[5, 5] == kept[6, 6] == -1 and kept[5, 6] == 0
