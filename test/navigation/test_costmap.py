import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stand_in_robot import Plane, StandIn
from tiers import examples

from dadu.core.geometry import Pose2, transform
from dadu.core.robot import CameraFrame, Observation
from dadu.navigation.costmap import Costmap, CostmapSettings
from dadu.navigation.footprint import Footprint
from dadu.robots import load_robot
from dadu.world.occupancy import OccupancyMap

STRETCH = load_robot("stretch")


def costmap(cells=(), shape=(60, 80), **options):
    grid = np.zeros(shape, np.int8)
    for cell in cells:
        grid[cell] = 100
    return Costmap(OccupancyMap(grid, 0.05), STRETCH, CostmapSettings(**options))


@given(st.lists(st.tuples(st.integers(0, 59), st.integers(0, 79)), min_size=1, max_size=6))
@examples(25)
def test_distance_is_to_the_nearest_blocked_cell(cells):
    m = costmap(cells)
    index = np.stack(np.indices(m.map.shape), axis=-1).reshape(-1, 1, 2)
    nearest = np.linalg.norm(index - np.array(cells), axis=2).min(axis=1).reshape(m.map.shape)
    assert np.allclose(m.distance, np.maximum(nearest - 0.5, 0) * 0.05, atol=1e-5)


@given(st.tuples(st.integers(0, 59), st.integers(0, 79)), st.floats(0.5, 3.5), st.floats(0.5, 2.5), st.floats(-3, 3))
@examples(25)
def test_costs_fall_with_distance_and_block_within_the_half_width(cell, x, y, yaw):
    m = costmap([cell])
    order = np.argsort(m.distance, axis=None)
    costs = m.costs().ravel()[order]
    assert (np.diff(costs[np.isfinite(costs)]) <= 1e-6).all()
    assert costs[-1] >= 1 and costs[0] == np.inf
    # What cannot turn may collide at some yaw; what can turn collides at none.
    if m.turns(Pose2(x, y, yaw)):
        assert m.fits(Pose2(x, y, yaw))
        assert m.collisions(np.array([(x, y, a) for a in np.linspace(-3, 3, 7)])).sum() == 0


def test_footprint_radii():
    shape = Footprint([(-0.3, -0.2), (0.1, -0.2), (0.1, 0.2), (-0.3, 0.2)], 0.01)
    assert shape.inscribed == pytest.approx(0.1, abs=1e-3)
    assert shape.circumscribed == pytest.approx(math.hypot(0.3, 0.2))
    assert shape.half_width == 0.2
    turned = shape.at(np.array([[1.0, 2.0, math.pi / 2]]))[0]
    assert turned.min(axis=0) == pytest.approx((0.8, 1.7), abs=1e-9)
    assert turned.max(axis=0) == pytest.approx((1.2, 2.1), abs=1e-9)


def test_laser_marks_what_is_new_and_clears_it_when_it_is_gone():
    plane = Plane.room(6, 4)
    static = plane.occupancy()
    m = Costmap(static, STRETCH)
    empty = m.distance.copy()
    robot = StandIn(STRETCH, plane, Pose2(1, 2, 0), noise=0.01)
    m.update(robot.observe())
    assert not m.saw_obstacles, "walls seen where the map has them are no obstacles"
    plane.boxes = np.vstack([plane.boxes, (2.5, 1.8, 2.9, 2.2)])
    robot.advance(0.1)
    m.update(robot.observe())
    assert m.clearance((2.5, 2.0)) == 0 and not m.fits(Pose2(2.5, 2.0, 0.0))
    assert m.clearance((2.0, 2.0)) == pytest.approx(0.5, abs=0.08)
    plane.boxes = plane.boxes[:-1]
    for _ in range(3):
        robot.advance(0.1)
        m.update(robot.observe())
    assert not m.saw_obstacles
    assert np.allclose(m.distance, empty)


def test_window_update_equals_a_full_transform():
    plane = Plane.room(9, 7)
    m = Costmap(plane.occupancy(), STRETCH)
    plane.boxes = np.vstack([plane.boxes, (3.5, 3.0, 3.9, 3.4), (2.0, 1.0, 2.1, 3.0)])
    m.update(StandIn(STRETCH, plane, Pose2(4.5, 2.0, 0.3)).observe())
    near = m.distance < m.settings.inflation
    assert np.allclose(m.distance[near], m._transform(m.blocked)[near])


def test_depth_points_in_the_robots_height_count_for_a_while():
    m = costmap()
    K = np.array([[60.0, 0, 40], [0, 60, 30], [0, 0, 1]])
    # Optical frame at (1, 1.5, 1.0): z ahead along map x, x to map -y, y down.
    T = transform(np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]]), (1.0, 1.5, 1.0))
    picture = CameraFrame(0.0, np.zeros((60, 80, 0), np.uint8), np.full((60, 80), 1.0, np.float32), K, T)
    m.update(Observation(0.0, Pose2(1, 1.5, 0), camera=picture))
    assert m.clearance((2.02, 1.5)) == 0, "a wall of points 1 m ahead"
    later = CameraFrame(100.0, picture.rgb, np.zeros((60, 80), np.float32), K, T)
    m.update(Observation(100.0, Pose2(1, 1.5, 0), camera=later))
    assert m.clearance((2.02, 1.5)) > 0.5


def test_no_part_is_where_the_base_stands():
    m, door = costmap(), np.array([(0.9, 1.4), (2.5, 1.4), (2.5, 1.6), (0.9, 1.6)])
    m.block([door], stands=Pose2(1.0, 1.5, 0.0))
    assert m.collisions((1.0, 1.5, 0.0)) == 0 and m.clearance((2.0, 1.5)) == 0
    m.block([door])
    assert m.collisions((1.0, 1.5, 0.0)) > 0


def test_block_marks_polygons_and_unknown_cells_block():
    m = costmap()
    m.block([np.array([(1.0, 1.0), (1.5, 1.0), (1.5, 1.2), (1.0, 1.2)])])
    assert m.clearance((1.2, 1.1)) == 0 and m.clearance((1.2, 1.6)) > 0.3
    m.block([])
    assert m.clearance((1.2, 1.1)) > 1
    assert m.clearance((-5.0, 0.0)) == 0
