"""States in the oracle: what each skill asks for and changes, and what furniture does to its contents."""

from __future__ import annotations

import pytest

from dadu.house.files import parse_house
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.stacks.oracle import OracleStack

HOUSE = {
    "house": "kitchen_only",
    "rooms": [{"name": "kitchen", "category": "kitchen", "floor": [[0, 0], [5, 0], [5, 4], [0, 4]]}],
    "furniture": [{"name": "fridge_0", "category": "fridge", "room": "kitchen", "pose": [0.4, 1.0, 0.0]},
                  {"name": "microwave_0", "category": "microwave", "room": "kitchen", "pose": [2.5, 0.3, 1.5708]},
                  {"name": "table_0", "category": "table", "room": "kitchen", "pose": [4.0, 3.0, -1.5708]}],
    "objects": [{"name": "apple_0", "category": "apple", "on": "table_0"},
                {"name": "mug_0", "category": "mug", "on": "table_0"},
                {"name": "spoon_0", "category": "spoon", "on": "table_0"},
                {"name": "water_bottle_0", "category": "water_bottle", "on": "table_0"},
                {"name": "milk_0", "category": "milk_carton", "in": "fridge_0"}],
    "robot": {"pose": [2.5, 2.0, 0.0]},
}


@pytest.fixture
def person():
    return OracleStack(parse_house(HOUSE, "kitchen_only"), known="all", person=True).person


def do(stack, *words):
    return stack.execute(SkillCall(words[0], words[1:]))


def states(stack, name):
    return stack.truth().bodies[name].states


def all_of(stack, *calls):
    for call in calls:
        result = do(stack, *call.split())
        assert result.ok, (call, result)


def test_a_fridge_keeps_cold_and_a_microwave_heats_when_shut_and_on(person):
    assert states(person, "milk_0")["is_cold"]
    all_of(person, "go_to microwave_0", "open microwave_0", "go_to apple_0", "pick apple_0", "go_to microwave_0",
           "place in microwave_0", "power_on microwave_0")
    assert not states(person, "apple_0").get("is_hot", False)
    all_of(person, "close microwave_0")
    assert states(person, "apple_0")["is_hot"] and not states(person, "apple_0")["is_cold"]
    assert person.truth().furniture["microwave_0"]["is_powered_on"]
    all_of(person, "power_off microwave_0")
    assert not person.truth().furniture["microwave_0"]["is_powered_on"]


def test_pouring_takes_a_full_vessel_in_the_hand_and_one_to_pour_into(person):
    all_of(person, "go_to mug_0", "fill mug_0", "clean mug_0", "slice apple_0")
    assert states(person, "mug_0")["is_filled"] and states(person, "apple_0")["is_sliced"]
    assert do(person, "pour", "mug_0", "water_bottle_0").code is Code.HAND_EMPTY
    all_of(person, "pick water_bottle_0")
    assert do(person, "pour", "mug_0", "water_bottle_0").code is Code.HAND_FULL
    assert do(person, "pour", "water_bottle_0", "apple_0").code is Code.NOT_INTERACTIVE


def test_what_cannot_be_changed_says_what_can(person):
    all_of(person, "go_to apple_0")
    result = do(person, "fill", "apple_0")
    assert result.code is Code.NOT_INTERACTIVE and "mug_0" in result.message
    assert do(person, "power_on", "table_0").code is Code.NOT_INTERACTIVE


def test_a_vessel_takes_its_content_along(person):
    person.world.things["mug_0"].size = (0.2, 0.2, 0.1)
    all_of(person, "go_to apple_0", "pick apple_0", "go_to mug_0", "place in mug_0", "pick mug_0", "go_to fridge_0")
    mug, apple = (person.truth().bodies[n].box.centre for n in ("mug_0", "apple_0"))
    assert abs(mug - apple).max() < 0.15


def test_a_mug_takes_what_is_longer_than_it_but_not_what_is_thicker(person):
    all_of(person, "go_to spoon_0", "pick spoon_0", "go_to mug_0", "place in mug_0")
    assert person.world.things["spoon_0"].support.holder == "mug_0"
    all_of(person, "go_to water_bottle_0", "pick water_bottle_0", "go_to mug_0")
    assert do(person, "place", "in", "mug_0").detail == "no_free_space"


def test_who_stands_at_a_crowded_table_walks_along_it_to_free_space():
    """Only the ends of a bench of 3.2 m are free, farther from its middle than the arm reaches."""
    boxes = [{"name": f"box_{i}", "category": "crate", "shape": "box", "size": [0.2, 0.2, 0.1], "on": "bench_0",
              "at": [0.0, 0.22 * (i - 5)]} for i in range(11)]
    spare = {"name": "spare_0", "category": "crate", "shape": "box", "size": [0.2, 0.2, 0.1], "on": "stand_0"}
    stack = OracleStack(parse_house({
        "house": "workshop",
        "rooms": [{"name": "room", "category": "room", "floor": [[0, 0], [6, 0], [6, 4], [0, 4]]}],
        "furniture": [{"name": "bench_0", "category": "table", "room": "room", "pose": [3.0, 3.5, -1.5708],
                       "size": [0.3, 3.2, 0.75]},
                      {"name": "stand_0", "category": "table", "room": "room", "pose": [3.0, 0.5, 1.5708]}],
        "objects": [*boxes, spare], "robot": {"pose": [3.0, 2.0, 0.0]}}, "workshop"), known="all")
    all_of(stack, "go_to spare_0", "pick spare_0", "go_to bench_0")
    assert abs(stack.truth().robot.x - 3.0) < 0.3
    all_of(stack, "place on bench_0")
    truth = stack.truth()
    assert abs(truth.bodies["spare_0"].box.centre[0] - 3.0) > 1.3
    assert abs(truth.robot.x - truth.bodies["spare_0"].box.centre[0]) < 0.4
