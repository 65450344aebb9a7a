"""The worlds in maps/: everything in them is placed, nothing stands in anything else, all is at rest."""

import mujoco
import numpy as np
import pytest

from dadu.house.catalogue import object_category
from dadu.house.files import house_names, load_house
from dadu.house.layout import build_graph
from dadu.house.overlaps import overlaps
from dadu.sim.mujoco.scene.house_mjcf import build_spec
from dadu.world.graph import Kind

HOUSES = house_names()
HOMES = [name for name in HOUSES if name != "workbench"]
"""the other is for an arm that stands still"""


def test_the_worlds_that_are_promised_are_there():
    assert {"flat", "small_flat", "apartment", "described_flat", "store"} <= set(HOUSES)
    assert [len(load_house(name).rooms) for name in ("small_flat", "apartment")] == [4, 8]


@pytest.mark.parametrize("name", HOUSES)
def test_a_world_is_at_rest_and_nothing_stands_in_anything(name):
    house = load_house(name)
    assert overlaps(house) == []
    model = build_spec(house).compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert all(contact.dist > -1e-4 for contact in data.contact)
    start = data.xpos.copy()
    mujoco.mj_step(model, data, 250)
    assert np.linalg.norm(data.xpos - start, axis=1).max() < 0.002


@pytest.mark.parametrize("name", HOMES)
def test_the_graph_knows_a_world_and_the_demo_can_run_in_it(name):
    graph = build_graph(load_house(name), "all")
    assert graph["milk_0"].category == "milk_carton" and graph.support("milk_0").object == "fridge_0"
    assert graph["apple_0"].attributes["color"] == "red" and "dining_table_0" in graph
    for entity in graph.of(Kind.OBJECT):
        assert graph.support(entity.id) is not None and graph.room_of(entity.id) is not None
    red = [e.id for e in graph.of(Kind.OBJECT) if e.category == "apple" and e.attributes["color"] == "red"]
    assert red == ["apple_0"]


def test_rooms_of_the_described_flat_have_names_that_say_nothing():
    house = load_house("described_flat")
    assert {room.category for room in house.rooms} == {"room"}
    assert all(room.name.startswith("room_") for room in house.rooms)


def test_the_store_is_dadu_es():
    graph = build_graph(load_house("store"), "all")
    for place, hypernym in {"fruit_table": "fruit", "drinks_table": "drink", "toy_rack": "toy"}.items():
        things = graph.contents(place)
        assert len(things) >= 6 and all(hypernym in object_category(thing.category).hypernyms for thing in things)
    assert {"shipping_shelf", "receiving_shelf", "purchase_table", "entry"} <= set(graph.entities)
    assert graph.contents("shipping_shelf") == [] and len(graph.contents("receiving_shelf")) >= 5
