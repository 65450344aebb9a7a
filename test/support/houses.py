"""Houses for tests, shared by all folders: one room to furnish, and the furnished flat as graphs."""

import pytest

from dadu.house.files import House, load_house, parse_house
from dadu.house.layout import build_graph


@pytest.fixture(scope="session")
def one_room():
    """Makes a house of one room with the given furniture and objects."""
    return _one_room


@pytest.fixture(scope="session")
def flat():
    return load_house("flat")


@pytest.fixture(scope="session")
def known(flat):
    """All is known; do not change it."""
    return build_graph(flat, "all")


@pytest.fixture(scope="session")
def layout(flat):
    """Rooms and furniture are known; do not change it."""
    return build_graph(flat, "layout")


def _one_room(furniture=(), objects=(), size: float = 6.0) -> House:
    """A square room `size` [m] wide, the robot in a corner."""
    floor = [[0, 0], [size, 0], [size, size], [0, size]]
    return parse_house(
        {
            "house": "hut",
            "rooms": [{"name": "den", "category": "living_room", "floor": floor}],
            "furniture": [{"room": "den", **piece} for piece in furniture],
            "objects": list(objects),
            "robot": {"pose": [0.5, 0.5, 0.0]},
        },
        "hut",
    )
