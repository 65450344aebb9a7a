"""Furniture on furniture and on walls, footprints with a corner missing, boards at heights of their own, things on the
floor: in house file, models, places, graph and physics."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.errors import ConfigError
from dadu.house.catalogue import furniture_categories
from dadu.house.files import parse_house
from dadu.house.format import Furniture, Notch
from dadu.house.furniture.arranging import moved
from dadu.house.furniture.entity import furniture_entity
from dadu.house.furniture.pieces import furniture_model, has_boards
from dadu.house.layout import build_graph
from dadu.house.placement import place_objects
from dadu.robots.loader import load_robot
from dadu.sim.mujoco.scene.house_mjcf import build_spec
from dadu.sim.oracle.truth import OracleWorld
from dadu.world.graph import Relation

ROOM = {"name": "den", "category": "living_room", "floor": [[0, 0], [5, 0], [5, 4], [0, 4]]}
STAND = {"name": "stand", "category": "tv_stand", "room": "den", "pose": [1.0, 0.3, math.pi / 2]}
SCREEN = {"name": "tv", "category": "television", "room": "den", "pose": [1.0, 0.25, math.pi / 2],
          "size": [0.2, 0.8, 0.5], "elevation": 0.5}


def house(furniture=(STAND, SCREEN), objects=(), at=(4.0, 2.0, 0.0)):
    return parse_house({"house": "home", "rooms": [ROOM], "furniture": list(furniture), "objects": list(objects),
                        "robot": {"pose": at}}, "home")


def piece(category="counter", **fields):
    return Furniture(name="it", category=category, room="den", pose=(0, 0, 0), **fields)


def test_a_television_on_a_stand_is_a_screen_at_its_height():
    boxes = furniture_model(house().piece("tv")).boxes
    assert min(b.centre[2] - b.size[2] / 2 for b in boxes) == pytest.approx(0.5)
    assert max(b.centre[2] + b.size[2] / 2 for b in boxes) == pytest.approx(1.0)
    assert furniture_entity(house().piece("tv")).box.bottom == pytest.approx(0.5)


def test_things_find_their_place_beside_what_stands_on_the_board():
    remote = {"name": "remote", "category": "remote_control", "on": "stand"}
    x, y, _ = place_objects(house(objects=[remote]))["remote"].position
    assert abs(x - 1.0) > 0.4 or y > 0.35
    with pytest.raises(ConfigError, match="something else stands already"):
        place_objects(house(objects=[{**remote, "at": [-0.05, 0.0]}]))


@pytest.mark.parametrize("pose", [[3.0, 2.0, 0.0], [1.0, 0.9, 0.0]])
def test_nothing_floats(pose):
    with pytest.raises(ConfigError, match=r"elevation: nothing carries it 0\.5 m above the floor"):
        house([STAND, {**SCREEN, "pose": pose}])


def test_a_picture_hangs_and_carries_nothing():
    picture = {"name": "picture", "category": "painting", "room": "den", "pose": [2.0, 0.07, 1.5708],
               "size": [0.03, 0.6, 0.4], "elevation": 1.4}
    hung = house([picture])
    assert furniture_model(hung.piece("picture")).decks == ()
    assert build_spec(hung).compile().body("picture").id > 0


def test_a_microwave_on_a_counter_keeps_its_door():
    counter = {"name": "top", "category": "counter", "room": "den", "pose": [2.0, 0.35, math.pi / 2]}
    oven = {"name": "oven", "category": "microwave", "room": "den", "pose": [2.0, 0.35, math.pi / 2],
            "size": [0.35, 0.5, 0.3], "elevation": 0.9}
    model = furniture_model(house([counter, oven]).piece("oven"))
    (door,), (deck,) = model.parts, [d for d in model.decks if d.inside]
    assert 0.9 < deck.height < door.handle[2] < 1.2


@given(depth=st.floats(0.4, 1.0), width=st.floats(0.1, 1.5), side=st.sampled_from(["left", "right", "middle"]),
       kind=st.sampled_from(["counter", "sofa"]))
def test_a_notch_stays_free_and_the_rest_is_there(depth, width, side, kind):
    size = (1.9, 2.9, 0.9)
    model = furniture_model(piece(kind, size=size, notch=Notch(depth=depth, width=width, side=side)))
    middle = {"left": -(size[1] - width) / 2, "right": (size[1] - width) / 2, "middle": 0.0}[side]
    for box in model.boxes:
        x, y = box.centre[0] + box.size[0] / 2, abs(box.centre[1] - middle) - box.size[1] / 2
        assert x <= size[0] / 2 - depth + 1e-6 or y >= width / 2 - 1e-6, box
        assert all(abs(c) + s / 2 <= whole / 2 + 1e-6 for c, s, whole in zip(box.centre, box.size, size[:2]))
    assert len({box.name for box in model.boxes}) == len(model.boxes)
    assert len(model.decks) == (3 if side == "middle" else 2)


def test_a_notch_as_large_as_the_piece_is_refused():
    cut = {"name": "it", "category": "counter", "room": "den", "pose": [2, 2, 0], "size": [1, 1, 0.9],
           "notch": {"depth": 1.0, "width": 0.5, "side": "left"}}
    with pytest.raises(ConfigError, match="notch: is as large"):
        house([cut])


@pytest.mark.parametrize("category", ["sink", "fridge", "dresser"])
def test_four_quarter_turns_are_none(category):
    model = furniture_model(piece(category))
    assert moved(moved(model, (0, 0, 0), 3), (0, 0, 0), 1) == model
    assert moved(model, (0, 0, 0), 1) != model


@pytest.mark.parametrize("category", sorted(filter(has_boards, furniture_categories())))
def test_boards_are_where_the_house_says(category):
    size = furniture_categories()[category].size
    height = 1.6 if size[2] > 1.1 else size[2]
    high = furniture_model(piece(category, size=(*size[:2], height), boards=(0.35,)))
    assert any(deck.height == pytest.approx(0.35) or deck.height == pytest.approx(height) for deck in high.decks)


def test_a_bed_as_others_draw_it_is_free_up_to_its_head():
    usual = furniture_model(piece("bed", size=(2.0, 1.4, 0.5))).decks[0]
    bare = furniture_model(piece("bed", size=(2.0, 1.4, 1.1), boards=(0.55,)))
    assert bare.decks[0].height == 0.55 and bare.decks[0].size[0] > usual.size[0] + 0.4
    assert max(b.centre[2] + b.size[2] / 2 for b in bare.boxes) == pytest.approx(1.1)


def test_boards_of_what_has_none_are_refused_with_what_has():
    with pytest.raises(ConfigError, match="boards: those of toilet.*valid for: armchair"):
        house([{"name": "it", "category": "toilet", "room": "den", "pose": [2, 2, 0], "boards": [0.4]}])


def test_a_ball_on_the_floor_is_there_in_graph_oracle_and_physics():
    ball = {"name": "ball", "category": "basketball", "room": "den", "at": [2.0, 2.0]}
    home = house(objects=[ball])
    graph = build_graph(home, "all")
    assert graph.support("ball") is None and graph.room_of("ball").id == "den"
    assert OracleWorld(home, load_robot("stretch")).things["ball"].support.relation is Relation.IN_ROOM
    assert place_objects(home)["ball"].position[:2] == (2.0, 2.0)
    assert build_spec(home).compile().body("ball").id > 0


@pytest.mark.parametrize(("fields", "says"), [
    ({"room": "den"}, "at: is needed"), ({"room": "hall", "at": [1, 1]}, "no room 'hall'"),
    ({"room": "den", "at": [9, 1]}, "outside den"), ({"room": "den", "on": "stand", "at": [1, 1]}, "exactly one of"),
])
def test_what_lies_nowhere_is_refused(fields, says):
    with pytest.raises(ConfigError, match=says):
        house(objects=[{"name": "ball", "category": "basketball", **fields}])


def test_a_wide_fridge_has_two_doors_that_meet_in_the_middle():
    model = furniture_model(piece("fridge", size=(0.7, 1.0, 1.8), boards=(0.5, 1.0)))
    left, right = model.parts
    assert (left.name, right.name) == ("left_door", "right_door") and left.origin[1] < right.origin[1]
    assert left.axis[2] == -right.axis[2] and {deck.part for deck in model.decks} == {"left_door", "right_door"}
    assert {deck.height for deck in model.decks} == {0.5, 1.0}
