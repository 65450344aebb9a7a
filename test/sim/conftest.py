"""Small houses for tests."""

import sys
from pathlib import Path

import pytest

from dadu.house.files import House, parse_house

sys.path.insert(0, str(Path(__file__).parent))  # small_worlds


@pytest.fixture(scope="session")
def one_room():
    """Makes a house of one room with the given furniture and objects."""
    return _one_room


def _one_room(furniture=(), objects=(), size: float = 6.0, robot=None) -> House:
    """A square room `size` [m] wide, the robot at x, y (default: in its middle)."""
    floor = [[0, 0], [size, 0], [size, size], [0, size]]
    return parse_house(
        {
            "house": "hut",
            "rooms": [{"name": "den", "category": "living_room", "floor": floor}],
            "furniture": [{"room": "den", **piece} for piece in furniture],
            "objects": list(objects),
            "robot": {"pose": [*(robot or (size / 2, size / 2)), 0.0]},
        },
        "hut",
    )
