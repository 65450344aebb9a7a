"""House files: what is accepted, what is refused, and what the refusal says."""

import copy

import pytest
import yaml

from dadu.core.errors import ConfigError
from dadu.house.files import house_names, load_house, parse_house, save_house

MINIMAL = """
house: hut
rooms:
  - {name: den, category: living_room, floor: [[0, 0], [4, 0], [4, 3], [0, 3]]}
  - {name: hall, category: hall, floor: [[4, 0], [6, 0], [6, 3], [4, 3]]}
doors:
  - {between: [den, hall], at: [4.0, 1.5], width: 0.9}
furniture:
  - {name: fridge_0, category: fridge, room: den, pose: [0.4, 0.5, 1.57]}
  - {name: fruit_table, category: table, room: hall, pose: [5, 1, 0], size: [1.2, 0.7, 0.75],
     color: brown, aliases: [stand]}
objects:
  - {name: milk_0, category: milk_carton, in: fridge_0, attributes: {color: white}}
  - {name: mug_0, category: mug, on: fruit_table, at: [0.1, -0.2]}
  - {name: widget_0, category: widget, on: fruit_table, shape: box, size: [0.05, 0.05, 0.1]}
robot: {pose: [2.0, 1.5, 0.0]}
"""


@pytest.fixture
def data():
    return yaml.load(MINIMAL, yaml.BaseLoader)


def test_the_documented_format_is_read(tmp_path):
    path = tmp_path / "hut.house.yaml"
    path.write_text(MINIMAL)
    house = load_house(path)
    assert [thing.relation for thing in house.objects] == ["in", "on", "on"]
    assert house.object("milk_0").receptacle == "fridge_0"
    assert house.piece("fruit_table").size == (1.2, 0.7, 0.75)


def test_saving_and_loading_gives_the_same_house(tmp_path):
    house = load_house("flat")
    save_house(house, tmp_path / "copy.house.yaml")
    assert load_house(tmp_path / "copy.house.yaml") == house


def test_the_flat_is_furnished():
    house = load_house("flat")
    assert "flat" in house_names()
    assert len(house.rooms) >= 5 and len(house.objects) >= 18
    assert len({thing.category for thing in house.objects}) >= 12
    assert {"table", "counter", "sofa", "shelf", "fridge", "drawer_cabinet", "bed", "desk"} <= {
        piece.category.removeprefix("dining_") for piece in house.furniture
    }
    assert all(door.width >= 0.9 for door in house.doors)


MISTAKES = {
    "unknown key": (lambda d: d["objects"][0].update(colour="red"), ("objects.0.colour", "attributes", "in")),
    "unknown category": (lambda d: d["furniture"][0].update(category="frigde"), ("furniture.0", "frigde", "fridge")),
    "unknown object category": (lambda d: d["objects"][1].update(category="mugg"), ("objects.1", "mugg", "shape")),
    "own category without a size": (lambda d: d["objects"][2].pop("size"), ("objects.2", "widget", "size")),
    "unknown shape": (lambda d: d["objects"][2].update(shape="cone"), ("objects.2.shape", "cylinder")),
    "unknown room": (lambda d: d["furniture"][0].update(room="attic"), ("furniture.0", "attic", "den, hall")),
    "outside its room": (lambda d: d["furniture"][0].update(pose=[9, 9, 0]), ("fridge_0", "outside den")),
    "through the outer wall": (lambda d: d["furniture"][1].update(pose=["5.9", "1", "0"]),
                               ("fruit_table", "0.50 m out of the house")),
    "unknown furniture": (lambda d: d["objects"][0].update({"in": "oven_0"}), ("milk_0", "oven_0", "fruit_table")),
    "on and in": (lambda d: d["objects"][0].update(on="fruit_table"), ("milk_0", "exactly one of on, in")),
    "neither": (lambda d: d["objects"][0].pop("in"), ("milk_0", "exactly one of on, in")),
    "same name twice": (lambda d: d["objects"][0].update(name="mug_0"), ("'mug_0'", "2 times")),
    "door to nowhere": (lambda d: d["doors"][0].update(between=["den", "yard"]), ("doors.0", "yard", "den, hall")),
    "door off the wall": (lambda d: d["doors"][0].update(at=[3.0, 1.5]), ("doors.0", "not on a wall of den")),
    "unknown color": (lambda d: d["furniture"][0].update(color="blurple"), ("furniture.0", "blurple", "white")),
    "room without area": (lambda d: d["rooms"][0].update(floor=[[0, 0], [1, 0], [2, 0]]), ("rooms.0", "0.00 m2")),
    "robot outside": (lambda d: d["robot"].update(pose=[-3, 0, 0]), ("robot.pose", "no room")),
    "negative size": (lambda d: d["furniture"][0].update(size=[1, -1, 1]), ("furniture.0.size.1", "0.001")),
    "no rooms": (lambda d: d.update(rooms=[]), ("rooms", "at least 1")),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_names_file_field_and_choices(data, mistake):
    spoil, expected = MISTAKES[mistake]
    spoiled = copy.deepcopy(data)
    spoil(spoiled)
    with pytest.raises(ConfigError) as error:
        parse_house(spoiled, "hut.house.yaml")
    for text in ("hut.house.yaml", *expected):
        assert text in str(error.value)


def test_all_problems_are_reported_at_once(data):
    data["furniture"][0]["room"] = "attic"
    data["objects"][0]["in"] = "oven_0"
    with pytest.raises(ConfigError) as error:
        parse_house(data, "hut")
    assert len(str(error.value).splitlines()) == 2


def test_an_unknown_house_lists_the_known_ones():
    with pytest.raises(ConfigError, match=r"palace.*flat"):
        load_house("palace")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match="gone.house.yaml"):
        load_house(tmp_path / "gone.house.yaml")
