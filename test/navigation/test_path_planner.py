import heapq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from stand_in_robot import Plane
from tiers import examples

from dadu.core.geometry import Pose2
from dadu.navigation.costmap import Costmap
from dadu.navigation.footprint import resample
from dadu.navigation.path_planner import NoPath, Reason, plan_path, straighten
from dadu.navigation.route import plan_route
from dadu.robots import load_robot

STRETCH = load_robot("stretch")
weights = arrays(np.float32, (7, 9), elements=st.sampled_from([1.0, 1.0, 1.0, 3.0, np.inf]))


def dijkstra(costs, start, goal):
    """Cheapest way over 8 neighbours in the true metric, as `straighten` prices it; inf where there is none."""
    best, queue = {start: 0.0}, [(0.0, start)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell == goal:
            return cost
        for dr, dc in np.ndindex(3, 3):
            there = cell[0] + dr - 1, cell[1] + dc - 1
            if there == cell or not (0 <= there[0] < costs.shape[0] and 0 <= there[1] < costs.shape[1]):
                continue
            step = cost + np.hypot(dr - 1, dc - 1) * (costs[cell] + costs[there]) / 2
            if np.isfinite(step) and step < best.get(there, np.inf):
                best[there] = step
                heapq.heappush(queue, (step, there))
    return np.inf


@given(weights)
def test_never_much_worse_than_brute_force(costs):
    import pyastar2d

    costs[0, 0] = costs[-1, -1] = 1.0
    goal = (costs.shape[0] - 1, costs.shape[1] - 1)
    brute = dijkstra(costs, (0, 0), goal)
    found = [pyastar2d.astar_path(costs, (0, 0), goal, allow_diagonal=d) for d in (True, False)]
    assert (found[0] is None) == np.isinf(brute)
    totals = [straighten(costs, cells)[0] for cells in found if cells is not None]
    if totals:
        # A diagonal step costs A* as much as a straight one, so its path may be a square root of two too long.
        assert min(totals) <= np.sqrt(2) * brute * 1.2


@given(weights)
def test_straightening_keeps_ends_avoids_walls_and_never_costs_more(costs):
    import pyastar2d

    costs[0, 0] = costs[-1, -1] = 1.0
    cells = pyastar2d.astar_path(costs, (0, 0), (costs.shape[0] - 1, costs.shape[1] - 1), allow_diagonal=True)
    if cells is None:
        return
    total, corners = straighten(costs, cells)
    steps = np.linalg.norm(np.diff(cells, axis=0), axis=1)
    along = costs[cells[:, 0], cells[:, 1]]
    assert total <= steps @ (along[1:] + along[:-1]) / 2 + 1e-4
    assert (corners[0] == cells[0]).all() and (corners[-1] == cells[-1]).all()
    assert np.isfinite(costs[corners[:, 0], corners[:, 1]]).all()


def test_open_floor_is_crossed_straight():
    costmap = Costmap(Plane.room(8, 6).occupancy(), STRETCH)
    path = plan_path(costmap, (1.2, 1.2), (6.8, 4.7))
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    assert length == pytest.approx(np.hypot(5.6, 3.5), rel=0.005)
    assert path[0] == pytest.approx((1.2, 1.2)) and path[-1] == pytest.approx((6.8, 4.7))


def test_keeps_off_walls_where_there_is_room():
    costmap = Costmap(Plane.room(8, 6, [(3, 0, 5, 3)]).occupancy(), STRETCH)
    path = plan_path(costmap, (1.5, 1), (6.5, 1))
    assert costmap.clearance(path).min() > costmap.footprint.circumscribed


def test_says_why_there_is_no_path():
    costmap = Costmap(Plane.room(8, 6, [(3.9, 0, 4.1, 6)]).occupancy(), STRETCH)
    for start, goal, reason in (((1, 1), (7, 1), Reason.NO_PATH), ((1, 1), (4, 1), Reason.GOAL_BLOCKED),
                                ((4, 1), (1, 1), Reason.START_BLOCKED), ((1, 1), (99, 1), Reason.GOAL_OUTSIDE)):
        with pytest.raises(NoPath) as caught:
            plan_path(costmap, start, goal)
        assert caught.value.reason is reason


def test_short_corrections_are_driven_straight_backwards_too():
    costmap = Costmap(Plane.room(8, 6).occupancy(), STRETCH)
    legs = plan_route(costmap, Pose2(4, 3, 0.5), Pose2(4, 3, 0.5) * Pose2(-0.3, 0, 0))
    assert [leg.straight for leg in legs] == [True]
    assert legs[0].length == pytest.approx(0.3)


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=2, max_size=5))
@examples(25)
def test_resampling_keeps_corners_and_spacing(corners):
    corners = np.array(corners)
    points = resample(corners, 0.05)
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).max() <= 0.05 + 1e-9
    assert all(np.linalg.norm(points - corner, axis=1).min() < 1e-9 for corner in corners)
