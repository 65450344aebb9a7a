"""handover, from the words to the hand of somebody who takes it; and what is said where nobody does."""

from __future__ import annotations

import pytest

from dadu.goals.monitor import evaluate
from dadu.goals.suite_goal import parse_goal
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.planner.model.feasible import feasible
from dadu.sim.oracle.handling import handover
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail
from dadu.stacks.oracle import OracleStack
from dadu.world.graph import ROBOT
from dadu.world.names import PERSON
from dadu.world.state import TrueWorld


@pytest.fixture(scope="module")
def flat():
    return load_house("flat")


def do(stack, *words: str):
    return stack.execute(SkillCall(words[0], tuple(words[1:])))


@pytest.fixture
def laden(flat):
    """With the lemon in the robot's hand."""
    stack = OracleStack(flat, person=True, known="all")
    assert do(stack, "go_to", "lemon_0").ok and do(stack, "pick", "lemon_0").ok
    return stack


@pytest.mark.parametrize("words", [
    "bring me the lemon", "hand me the lemon", "take the milk and give it to me", "hand over the lemon",
    "bring the lemon to somebody and hand it over", "pick up the milk and pass it to the person"])
def test_what_is_asked_for_is_in_the_persons_hand(flat, words):
    stack = OracleStack(flat, person=True)
    report = stack.do(words)
    thing = "milk_0" if "milk" in words else "lemon_0"
    assert report.success, report.summary
    assert [step.call.skill for step in report.steps].count("handover") == 1
    world = TrueWorld(build_graph(flat), stack.truth())
    for agent, held in ((PERSON, True), (ROBOT, False)):
        goal = parse_goal({"propositions": [{"is_held_by": [thing, agent]}]}, "test", world.names)
        assert evaluate(goal, [world]).success is held
    assert stack.world.agents[PERSON].held == thing and not stack.holding()


def test_without_a_person_it_is_brought_to_where_it_was_asked_for(flat):
    stack = OracleStack(flat)
    report = stack.do("bring me the lemon")
    assert report.success and stack.agent.held == "lemon_0"


def test_who_has_a_full_hand_takes_nothing(laden):
    laden.world.agents[PERSON].held = "milk_0"
    assert do(laden, "go_to", PERSON).ok
    began = laden.now()
    result = do(laden, "handover", PERSON)
    assert (result.code, result.detail) == (Code.EXECUTION_FAILED, Detail.NOT_TAKEN)
    assert laden.agent.held == "lemon_0" and laden.now() > began + 5.0


def test_failures_are_typed(laden):
    assert do(laden, "handover", PERSON).code is Code.TOO_FAR
    for nobody in (ROBOT, "desk_0", "stranger"):
        assert do(laden, "handover", nobody).code is Code.UNKNOWN_TARGET
    assert do(laden, "go_to", PERSON).ok and do(laden, "handover", PERSON).ok
    assert do(laden, "handover", PERSON).code is Code.HAND_EMPTY


def test_a_model_is_offered_it_with_something_in_the_hand(flat, laden):
    assert not [v for v in feasible(OracleStack(flat).graph(), tuple(laden.capabilities)) if v.skill == "handover"]
    assert [v.arguments for v in feasible(laden.graph(), tuple(laden.capabilities)) if v.skill == "handover"] == [
        {"agent": (PERSON,)}]


def test_who_walks_takes_it_once_they_stand(laden):
    assert do(laden, "go_to", PERSON).ok
    person = laden.world.agents[PERSON]
    person.way = [person.pose[:2]]
    held_out = handover(laden.view, PERSON)
    next(held_out)
    assert laden.holding()
    person.way = []
    with pytest.raises(StopIteration) as end:
        next(held_out)
    assert end.value.value.ok and person.held == "lemon_0" and not laden.holding()
