"""What the fingers say of a load, against what a skill says."""

import pytest

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.planner.loop.belief import Belief
from dadu.planner.loop.carried import Grip, apply_gripper_feedback, is_load_of_drive
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import ROBOT, UNIDENTIFIED, Edge, Entity, Kind, Relation

EMPTY = build_graph(load_house("flat"), "all")
LOADED = apply(EMPTY, SkillCall("pick", ("mug_0",)), 0.0)
DRIVE = SkillCall("go_to", ("sofa_0",))
OK = SkillResult(Code.SUCCEEDED, "")


@pytest.mark.parametrize(("skill", "graph", "gripped", "load"), [
    ("go_to", LOADED, True, True), ("explore", LOADED, True, True), ("place", LOADED, True, False),
    ("go_to", EMPTY, True, False), ("go_to", LOADED, False, False), ("go_to", LOADED, None, False)])
def test_only_what_is_known_and_felt_is_a_load(skill, graph, gripped, load):
    assert is_load_of_drive(SkillCall(skill, ("sofa_0",)), graph, gripped) is load


def test_a_drive_that_arrived_without_its_load_lost_it():
    result = apply_gripper_feedback(DRIVE, OK, LOADED, gripped=False)
    assert result.code is Code.OBJECT_LOST and result.target == "mug_0"


@pytest.mark.parametrize("gripped", [True, None])
def test_what_the_fingers_do_not_deny_stays(gripped):
    assert apply_gripper_feedback(DRIVE, OK, LOADED, gripped) is OK


@pytest.mark.parametrize("call", [DRIVE, SkillCall("open", ("fridge_0",))])
def test_nothing_is_lost_by_an_empty_hand(call):
    assert apply_gripper_feedback(call, OK, EMPTY, gripped=False) is OK


def test_a_thing_that_was_put_down_is_not_lost_but_one_whose_placing_failed_is():
    place, failed = SkillCall("place", ("sofa_0", "on")), SkillResult(Code.EXECUTION_FAILED, "slipped")
    assert apply_gripper_feedback(place, OK, LOADED, gripped=False) is OK
    assert apply_gripper_feedback(place, failed, LOADED, gripped=False).code is Code.OBJECT_LOST


FELT = EMPTY.copy()
FELT.put(Entity("thing_0", Kind.OBJECT, UNIDENTIFIED))
FELT.set_support("thing_0", Edge("thing_0", Relation.HELD_BY, ROBOT))


class Holding:
    """A world in which the fingers press on something, or not."""

    def __init__(self, gripped):
        self.gripped = gripped

    def holding(self):
        return self.gripped

    def now(self):
        return 9.0


def without(graph, id):
    graph = graph.copy()
    graph.remove(id)
    return graph


@pytest.mark.parametrize("result", [OK, SkillResult(Code.CANCELLED, ""), SkillResult(Code.UNREACHABLE_BACKEND, "")])
@pytest.mark.parametrize("forgotten", [EMPTY, without(EMPTY, "mug_0"), FELT], ids=["elsewhere", "gone", "felt"])
def test_what_was_picked_is_in_the_hand_whatever_memory_has_of_it(result, forgotten):
    grip = Grip()
    grip.learn(SkillCall("pick", ("mug_0",)), result, EMPTY, True)
    assert grip.believed(forgotten.copy(), Holding(True)).held(ROBOT).id == "mug_0"
    assert grip.believed(EMPTY.copy(), Holding(False)).held(ROBOT) is None
    grip.learn(SkillCall("place", ("on", "sofa_0")), OK, LOADED, True)
    assert grip.believed(EMPTY.copy(), Holding(True)).held(ROBOT) is None


@pytest.mark.parametrize(("code", "later"), [(Code.UNCERTAIN, "mug_0"), (Code.SUCCEEDED, None)])
def test_what_may_have_been_put_down_was_not_where_the_hand_is_full_after_all(code, later):
    belief = Belief()
    belief.learn(SkillCall("place", ("on", "sofa_0")), SkillResult(code, "", target="mug_0"), 5.0)
    assert belief.graph(LOADED.copy()).held(ROBOT) is None
    belief.learn(SkillCall("pick", ("apple_0",)), SkillResult(Code.HAND_FULL, "", target="apple_0"), 6.0)
    held = belief.graph(LOADED.copy()).held(ROBOT)
    assert (held and held.id) == later
