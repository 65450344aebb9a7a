"""Nothing can be put on, in or beside itself."""

import pytest

from dadu.house.files import load_house
from dadu.stacks.offline import plan_offline

FLAT, SMALL = load_house("flat"), load_house("small_flat")


@pytest.mark.parametrize("instruction", ["put the bowl into the bowl", "put the bowl next to the bowl"])
def test_a_thing_at_itself_is_refused(instruction):
    assert "cannot be on, in or beside itself" in plan_offline(instruction, FLAT, "all")["refused"]


@pytest.mark.parametrize(("house", "instruction", "moved", "target"), [
    (SMALL, "put the plates onto the blue plate", "plate_0", "plate_1")])
def test_alike_things_go_to_the_other_one(house, instruction, moved, target):
    plan = plan_offline(instruction, house, "all")["plan"]
    assert [s[-1] for s in plan if s[0] in ("pick", "place")] == [moved, target]


def test_two_things_cannot_hold_each_other():
    refused = plan_offline("put the bowl into the mug and the mug into the bowl", FLAT, "all")["refused"]
    assert "not achieved: is_inside(the mug, the bowl)" in refused


def test_water_is_boiled_in_what_heats_itself_or_on_the_stove():
    plan = plan_offline("Boil some water in the kettle", SMALL, "all")["plan"]
    assert ["fill", "kettle_0"] in plan and ["power_on", "kettle_0"] in plan
    plan = plan_offline("Heat some water in the pot", SMALL, "all")["plan"]
    assert ["fill", "pot_0"] in plan and ["power_on", "stove_0"] in plan
