"""Tasks whose course depends on what is found, and tasks that change states, carried out in a symbolic world."""

from pathlib import Path

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.skills.table import BASE_CAPABILITIES, SKILLS
from dadu.world.graph import Edge, Relation

EITHER = "if there is milk in the fridge, put it on the counter, otherwise put the coke there"


@pytest.fixture(scope="module")
def shop():
    return load_house(Path(__file__).parent / "houses" / "shop.house.yaml")


def attempt(shop, instruction, known="layout", change=lambda truth: None, capabilities=tuple(SKILLS)):
    truth, memory = build_graph(shop, "all"), build_graph(shop, known)
    change(truth)
    world = SymbolicWorld(truth, memory)
    return run(ClosedLoop(instruction, make_planner(capabilities=capabilities), world), world), world


def test_yes(shop):
    report, world = attempt(shop, EITHER)
    assert report.success and world.truth.support("milk_0").object == "counter_0"
    assert world.truth.support("coke_can_0").object == "purchase_table"
    assert "there is milk in the fridge: yes" in report.summary


def test_no(shop):
    report, world = attempt(shop, EITHER, change=lambda truth: truth.set_support(
        "milk_0", Edge("milk_0", Relation.ON, "toy_table")))
    assert report.success and world.truth.support("coke_can_0").object == "counter_0"
    assert world.truth.support("milk_0").object == "toy_table"
    assert "there is milk in the fridge: no" in report.summary


def test_a_question_is_answered(shop):
    truth = build_graph(shop, "all")
    world = SymbolicWorld(truth, build_graph(shop, "layout"))
    loop = ClosedLoop("check whether there is a fork in the cabinet", make_planner(), world)
    report = run(loop, world)
    assert report.success and loop.progress.answers == {0: True} and "in the cabinet: yes" in report.summary
    assert SkillCall("open", ("cabinet_0",)) in world.calls  # it had to be looked into


def test_the_biggest_is_known_only_when_all_were_seen(shop):
    report, world = attempt(shop, "put the biggest toy on the shipping table")
    sizes = {e.id: e.size[0] * e.size[1] * e.size[2] for e in world.truth if e.id.startswith("toy_")
             and e.id != "toy_table"}
    assert report.success, report.summary
    assert world.truth.support(max(sizes, key=sizes.get)).object == "shipping_table"


def test_another_is_another(shop):
    report, world = attempt(shop, "Find a squirrel toy and put it on the counter. Put another squirrel toy on the "
                            "fruit table.")
    places = {world.truth.support(f"toy_squirrel_{i}").object for i in (0, 1)}
    assert report.success and places == {"counter_0", "fruit_table"}


def test_heated_then_served(shop):
    report, world = attempt(shop, "heat an apple and put it on the dining table")
    served = [e for e in world.truth.contents("dining_table_0", Relation.ON) if e.states.get("is_hot")]
    assert report.success and [e.category for e in served] == ["apple"]


def test_washed_and_put_away(shop):
    report, world = attempt(shop, "wash the mug and put it in the cabinet")
    assert report.success and world.truth["mug_0"].states["is_clean"]
    assert world.truth.support("mug_0").object == "cabinet_0"


def test_what_a_robot_has_no_skill_for_is_said(shop):
    report, world = attempt(shop, "wash the mug and put it in the cabinet", capabilities=BASE_CAPABILITIES)
    assert report.outcome.code is Code.EXECUTION_FAILED and "no skill" in report.summary
    assert world.truth.support("mug_0").object == "cabinet_0"  # the rest is done
    assert "achieved: is_inside(the mug, the cabinet). not achieved: is_clean(the mug)" in report.summary


def test_what_is_taken_out_of_a_container_that_is_closed_again_ends_in_the_hand(shop):
    report, world = attempt(shop, "take the milk out of the fridge and close it", "all")
    assert report.success and world.truth.held().id == "milk_0" and world.truth["fridge_0"].closed
