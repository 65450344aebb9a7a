"""Ways of the oracle: never shorter than straight, hardly longer than needed, the same both ways, through doors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.house.files import load_house, parse_house
from dadu.sim.oracle.travel import Ways, ways

EMPTY = {"house": "empty", "rooms": [{"name": "hall", "category": "hall", "floor": [[0, 0], [8, 0], [8, 6], [0, 6]]}],
         "robot": {"pose": [1, 1, 0]}}


@pytest.fixture(scope="module")
def empty():
    return Ways(parse_house(EMPTY, "hall"), 0.2)


@pytest.fixture(scope="module")
def flat():
    return ways(load_house("flat"), 0.19)


points = st.tuples(st.floats(0.5, 7.5), st.floats(0.5, 5.5))


@given(points, points)
def test_in_the_open_ways_are_nearly_straight(empty, a, b):
    a, b = empty.stop(a), empty.stop(b)
    assert math.dist(a, b) - 1e-9 <= empty.length(a, b) <= 1.03 * math.dist(a, b) + 1e-6


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_ways_are_as_long_back_and_not_longer_than_a_detour(flat, i, j):
    rng = np.random.default_rng((i, j))
    a, b, c = (flat.stop(tuple(rng.uniform((0, 0), (9.6, 7.2)))) for _ in range(3))
    assert flat.length(a, b) == pytest.approx(flat.length(b, a), abs=1e-6)
    assert flat.length(a, b) <= flat.length(a, c) + flat.length(c, b) + 1e-6


@given(st.integers(0, 10**6))
def test_a_path_is_as_long_as_said_and_stays_on_free_floor(flat, seed):
    rng = np.random.default_rng(seed)
    a, b = (flat.stop(tuple(rng.uniform((0, 0), (9.6, 7.2)))) for _ in range(2))
    path = flat.path(a, b)
    if not path:
        assert flat.length(a, b) == math.inf
        return
    assert sum(math.dist(p, q) for p, q in zip(path, path[1:])) == pytest.approx(flat.length(a, b), abs=1e-6)
    assert all(flat.free(p) for p in path)


def test_the_way_to_another_room_leads_through_its_door(flat):
    kitchen, bedroom = flat.stop((1.8, 1.8), "kitchen"), flat.stop((2.0, 4.8), "bedroom")
    assert flat.length(kitchen, bedroom) > 2 * math.dist(kitchen, bedroom)
    assert any(math.dist(p, (3.6, 1.8)) < 0.6 for p in flat.path(kitchen, bedroom))
