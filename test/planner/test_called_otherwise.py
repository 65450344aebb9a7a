"""Furniture that the robot has found under another name than the words have for it."""

import pytest

from dadu.core.geometry import Pose2
from dadu.goals.goal import Goal
from dadu.goals.interpreter import Context, LookFirst
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.grammar import Grammar
from dadu.planner.regression.lookahead import look_step
from dadu.planner.situation import UNKNOWN, Situation
from dadu.world.graph import Articulation, Edge, Entity, Kind, Relation, Surface, WorldGraph

TROPHY = "move the trophy from the chest of drawers to the counter"


@pytest.fixture
def home():
    """A dresser that most views call a cabinet, with a trophy, and a counter."""
    top = (Surface("top", Pose2(0.0, 0.0, 0.0), 0.9, (0.5, 1.0), 1.0),)
    found = [Entity("robot", Kind.AGENT, "robot"),
             Entity("cabinet_0", Kind.FURNITURE, "cabinet", size=(0.5, 1.0, 0.9), surfaces=top, provenance="detection",
                    pixels=900, may_be={"sideboard": 0.3, "dresser": 0.2}),
             Entity("counter_0", Kind.FURNITURE, "counter", (3.0, 0.0, 0.0), size=(0.5, 1.0, 0.9), surfaces=top,
                    provenance="detection", pixels=900),
             Entity("trophy_0", Kind.OBJECT, "trophy", (0.0, 0.0, 1.0), provenance="detection", pixels=900)]
    return WorldGraph(found, {Edge("trophy_0", Relation.ON, "cabinet_0", part="top")})


def read(words, graph, looked=()):
    return Grammar().read(words, Context(graph, default_vocabulary(), {id: 1 for id in looked}))


def test_the_very_thing_stands_on_what_may_be_meant(home):
    goal = read(TROPHY, home)
    assert isinstance(goal, Goal)
    (p,) = goal.propositions
    assert (p.subject.ids, p.place.ids) == (("trophy_0",), ("counter_0",))
    assert any("cabinet_0" in told for told in goal.substitutions)
    assert home["cabinet_0"].category == "cabinet", "that is how it was read, no more"


def test_what_cannot_be_meant_is_no_place_of_it(home):
    home.change("cabinet_0", may_be={"toilet": 0.3, "stove": 0.1})
    assert isinstance(read(TROPHY, home), LookFirst)


def test_another_thing_on_it_says_nothing(home):
    home.remove("trophy_0")
    home.put(Entity("vase_0", Kind.OBJECT, "vase", (0.0, 0.0, 1.0), provenance="detection", pixels=900))
    home.set_support("vase_0", Edge("vase_0", Relation.ON, "cabinet_0", part="top"))
    assert isinstance(read(TROPHY, home), LookFirst)


def test_the_target_is_looked_for_until_nothing_is_left_to_look_at(home):
    words = "move the trophy to the chest of drawers"
    home.set_support("trophy_0", Edge("trophy_0", Relation.ON, "counter_0", part="top"))
    assert isinstance(read(words, home), LookFirst)
    goal = read(words, home, looked=[UNKNOWN])
    assert isinstance(goal, Goal) and goal.propositions[0].place.ids == ("cabinet_0",)


def test_on_or_in_it_is_as_the_words_have_it(home):
    """What is brought to a cabinet with drawers goes in, to a chest of drawers on it."""
    drawer = Articulation("drawer", "slide", (0.25, 0.0, 0.7), (1.0, 0.0, 0.0), (0.3, 0.0, 0.7), (0.0, 1.0, 0.0),
                          (1.0, 0.0, 0.0), 0.35)
    inside = Surface("in_drawer", Pose2(0.0, 0.0, 0.0), 0.6, (0.4, 0.9), 0.15, True, "drawer")
    home.change("cabinet_0", category="drawer_cabinet", may_be={"chest_of_drawers": 0.2}, parts=(drawer,),
                surfaces=(*home["cabinet_0"].surfaces, inside))
    home.set_support("trophy_0", Edge("trophy_0", Relation.ON, "counter_0", part="top"))
    for name, predicate in (("chest of drawers", "is_on_top"), ("drawer cabinet", "is_inside")):
        goal = read(f"move the trophy to the {name}", home, looked=[UNKNOWN])
        assert [(p.predicate, p.place.ids) for p in goal.propositions] == [(predicate, ("cabinet_0",))]


def test_what_may_be_it_is_looked_at_from_nearby_before_another_piece_is_taken(home):
    words = "move the trophy to the chest of drawers"
    home.set_support("trophy_0", Edge("trophy_0", Relation.ON, "counter_0", part="top"))
    for id, may_be in (("suspect_0", {"chest_of_drawers": 0.2}), ("suspect_1", {"dresser": 0.3}),
                       ("suspect_2", {"toilet": 0.4})):
        home.put(Entity(id, Kind.SUSPECT, next(iter(may_be)), (1.0, 1.0, 0.0), may_be=may_be))
    seen = [UNKNOWN]
    for expected in ("suspect_1", "suspect_0"):
        look = read(words, home, looked=seen)
        assert isinstance(look, LookFirst) and look.place == expected
        choice = look_step(look, home, Situation(), default_vocabulary())
        assert (str(choice.call), choice.purpose) == (f"go_to({expected})", "look")
        seen.append(expected)
    assert isinstance(read(words, home, looked=seen), Goal)


def test_a_chest_of_drawers_that_was_only_seen_from_outside_takes_things_on_it(home):
    home.change("cabinet_0", category="chest_of_drawers")
    goal = read("move the trophy to the chest of drawers", home)
    assert isinstance(goal, Goal)
    assert (goal.propositions[0].predicate, goal.propositions[0].place.ids) == ("is_on_top", ("cabinet_0",))
