"""States that a camera can see: on, filled, dirty, sliced; at the start, and as they change."""

import numpy as np
import pytest
from small_worlds import TABLE, simulation

from dadu.house.format import Furniture, Object
from dadu.sim.mujoco.scene.state_look import shown_states

PLACE = {"on": "table_0", "at": [0.0, 0.0]}


def pixels(category, **states):
    """float (n, 3): colours, of 255, of the one thing on a table before the robot."""
    thing = {"name": "thing_0", "category": category, **PLACE, "states": states}
    world = simulation(furniture=[TABLE], objects=[thing], robot=(1.0, 1.0, 0.0))
    try:
        frame = world.render()
        return frame.rgb[frame.instances == 1 + world.instance_names.index("thing_0")].astype(float)
    finally:
        world.close()


def test_a_lamp_that_is_on_is_bright():
    off, on = (np.median(pixels("lamp", powered=powered), axis=0) for powered in (False, True))
    assert on.min() > 180 and on.sum() > off.sum() + 60


def test_what_is_dirty_has_dark_stains_and_the_rest_keeps_its_colour():
    clean, dirty = (pixels("cushion", clean=state).sum(axis=1) for state in (True, False))
    assert np.percentile(dirty, 5) < 0.75 * np.percentile(clean, 5)
    assert np.percentile(dirty, 80) == pytest.approx(np.percentile(clean, 80), rel=0.1)


def test_what_is_filled_shows_its_content():
    empty, full = (pixels("bowl", filled=state) for state in (False, True))
    colors = {tuple(np.round(p / 24)) for p in full} - {tuple(np.round(p / 24)) for p in empty}
    assert colors


def test_what_is_sliced_lies_flat_and_shows_its_flesh():
    whole, cut = (pixels("apple", sliced=state) for state in (False, True))
    pale = [(p.min(axis=1) > 100).mean() for p in (whole, cut)]
    assert pale[0] < 0.05 and pale[1] > 0.2


@pytest.mark.parametrize(("category", "predicate"), [("lamp", "is_powered_on"), ("bowl", "is_filled"),
                                                     ("plate", "is_clean"), ("apple", "is_sliced")])
def test_looks_follow_the_states_there_and_back(category, predicate):
    thing = {"name": "thing_0", "category": category, **PLACE}
    world = simulation(furniture=[TABLE], objects=[thing], robot=(1.0, 1.0, 0.0))
    try:
        pictures = []
        for value in (False, True, False):
            world.states["thing_0"][predicate] = value
            pictures.append(world.render())
        before, changed, after = (picture.rgb for picture in pictures)
        assert np.array_equal(before, after) and np.array_equal(pictures[0].instances, pictures[2].instances)
        differs = (before != changed).any(axis=2)
        thing_there = (pictures[0].instances == pictures[0].instances.max()) | (
            pictures[1].instances == pictures[1].instances.max())
        assert differs.any() and not (differs & ~thing_there).any()
    finally:
        world.close()


@pytest.mark.parametrize(("item", "shown"), [
    (Object(name="mug_0", category="mug", on="t"), {"is_filled", "is_clean"}),
    (Object(name="lamp_0", category="lamp", on="t"), {"is_powered_on"}),
    (Object(name="milk_0", category="milk_carton", on="t"), set()),
    (Object(name="speaker_0", category="speaker", on="t"), set()),
    (Furniture(name="television_0", category="television", room="r", pose=(0, 0, 0)), {"is_powered_on"}),
    (Furniture(name="table_0", category="table", room="r", pose=(0, 0, 0)), set()),
])
def test_which_states_show(item, shown):
    assert shown_states(item) & {"is_filled", "is_clean", "is_powered_on"} >= shown
    assert ("is_powered_on" in shown_states(item)) == ("is_powered_on" in shown)
    assert ("is_filled" in shown_states(item)) == ("is_filled" in shown)
