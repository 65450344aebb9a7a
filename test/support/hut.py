"""A house of two rooms, and the two that it is tried on: Habitat's stand-in and, where there is one, habitat-sim."""

import sys
from pathlib import Path

import pytest

STAND_IN = str(Path(__file__).parents[1] / "sim" / "habitat" / "stand_in")


OUR_STAND_IN = {"path": (STAND_IN,), "python": sys.executable}
"""also where ``DADU_HABITAT_PYTHON`` names a Python that has the real one, and not what the stand-in needs"""
WORLDS = [pytest.param(OUR_STAND_IN, id="stand_in"),
          pytest.param({}, id="habitat_sim", marks=pytest.mark.needs("habitat"))]
"""which Python, and where it finds habitat_sim"""
HOUSE = {
    "house": "hut",
    "rooms": [{"name": "room", "category": "kitchen", "floor": [[0, 0], [4, 0], [4, 3], [0, 3]]},
              {"name": "den", "category": "bedroom", "floor": [[4, 0], [7, 0], [7, 3], [4, 3]]}],
    "doors": [{"between": ["room", "den"], "at": [4, 1.5], "width": 1.0}],
    "furniture": [{"name": "table_0", "category": "table", "room": "room", "pose": [2.0, 2.5, -1.5708]},
                  {"name": "fridge_0", "category": "fridge", "room": "room", "pose": [0.4, 0.6, 0.0]},
                  {"name": "desk_0", "category": "desk", "room": "den", "pose": [6.5, 1.5, 3.1416]}],
    "objects": [{"name": "soup_can_0", "category": "soup_can", "on": "table_0"},
                {"name": "milk_0", "category": "milk_carton", "in": "fridge_0"}],
    "robot": {"pose": [2.0, 1.2, 0.5]},
}
