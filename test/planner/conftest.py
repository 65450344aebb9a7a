"""The furnished flat as graphs, for the planner's tests."""

import sys
from pathlib import Path

import pytest

from dadu.house.files import load_house
from dadu.house.layout import build_graph

sys.path.insert(0, str(Path(__file__).parent))  # stand-ins beside the tests


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
