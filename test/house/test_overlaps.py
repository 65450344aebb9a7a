"""Furniture that stands in walls or other furniture is noticed."""

import pytest

from dadu.house.files import load_house
from dadu.house.overlaps import overlaps


def test_nothing_overlaps_in_the_flat():
    assert overlaps(load_house("flat")) == []


@pytest.mark.parametrize(("yaw", "apart", "expected"), [
    (0.0, 0.85, []), (0.0, 0.7, ["a stands in b"]), (0.785, 0.95, ["a stands in b"]), (0.785, 1.3, []),
])
def test_two_blocks(one_room, yaw, apart, expected):
    block = {"category": "block", "shape": "box", "size": [0.8, 0.8, 0.5]}
    house = one_room([{**block, "name": "a", "pose": [3, 3, 0]}, {**block, "name": "b", "pose": [3 + apart, 3, yaw]}])
    assert overlaps(house) == expected


def test_a_wall_is_noticed(one_room):
    house = one_room([{"name": "sofa_0", "category": "sofa", "pose": [0.3, 3, 0]}])
    assert overlaps(house) == ["sofa_0 stands in a wall"]


def test_a_chair_under_a_table_is_no_overlap(one_room):
    house = one_room([{"name": "t", "category": "table", "pose": [3, 3, 0]},
                      {"name": "s", "category": "stool", "pose": [3, 3, 0.5]}])
    assert overlaps(house) == []
