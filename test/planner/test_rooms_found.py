"""Rooms that the robot has found itself are understood, gone to and searched as those that it was told of."""

import pytest

from dadu.core.geometry import Pose2
from dadu.goals.goal import Description, Goal
from dadu.goals.interpreter import Context, LookFirst
from dadu.knowledge.rooms import ROOM
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.interpreters import make_interpreter
from dadu.planner.regression.search import next_spot
from dadu.planner.situation import UNKNOWN
from dadu.world.graph import Edge, Entity, Kind, Relation, Surface, WorldGraph

TOP = (Surface("top", Pose2(1.0, 3.5, 0.0), 0.9, (0.6, 1.2), 2.0),)


@pytest.fixture
def graph():
    return WorldGraph([
        Entity("house", Kind.HOUSE, "house"), Entity("robot", Kind.AGENT, "robot", (6.0, 2.0, 0.0)),
        _room("room_0", "kitchen", 0.0), _room("room_3", ROOM, 4.0),
        Entity("counter_0", Kind.FURNITURE, "counter", (1.0, 3.5, 0.0), 0.0, (0.6, 1.2, 0.9), surfaces=TOP,
               provenance="detection"),
        Entity("mug_0", Kind.OBJECT, "mug", (1.0, 3.5, 0.95), size=(0.08, 0.08, 0.1), provenance="detection")],
        [Edge("mug_0", Relation.ON, "counter_0", "top")])


def _room(id, category, x):
    corners = ((x, 0.0), (x + 4.0, 0.0), (x + 4.0, 4.0), (x, 4.0))
    return Entity(id, Kind.ROOM, category, (x + 2.0, 2.0, 0.0), size=(4.0, 4.0, 2.5), polygon=corners,
                  aliases=(category,) if category != ROOM else (), provenance="detection")


def read(words, graph, **how):
    return make_interpreter("grammar").read(words, Context(graph, default_vocabulary(), **how))


def test_words_for_a_room_find_it_by_its_sort(graph):
    goal = read("go to the kitchen", graph)
    assert isinstance(goal, Goal)
    (there,) = goal.propositions
    assert there.predicate == "is_in_room" and there.object.ids == ("room_0",)
    goal = read("bring the mug from the kitchen to the counter", graph)
    assert isinstance(goal, Goal), goal


def test_what_sort_is_not_known_yet_is_looked_for(graph):
    look = read("go to the bathroom", graph)
    assert isinstance(look, LookFirst) and look.place == UNKNOWN


def test_rooms_that_were_found_are_searched_once_nothing_lies_beyond(graph):
    def spot(words, looked):
        return next_spot(Description(words, Kind.OBJECT, ("plate",)), ("plate",), graph, looked, default_vocabulary())

    assert spot("plate", {}).id == UNKNOWN, "what was found on the way was looked at on the way"
    assert spot("plate", {UNKNOWN: 3}).id == "room_0", "where the counter is"
    assert spot("plate", {UNKNOWN: 3, "room_0": 4}).id == "room_3"
