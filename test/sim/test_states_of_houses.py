"""States in house files: what they may be, how things start, and furniture that starts open."""

import pytest
from small_worlds import FRIDGE, TABLE, simulation

from dadu.core.errors import ConfigError
from dadu.house.files import parse_house
from dadu.house.layout import build_graph
from dadu.house.states import PREDICATES, State, start_states

CHEST = {"name": "chest_0", "category": "chest_of_drawers", "room": "room", "pose": [4.0, 0.4, 1.5708]}


def _house(furniture, objects=()):
    return parse_house({
        "house": "den", "rooms": [{"name": "room", "category": "kitchen", "floor": [[0, 0], [8, 0], [8, 8], [0, 8]]}],
        "furniture": furniture, "objects": list(objects), "robot": {"pose": [4, 4, 0]}}, "den.house.yaml")


def test_every_state_has_its_predicate():
    assert {state.value for state in State} == {"clean", "filled", "powered", "sliced", "hot", "cold", "open"}
    assert set(PREDICATES) == set(State)


@pytest.mark.parametrize(("category", "given", "states"), [
    ("mug", {}, {"is_filled": False}),
    ("mug", {State.CLEAN: True, State.HOT: True}, {"is_clean": True, "is_filled": False, "is_hot": True}),
    ("milk_carton", {}, {"is_filled": True}),
    ("lamp", {State.POWERED: True}, {"is_powered_on": True}),
    ("apple", {State.SLICED: True}, {"is_sliced": True}),
    ("fridge", {State.OPEN: True}, {}),
    ("gadget", {}, {}),
])
def test_how_things_start(category, given, states):
    assert start_states(category, given) == states


def test_the_graph_carries_states_and_open_parts():
    house = _house([{**CHEST, "states": {"open": True}}, TABLE],
                   [{"name": "mug_0", "category": "mug", "on": "table_0", "states": {"clean": True, "filled": True}}])
    graph = build_graph(house, "all")
    assert graph["mug_0"].states == {"is_clean": True, "is_filled": True}
    assert all(part.open for part in graph["chest_0"].parts) and not graph["chest_0"].closed


def test_open_furniture_starts_open_and_its_drawers_bring_their_contents():
    fridge = {**FRIDGE, "states": {"open": True}}
    sock = {"name": "sock_0", "category": "sock", "in": "chest_0", "surface": "second_drawer"}
    shut = simulation(furniture=[fridge, CHEST], objects=[sock], robot=(1.0, 3.0, 0.0)).ground_truth()
    world = simulation(furniture=[fridge, {**CHEST, "states": {"open": True}}], objects=[sock], robot=(1.0, 3.0, 0.0))
    world.advance(0.5)
    truth = world.ground_truth()
    assert truth.parts["fridge_0/door"] > 1.5 and shut.parts["chest_0/second_drawer"] < 0.01
    opened = truth.parts["chest_0/second_drawer"]
    assert opened > 0.35
    shift = truth.bodies["sock_0"].box.centre - shut.bodies["sock_0"].box.centre
    assert shift[1] == pytest.approx(opened, abs=0.02)
    assert truth.bodies["sock_0"].states == {}


@pytest.mark.parametrize(("furniture", "thing", "message"), [
    ({}, {"states": {"wet": True}}, r"objects.0.states.wet.*'clean', 'filled', 'powered', 'sliced', 'hot', 'cold'"),
    ({}, {"states": {"clean": "maybe"}}, r"objects.0.states.clean"),
    ({}, {"states": {"open": True}}, r"objects.0 \(mug_0\): states.open: is for furniture; valid: clean, cold"),
    ({"states": {"open": True}}, {}, r"furniture.0 \(table_0\): states.open: table has no door or drawer"),
])
def test_wrong_states_are_errors_that_name_the_field_and_the_choices(furniture, thing, message):
    with pytest.raises(ConfigError, match=r"den.house.yaml: " + message):
        _house([{**TABLE, **furniture}], [{"name": "mug_0", "category": "mug", "on": "table_0", **thing}])


def test_furniture_of_an_unknown_category_is_a_plain_surface_of_its_size():
    piano = {"name": "piano_0", "category": "piano", "room": "room", "pose": [2, 2, 0]}
    with pytest.raises(ConfigError, match="unknown 'piano'; valid: .*wardrobe.*; or one of your own with its size"):
        _house([piano])
    entity = build_graph(_house([{**piano, "size": [0.6, 1.4, 0.9]}]))["piano_0"]
    assert entity.category == "piano" and entity.size == (0.6, 1.4, 0.9)
    assert entity.surfaces[0].height == 0.9 and entity.surfaces[0].size == (0.6, 1.4)
