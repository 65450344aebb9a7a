"""What is in the hand: put down on request, and before a task that needs the hand."""

import pytest

from dadu.goals.goal import Goal
from dadu.goals.interpreter import Context, Refused
from dadu.goals.progress import Progress
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.set_down_places import is_handy
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.grammar import Grammar
from dadu.planner.regression.lookahead import plan
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code
from dadu.world.graph import UNIDENTIFIED, Edge, Entity, Kind, Relation

EMPTY = build_graph(load_house("flat"), "all")
LOADED = apply(EMPTY, SkillCall("pick", ("apple_0",)), 0.0)
VOCABULARY = default_vocabulary()
UNKNOWN = EMPTY.copy()
UNKNOWN.put(Entity("thing_0", Kind.OBJECT, UNIDENTIFIED))
UNKNOWN.set_support("thing_0", Edge("thing_0", Relation.HELD_BY, "robot"))


def read(instruction, graph=LOADED):
    return Grammar().read(instruction, Context(graph, VOCABULARY))


def steps(goal, graph=LOADED):
    return [step.call for step in plan(Progress(goal), graph, Situation(), VOCABULARY)]


@pytest.mark.parametrize("graph", [LOADED, UNKNOWN], ids=["known", "unidentified"])
@pytest.mark.parametrize("instruction", [
    "put down what you are holding", "Put it down.", "please drop what you're holding", "empty your hand",
    "set down whatever is in your hand", "could you put the thing in your gripper down?",
    "put down the thing that you are holding somewhere"])
def test_the_robot_chooses_where_it_stands_well(instruction, graph):
    goal, held = read(instruction, graph), graph.held()
    assert isinstance(goal, Goal)
    drive, place, done = steps(goal, graph)
    assert (drive.skill, place.skill, done.skill) == ("go_to", "place", "done")
    assert is_handy(graph[place.arguments[1]], VOCABULARY)
    assert goal.propositions[0].subject.ids == (held.id,)


@pytest.mark.parametrize("instruction", ["put down the apple", "put the apple down", "release the apple"])
def test_it_may_be_called_by_its_name(instruction):
    assert read(instruction).propositions[0].subject.ids == ("apple_0",)


def test_what_is_not_in_the_hand_is_not_put_down():
    assert isinstance(read("put down the lemon"), Refused)


@pytest.mark.parametrize(("instruction", "predicate", "place"), [
    ("put what you are holding on the sofa", "is_on_top", "sofa_0"),
    ("Put what is in your hand into the fridge", "is_inside", "fridge_0"),
    ("put the thing you're holding on the desk", "is_on_top", "desk_0")])
def test_it_may_be_told_where_to(instruction, predicate, place):
    proposition = read(instruction).propositions[0]
    assert (proposition.predicate, proposition.place.ids) == (predicate, (place,))
    assert proposition.subject.ids == ("apple_0",)


def test_it_may_be_the_first_of_several_things_to_do():
    calls = steps(read("put down what you are holding, then go to the bathroom"))
    assert [c.skill for c in calls] == ["go_to", "place", "go_to", "done"] and calls[2].arguments == ("bathroom",)


@pytest.mark.parametrize("instruction", ["put down what you are holding", "empty your hand",
                                         "put what you are holding on the sofa"])
def test_an_empty_hand_says_so(instruction):
    refused = read(instruction, EMPTY)
    assert isinstance(refused, Refused) and refused.code is Code.HAND_EMPTY


@pytest.mark.parametrize("graph", [LOADED, UNKNOWN], ids=["known", "unidentified"])
def test_a_task_that_needs_the_hand_puts_down_first_what_is_in_it(graph):
    calls = steps(read("put the lemon on the sofa", graph), graph)
    assert [c.skill for c in calls] == ["go_to", "place", "go_to", "pick", "go_to", "place", "done"]
    assert is_handy(graph[calls[1].arguments[1]], VOCABULARY)


def test_a_task_for_what_is_in_the_hand_uses_it():
    assert [c.skill for c in steps(read("put the apple on the sofa"))] == ["go_to", "place", "done"]


def test_where_nothing_can_be_put_down_the_task_says_why_not():
    bare = LOADED.copy()
    for piece in bare.of(Kind.FURNITURE):
        if piece.surfaces and not all(s.inside for s in piece.surfaces):
            bare.remove(piece.id)
    progress = Progress(read("hold the lemon"))
    assert not plan(progress, bare, Situation(), VOCABULARY, keep=True)
    assert "nowhere to put apple_0 down" in progress.report(bare)
    assert isinstance(read("put down what you are holding", bare), Refused)
