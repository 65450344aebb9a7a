"""Switches that are pressed, and what furniture does to what stands in it: rules beside contact."""

import numpy as np
import pytest
from small_worlds import FRIDGE, ROOM, simulation

from dadu.house.files import parse_house
from dadu.house.furniture.entity import furniture_entity, switch_of
from dadu.sim.mujoco.switched import SOAKING
from dadu.world.graph import Entity, Kind

MICROWAVE = {"name": "microwave_0", "category": "microwave", "room": "room", "pose": [2.5, 0.3, 1.5708]}
SINK = {"name": "sink_0", "category": "sink", "room": "room", "pose": [2.5, 0.4, 1.5708]}


def _thing(category, place):
    return {"name": f"{category}_0", "category": category, "in": place}


def press(sim, piece):
    """Pushes its switch for a moment, as a finger would, then lets go."""
    joint = sim.data.joint(f"{piece}/switch")
    joint.qpos[0] = 1e-4  # what moves is awake
    joint.qfrc_applied[0] = 8.0
    sim.advance(0.2)
    assert joint.qpos[0] > 0.007
    joint.qfrc_applied[0] = 0.0
    sim.advance(0.5)
    assert abs(joint.qpos[0]) < 0.001, "it springs back"


def test_a_press_switches_on_and_another_one_off():
    sim = simulation(furniture=[MICROWAVE], objects=[])
    assert not sim.states["microwave_0"]["is_powered_on"]
    press(sim, "microwave_0")
    assert sim.states["microwave_0"]["is_powered_on"]
    sim.advance(2.0)
    assert sim.states["microwave_0"]["is_powered_on"]
    press(sim, "microwave_0")
    assert not sim.states["microwave_0"]["is_powered_on"]
    assert sim.ground_truth().parts.keys() == {"microwave_0/door"}


@pytest.mark.parametrize(("piece", "category", "switched", "state"), [
    (FRIDGE, "apple", False, "is_cold"), (MICROWAVE, "apple", True, "is_hot"), (SINK, "fork", True, "is_clean")])
def test_what_stands_in_it_changes_after_a_while(piece, category, switched, state):
    sim = simulation(furniture=[piece], objects=[_thing(category, piece["name"])])
    thing = f"{category}_0"
    sim.states[thing].pop("is_cold", None)
    if switched:
        press(sim, piece["name"])
    sim.advance(0.02)
    assert not sim.states[thing].get(state), "not at once"
    sim.advance(0.6 * SOAKING)
    sim.advance(0.6 * SOAKING)
    assert sim.states[thing][state]


def test_an_open_microwave_heats_nothing():
    sim = simulation(furniture=[MICROWAVE | {"states": {"open": True, "powered": True}}],
                     objects=[_thing("apple", "microwave_0")])
    for _ in range(4):
        sim.advance(0.5 * SOAKING)
    assert not sim.states["apple_0"].get("is_hot")


@pytest.mark.parametrize("piece", [MICROWAVE, SINK, MICROWAVE | {"elevation": 0.7, "size": [0.4, 0.5, 0.3]}])
def test_a_switch_is_where_the_simulator_has_it(piece):
    house = parse_house({"house": "tiny", "rooms": [ROOM], "furniture": [piece], "robot": {"pose": [1, 3, 0]}}, "test")
    sim = simulation(furniture=[piece], objects=[])
    body = sim.model.body(f"{piece['name']}/switch")
    geom = sim.data.geom_xpos[body.geomadr[0]]
    switch = switch_of(furniture_entity(house.furniture[0]))
    assert switch.handle == pytest.approx([*(geom + 0.004 * -np.array(switch.axis))], abs=1e-3)


def test_furniture_that_nobody_knows_has_no_switch():
    assert switch_of(Entity("odd_0", Kind.FURNITURE, "Odd thing!", (1.0, 2.0, 0.9))) is None
