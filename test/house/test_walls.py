"""Walls cover the outlines once, leave gaps for doors, and floors are covered exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.house.files import load_house, parse_house
from dadu.house.polygons import rectangles
from dadu.house.walls import walls


def _two_rooms(width: float):
    return parse_house(
        {
            "house": "pair",
            "rooms": [
                {"name": "a", "category": "hall", "floor": [[0, 0], [4, 0], [4, 3], [0, 3]]},
                {"name": "b", "category": "hall", "floor": [[4, 0], [7, 0], [7, 5], [4, 5]]},
            ],
            "doors": [{"between": ["a", "b"], "at": [4, 1.5], "width": width}],
            "robot": {"pose": [1, 1, 0]},
        },
        "pair",
    )


def _between(house):
    """Walls on the line x = 4."""
    return [w for w in walls(house) if w.start[0] == pytest.approx(4) and w.end[0] == pytest.approx(4)]


@given(st.floats(0.9, 2.0))
def test_a_door_is_a_gap_under_a_lintel(width):
    found = _between(_two_rooms(width))
    (lintel,) = [w for w in found if w.bottom > 0]
    assert lintel.length == pytest.approx(width) and lintel.centre == pytest.approx((4, 1.5))
    for wall in (w for w in found if w.bottom == 0):
        nearest = min(abs(wall.start[1] - 1.5), abs(wall.end[1] - 1.5))
        assert nearest == pytest.approx(width / 2) and abs(wall.centre[1] - 1.5) > width / 2


def test_a_shared_wall_is_built_once():
    shared = [w for w in _between(_two_rooms(0.9)) if w.bottom == 0]
    # 5 m of line less a door of 0.9 m, and almost half a thickness more at both ends
    assert sum(w.length for w in shared) == pytest.approx(5 - 0.9 + 0.1, abs=0.01)


def test_every_door_of_the_flat_is_a_gap():
    house = load_house("flat")
    assert sum(w.bottom > 0 for w in walls(house)) == len(house.doors)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 5)), min_size=1, max_size=5))
def test_rectangles_cover_a_stepped_floor_exactly(steps):
    """A skyline of columns, each a width and a height."""
    outline, x = [(0.0, 0.0)], 0.0
    for width, height in steps:
        outline += [(x, float(height)), (x + width, float(height))]
        x += width
    outline.append((x, 0.0))
    area = sum(width * height for width, height in steps)
    assert sum(float(np.prod(high - low)) for low, high in rectangles(outline)) == pytest.approx(area)
