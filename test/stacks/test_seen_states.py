"""From a rendered picture to what memory knows: a lamp that is on, off, and switched while the robot looks."""

import pytest

from dadu.house.files import parse_house
from dadu.perception.sensor_config import SensorConfig
from dadu.stacks.stack import Stack

HOUSE = {"house": "hut", "doors": [], "robot": {"pose": [2.5, 2.3, -1.5708]},
         "rooms": [{"name": "room", "category": "kitchen", "floor": [[0, 0], [5, 0], [5, 4], [0, 4]]}],
         "furniture": [{"name": "table_0", "category": "table", "room": "room", "pose": [2.5, 1.0, 1.5708],
                        "size": [0.6, 1.0, 0.75]}],
         "objects": [{"name": "lamp_0", "category": "lamp", "on": "table_0", "at": [0.1, -0.2]},
                     {"name": "bowl_0", "category": "bowl", "on": "table_0", "at": [0.1, 0.2]}]}


@pytest.fixture
def stack(request):
    stack = Stack(parse_house(HOUSE, "test"), eyes=SensorConfig(privilege=request.param))
    yield stack
    stack.close()


def known(stack):
    return {f"{e.category} {state}": value for e in stack.graph() for state, value in e.states.items()
            if e.category in ("lamp", "bowl")}


@pytest.mark.parametrize("stack", ["instances"], indirect=True)
def test_what_is_on_and_filled_is_seen_and_so_is_its_change(stack):
    truth = stack.simulation.states
    assert known(stack) == {}
    for on in (True, False):
        truth["lamp_0"]["is_powered_on"] = truth["bowl_0"]["is_filled"] = on
        for _ in range(25):
            stack.advance(0.2)
        assert known(stack) == {"lamp is_powered_on": on, "bowl is_filled": on}


@pytest.mark.parametrize("stack", ["instances,states"], indirect=True)
def test_who_is_told_the_states_does_not_look_for_them(stack):
    stack.simulation.states["lamp_0"]["is_powered_on"] = True
    stack.advance(1.0)
    assert known(stack)["lamp is_powered_on"] is True
    assert all(not d.states for d in stack.scene.frame.detections)
