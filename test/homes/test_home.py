"""Generated homes: valid, deterministic, and as the robot needs them."""

from __future__ import annotations

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2
from dadu.homes.home import ROOMS, generate_home
from dadu.house.files import load_house, save_house
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.navigation.standing.base_placement import place_base
from dadu.robots import load_robot
from dadu.skills.scene import Scene
from test.support.sound_homes import faults


@pytest.fixture(scope="module")
def stretch():
    return load_robot("stretch")


@pytest.mark.parametrize("seed, rooms", [(0, 2), (1, 5), pytest.param(2, 8, marks=pytest.mark.thorough),
                                         pytest.param(3, 12, marks=pytest.mark.thorough)])
def test_homes_are_sound(stretch, seed, rooms):
    house = generate_home(seed, rooms)
    assert len(house.rooms) == rooms
    assert len(house.furniture) >= 2 * rooms
    assert faults(house, stretch) == []


@pytest.mark.parametrize("rooms", [pytest.param(n, marks=() if n in (2, 4, 7, 12) else pytest.mark.thorough)
                                   for n in range(ROOMS[0], ROOMS[1] + 1)])
def test_rooms_tile_without_overlap_and_hang_together(rooms):
    house = generate_home(40 + rooms, rooms, objects=0)
    boxes = [(np.min(room.floor, axis=0), np.max(room.floor, axis=0)) for room in house.rooms]
    for i, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[:i]:
            shared = np.minimum(high, other_high) - np.maximum(low, other_low)
            assert shared.min() < 1e-6
    reached, front = set(), {house.rooms[0].name}
    while front:
        reached |= front
        front = {name for door in house.doors for name in door.between if set(door.between) & reached} - reached
    assert reached == {room.name for room in house.rooms}


def test_the_same_seed_makes_the_same_home_and_another_seed_another():
    assert generate_home(7, 4) == generate_home(7, 4)
    assert generate_home(7, 4) != generate_home(8, 4)


def test_a_home_survives_its_file(tmp_path):
    house = generate_home(5, 3)
    save_house(house, tmp_path / "home.house.yaml")
    assert load_house(tmp_path / "home.house.yaml") == house


def test_navigation_agrees_that_everything_is_in_reach(stretch):
    """The generator's check is cheaper than `place_base`, and no laxer."""
    house = generate_home(3, 4)
    scene = Scene(build_graph(house, "all"), map=rasterize(house, 0.05, stretch.height))
    for piece in house.furniture:
        entity = scene.graph[piece.name]
        for part in entity.parts:
            assert isinstance(place_base(scene, stretch, piece.name, "open", part=part.name), Pose2), part
        if any(not surface.inside for surface in entity.surfaces):
            assert isinstance(place_base(scene, stretch, piece.name, "place", relation="on"), Pose2), piece
    for thing in house.objects:
        if thing.on is not None:
            assert isinstance(place_base(scene, stretch, thing.name, "pick"), Pose2), thing


def test_as_many_objects_as_wanted():
    assert len(generate_home(2, 8, objects=60).objects) == 60
    assert generate_home(2, 3, objects=0).objects == ()


@pytest.mark.parametrize("arguments", [{"seed": -1}, {"seed": 0, "rooms": 1}, {"seed": 0, "rooms": 13}])
def test_impossible_wishes_are_refused(arguments):
    with pytest.raises(ConfigError, match="rooms|seed"):
        generate_home(**arguments)
