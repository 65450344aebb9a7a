"""Objects find places that are on their deck, clear of each other, and the same every time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.errors import ConfigError
from dadu.house.catalogue import object_categories
from dadu.house.files import load_house
from dadu.house.placement import place_objects

TABLE = {"name": "table_0", "category": "table", "pose": [3, 3, 0.7], "size": [0.8, 1.6, 0.75]}


@given(st.lists(st.sampled_from(sorted(object_categories())), min_size=1, max_size=8), st.floats(-3.1, 3.1))
def test_objects_stand_on_the_table_without_touching(one_room, categories, yaw):
    things = [{"name": f"o_{i}", "category": c, "on": "table_0"} for i, c in enumerate(categories)]
    house = one_room([{**TABLE, "pose": [3, 3, yaw]}], things)
    placements = list(place_objects(house).values())
    boxes = []
    for placement in placements:
        centre = house.piece("table_0").pose2.inverse().apply(placement.position[:2])
        half = np.array(placement.model.size[:2]) / 2
        assert (np.abs(centre) + half <= np.array([0.4, 0.8]) + 1e-9).all()
        assert placement.position[2] - placement.model.size[2] / 2 == pytest.approx(0.75, abs=1e-3)
        boxes.append((centre, half))
    for i, (c, h) in enumerate(boxes):
        assert all((np.abs(c - other) >= h + size + 0.014).any() for other, size in boxes[:i])


def test_a_gripper_fits_between_a_few_objects_near_the_front(one_room):
    things = [{"name": f"can_{i}", "category": "soda_can", "on": "table_0"} for i in range(5)]
    house = one_room([TABLE], things)
    places = [house.piece("table_0").pose2.inverse().apply(p.position[:2]) for p in place_objects(house).values()]
    columns = np.sort([y for _, y in places])
    assert all(0.12 <= 0.4 - x <= 0.22 for x, _ in places)
    assert np.diff(columns).min() - 0.066 >= 0.08


def test_a_given_place_is_kept_in_the_furniture_frame(one_room):
    house = one_room([TABLE], [{"name": "mug_0", "category": "mug", "on": "table_0", "at": [0.1, -0.2]}])
    x, y, _ = place_objects(house)["mug_0"].position
    assert house.piece("table_0").pose2.inverse().apply((x, y)) == pytest.approx((0.1, -0.2))


def test_the_fridge_is_filled_within_reach():
    house = load_house("flat")
    fridge = house.piece("fridge_0")
    for placement in place_objects(house).values():
        if placement.thing.receptacle == "fridge_0":
            x, _ = fridge.pose2.inverse().apply(placement.position[:2])
            assert fridge.pose2.x + 0.325 - (fridge.pose2.x + x) < 0.3
            assert 0.3 < placement.position[2] < 1.1


def test_order_and_repetition_do_not_change_places():
    house = load_house("flat")
    assert place_objects(house) == place_objects(house)


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        ({"on": "table_0", "at": [2.0, 0.0]}, ("mug_0", "beside every surface")),
        ({"in": "table_0"}, ("nothing can be put in table_0", "use on")),
        ({"on": "table_0", "surface": "attic"}, ("no surface 'attic'", "valid: top")),
    ],
)
def test_impossible_places_are_explained(one_room, thing, words):
    house = one_room([TABLE], [{"name": "mug_0", "category": "mug", **thing}])
    with pytest.raises(ConfigError) as error:
        place_objects(house)
    assert all(word in str(error.value) for word in words)


def test_two_things_cannot_be_given_one_place(one_room):
    things = [{"name": f"mug_{i}", "category": "mug", "on": "table_0", "at": [0.0, 0.03 * i]} for i in range(2)]
    with pytest.raises(ConfigError, match="mug_1: .*stands already"):
        place_objects(one_room([TABLE], things))


def test_a_full_table_is_said_to_be_full(one_room):
    things = [{"name": f"bread_{i}", "category": "bread", "on": "table_0"} for i in range(80)]
    with pytest.raises(ConfigError, match="no room left on table_0"):
        place_objects(one_room([TABLE], things))
