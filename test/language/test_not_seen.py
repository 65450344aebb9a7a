"""Where only rooms and furniture are known: what has to be seen before the words mean anything is looked for first, and
what is found changes what the others are."""

from pathlib import Path

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.stacks.offline import plan_offline
from dadu.stacks.oracle import OracleStack
from dadu.world.graph import Relation

CASES = {
    "Empty the dishwasher and set the plate and the cup on the dining table.":
        {"plate_0": "dining_table_0", "cup_0": "dining_table_0"},
    "Clear the coffee table and put the remote on the sofa": {"remote_0": "sofa_0", "newspaper_0": "bookcase_0"},
    "Clear the coffee table. Put the books on it.":
        {"remote_0": "sofa_0", "newspaper_0": "bookcase_0", "book_0": "coffee_table_0", "book_1": "coffee_table_0",
         "book_2": "coffee_table_0"},
    "Clean up the living room. Move the blanket to the bed.": {"blanket_0": "bed_0", "cellphone_0": "desk_0"},
    "Put two books on the desk and one on the nightstand.":
        {"book_0": "desk_0|nightstand_0", "book_1": "desk_0|nightstand_0", "book_2": "desk_0|nightstand_0"},
    "Sort the things on the coffee table.":
        {"remote_0": "sofa_0|television_0|side_table_0", "newspaper_0": "bookcase_0"},
    "Find the green book. Take it to the bedroom and lay it next to the watch.": {"book_2": "nightstand_0|bed_0"},
    "Look at the bookcase: if there is a red book on it, put that book on the coffee table.":
        {"book_1": "coffee_table_0"},
    "Put the hat on the chest of drawers with the scarf on it.": {"hat_0": "chest_of_drawers_0"},
    "Set the table. Move the plate to the dining table and the fork next to it.":
        {"plate_0": "dining_table_0", "fork_0": "dining_table_0"},
    "Clear the bookcase: the book goes on the desk and the statue on the coffee table.":
        {"book_0|book_1": "desk_0", "statue_0": "coffee_table_0"},
    "Empty the coffee table and move everything from it to the bed.": {"remote_0": "bed_0", "newspaper_0": "bed_0"},
    "Gather the watch, the pen and the hat on the sofa.": {"watch_0": "sofa_0", "pen_0": "sofa_0", "hat_0": "sofa_0"},
    "Tidy up the sofa, but leave the cushion where it is.": {"blanket_0": "single_bed_0|bed_0"},
    "Put the fork in the sink on the dining table.": {"fork_0": "dining_table_0"},
}
ASKED = {
    ("apartment", "Set the table. Move the plate to the dining table and the fork next to it."):
        ["is_next_to", "is_on_top"],
    ("apartment", "Set the table for dinner and put the flowers on it."): ["is_on_top"] * 5,
    ("apartment", "Turn off the lamp on the side table and the floor lamp"): ["is_powered_off", "is_powered_off"],
    ("apartment", "There should be some pills in the nightstand, please bring them to the sofa"): ["is_on_top"],
    ("apartment", "There should be two apples on the desk."): ["is_on_top"],
    ("flat", "put the lemon in the container on the counter"): ["is_on_top"],
}
"""predicates"""


@pytest.fixture(scope="module")
def house():
    return load_house("apartment")


def supports(graph, ids):
    return {id: edge.object for id in ids if (edge := graph.support(id)) is not None
            and edge.relation in (Relation.ON, Relation.IN)}


@pytest.mark.parametrize("instruction", CASES)
def test_it_is_done_with_what_is_there(house, instruction):
    truth = build_graph(house, "all")
    things = [e.id for e in truth if e.kind.value == "object"]
    before = supports(truth, things)
    world = SymbolicWorld(truth, build_graph(house, "layout"))
    report = run(ClosedLoop(instruction, make_planner(), world), world)
    after = supports(world.truth, things)
    moved = {id: place for id, place in after.items() if before[id] != place}
    assert report.success, report.summary
    assert len(moved) == len(CASES[instruction])
    for ids, places in CASES[instruction].items():
        assert any(id in ids.split("|") and place in places.split("|") for id, place in moved.items()), moved


@pytest.mark.parametrize("instruction", CASES)
def test_it_is_planned_with_what_is_there(house, instruction):
    planned = plan_offline(instruction, house)
    assert planned["refused"] is None and planned["plan"][-1] == ["done"]
    picked = {step[1] for step in planned["plan"] if step[0] == "pick"}
    assert len(picked) == len(CASES[instruction])


@pytest.mark.parametrize(("name", "instruction"), ASKED)
def test_it_is_asked_for_whatever_was_seen(name, instruction):
    propositions = plan_offline(instruction, load_house(name))["goal"]["propositions"]
    assert sorted(k for p in propositions for k in p if k.startswith("is_")) == ASKED[name, instruction]


def test_what_a_thing_looks_like_is_no_condition():
    planned = plan_offline("Grab the mug on the desk. If it is red take it to the counter, else to the sofa.",
                           load_house("flat"), "all")
    assert "looks like" in planned["refused"]


def test_all_of_a_kind_are_those_that_are_called_so_too():
    planned = plan_offline("Move all toys except the ducks from the toy rack to the sale table.", load_house("store"))
    picked = {step[1] for step in planned["plan"] if step[0] == "pick"}
    assert planned["refused"] is None
    assert picked == {"stuffed_toy_0", "toy_ladybug_0", "toy_school_bus_0", "toy_shark_0", "toy_squirrel_0",
                      "toy_squirrel_1"}


def test_what_is_spoken_of_is_looked_for_where_it_was_said_to_be():
    planned = plan_offline("The lemon on the checkout was returned by a customer, take it back to the fruit stand.",
                           load_house("store"))
    assert [step[1] for step in planned["plan"] if step[0] == "pick"] in (["lemon_1"], ["lemon"])
    assert planned["plan"][0] == ["go_to", "purchase_table"]


def test_goods_that_arrived_are_those_where_they_arrive():
    """Not what is in sight elsewhere."""
    planned = plan_offline("Complete the receiving of all the objects.", load_house("store"))
    picked = {step[1] for step in planned["plan"] if step[0] == "pick"}
    assert picked == {"apple_1", "apple_2", "banana_1", "pepsi_can_1", "sprite_can_1", "toy_duck_1"}


def test_what_is_asked_behind_a_look_is_asked_of_that_place():
    planned = plan_offline("Check the cupboard. If there is soda, put it on the desk.", load_house("flat"))
    assert not any(step[0] in ("pick", "explore") for step in planned["plan"])
    planned = plan_offline("Check the fridge. If there is soda, put it on the desk.", load_house("flat"))
    assert ["place", "on", "desk_0"] in planned["plan"] and not any(step[0] == "explore" for step in planned["plan"])


def test_what_no_look_around_has_shown_is_looked_for_from_nearby():
    stack = OracleStack(load_house("store"), known="layout")  # its camera does not see the whole shop from one place
    report = stack.do("Put a red toy on the purchase table")
    assert report.success and stack.world.things["toy_ladybug_0"].support.holder == "purchase_table"


def test_a_thing_is_first_what_is_called_just_so():
    stack = OracleStack(load_house("store"), known="layout")
    before = {t.name for t in stack.world.on("purchase_table")}
    assert stack.do("put the blue can on the checkout").success
    brought, = (t for t in stack.world.on("purchase_table") if t.name not in before)
    assert brought.attributes["color"] in ("blue", "navy")


def test_a_house_s_own_things_are_known_by_name_before_they_are_seen():
    stack = OracleStack(load_house(Path(__file__).parent / "houses" / "loft.house.yaml"), known="layout")
    report = stack.do("After you have carried the lidar puck to the workbench, bring the stapler to the bookcase.")
    assert report.success and stack.world.things["lidar_puck_0"].support.holder == "workbench_0"
