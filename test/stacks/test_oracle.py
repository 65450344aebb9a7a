"""The oracle: instructions are carried out, failures are typed truly, knowledge grows only by looking."""

from __future__ import annotations

import pytest

from dadu.house.files import load_house
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail
from dadu.stacks.oracle import OracleStack
from dadu.world.graph import Kind, Relation


@pytest.fixture(scope="module")
def flat():
    return load_house("flat")


def do(stack: OracleStack, *words: str):
    return stack.execute(SkillCall(words[0], tuple(words[1:])))


def test_an_instruction_is_carried_out(flat):
    stack = OracleStack(flat)
    report = stack.do("take the milk out of the fridge and put it on the dining table")
    assert report.success, report.summary
    milk = stack.truth().bodies["milk_0"]
    assert not milk.held
    assert stack.world.things["milk_0"].support.holder == "dining_table_0"


def test_next_to_furniture(flat):
    stack = OracleStack(flat, known="all")
    report = stack.do("put the shampoo next to the bed")
    assert report.success, report.summary
    assert stack.world.things["shampoo_0"].support.holder == "nightstand_0"


def test_failures_are_typed(flat):
    stack = OracleStack(flat, known="all")
    assert do(stack, "place", "on", "dining_table_0").code is Code.HAND_EMPTY
    assert do(stack, "pick", "mug_0").code is Code.TOO_FAR
    assert do(stack, "go_to", "fridge_0").ok
    assert do(stack, "pick", "milk_0").code is Code.CONTAINER_CLOSED
    assert do(stack, "pick", "unicorn_0").code is Code.UNKNOWN_TARGET
    assert do(stack, "fly", "fridge_0").code is Code.UNKNOWN_ACTION
    assert do(stack, "clean", "mug_0").code is Code.UNKNOWN_ACTION
    assert do(stack, "open", "dining_table_0").code is Code.NOT_INTERACTIVE
    assert do(stack, "open", "fridge_0").ok
    assert do(stack, "pick", "milk_0").ok
    assert do(stack, "pick", "juice_0").code is Code.HAND_FULL
    assert do(stack, "close", "fridge_0").code is Code.HAND_FULL


def test_knowledge_grows_by_looking(flat):
    stack = OracleStack(flat)
    assert "milk_0" not in stack.graph() and "mug_0" not in stack.graph()
    do(stack, "explore", "kitchen")
    assert "mug_0" in stack.graph() and "milk_0" not in stack.graph()
    do(stack, "go_to", "fridge_0")
    do(stack, "open", "fridge_0")
    assert stack.graph().support("milk_0").relation is Relation.IN
    stack.disturb("move", "milk_0", "sofa_0")
    do(stack, "wait")
    assert "milk_0" not in stack.graph()


def test_a_search_ends_when_the_thing_is_seen():
    stack = OracleStack(load_house("store"))
    report = stack.do("move the candle to the purchase table")
    assert report.success
    last = [step.outcome for step in report.steps if step.call.skill == "explore"][-1]
    assert (last.detail, last.target) == (Detail.SEEN, "shop")
    before = stack.travelled
    assert "places" in do(stack, "explore", "shop").message, "who looks for nothing looks at everything"
    assert stack.travelled > before


def test_a_drive_that_looks_for_something_ends_where_it_is_seen():
    stack = OracleStack(load_house("store"))
    report = stack.do("take a strawberry and put it on the toy rack")
    first = report.steps[0]
    assert report.success and (first.call.skill, first.outcome.detail) == ("go_to", Detail.SEEN)


def test_whoever_wants_all_of_it_looks_to_the_end_and_only_once():
    report = OracleStack(load_house("store")).do("put all fruit from the receiving shelf on the fruit table")
    looks = [step for step in report.steps if step.call == SkillCall("go_to", ("receiving_shelf",))]
    assert report.success and [step.outcome.detail for step in looks] == [""]


def test_a_look_round_begins_where_one_stands(flat):
    stack = OracleStack(flat)
    ended = stack.execute(SkillCall("explore", (stack.agent.room,)), cancelled=lambda: True)
    assert ended.code is Code.CANCELLED and stack.travelled < 0.2


def test_nothing_known_means_rooms_are_found_one_by_one(flat):
    stack = OracleStack(flat, known="nothing")
    rooms = [len(stack.graph().of(Kind.ROOM))]
    for _ in range(len(flat.rooms)):
        assert do(stack, "explore", "unknown").ok
        rooms.append(len(stack.graph().of(Kind.ROOM)))
    assert rooms[0] == 1 and rooms[-1] == len(flat.rooms) and sorted(rooms) == rooms
    assert len(stack.graph().of(Kind.FURNITURE)) == len(flat.furniture)


def test_the_same_twice_bit_for_bit(flat):
    runs = []
    for _ in range(2):
        stack = OracleStack(flat, seed=3, slips=0.3)
        report = stack.do("put the lemon on the coffee table")
        runs.append((repr([(s.call, s.result) for s in report.steps]), stack.now(), stack.travelled,
                     repr(stack.truth())))
    assert runs[0] == runs[1]


def test_a_person_can_do_what_the_robot_cannot(flat):
    stack = OracleStack(flat, known="all", person=True)
    assert do(stack, "clean", "mug_0").code is Code.UNKNOWN_ACTION
    assert do(stack.person, "go_to", "mug_0").ok
    assert do(stack.person, "clean", "mug_0").ok
    assert stack.truth().bodies["mug_0"].states["is_clean"]
    assert do(stack.person, "pick", "mug_0").ok
    assert do(stack, "go_to", "counter_0").ok
    assert do(stack, "pick", "mug_0").code is Code.UNKNOWN_TARGET
