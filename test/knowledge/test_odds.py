"""Where a thing may be: common sense, and what memory adds to it."""

from dataclasses import replace

import pytest

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.odds import ELSEWHERE, Odds, likeness, phrase
from dadu.stacks.priors import vocabulary_of_house
from dadu.world.graph import Edge, Entity, Kind, Relation

FLAT = load_house("flat")
VOCABULARY = vocabulary_of_house(FLAT)
NOTHING_MET = Odds(semantic_map=False)


@pytest.fixture
def graph():
    return build_graph(FLAT, "layout")


def chances(graph, odds, category="mug", **how):
    return odds.chances((category,), graph, VOCABULARY, **how).by_place


def met(graph, place, **counts):
    graph.put(replace(graph[place], seen_here=counts))


def test_toy_fruit_is_kept_with_toys():
    graph = build_graph(load_house("store"), "layout")
    chances = Odds().chances(("toy_fruits",), graph, vocabulary_of_house(load_house("store"))).by_place
    assert max(chances, key=chances.__getitem__) == "toy_rack" and chances["fruit_table"] < 0.05


def test_they_are_one_in_all(graph):
    met(graph, "desk_0", mug=3.0, book=2.0)
    graph.put(Entity("cup_0", Kind.OBJECT, "cup"))
    graph.set_support("cup_0", Edge("cup_0", Relation.ON, "sofa_0"))
    for odds in (Odds(), NOTHING_MET):
        for elsewhere in (False, True):
            found = chances(graph, odds, elsewhere=elsewhere)
            assert sum(found.values()) == pytest.approx(1) and min(found.values()) >= 0
            assert (ELSEWHERE in found) == elsewhere


def test_what_was_met_somewhere_makes_that_place_likelier_the_more_often(graph):
    before = chances(graph, Odds())["desk_0"]
    met(graph, "desk_0", mug=1.0)
    once = chances(graph, Odds())["desk_0"]
    met(graph, "desk_0", mug=4.0)
    assert before < once < chances(graph, Odds())["desk_0"]
    assert chances(graph, NOTHING_MET)["desk_0"] == before


def test_so_does_what_is_like_it_by_less_and_what_is_not_by_nothing(graph):
    before = chances(graph, Odds())["desk_0"]
    met(graph, "desk_0", teapot=1.0)
    like = chances(graph, Odds())["desk_0"]
    met(graph, "desk_0", mug=1.0)
    assert before < like < chances(graph, Odds())["desk_0"]
    met(graph, "desk_0", hammer=1.0)
    assert chances(graph, Odds())["desk_0"] == before


def test_what_may_be_it_though_it_is_called_otherwise_is_looked_at(graph):
    graph.put(Entity("vase_0", Kind.OBJECT, "vase"))
    graph.set_support("vase_0", Edge("vase_0", Relation.ON, "desk_0"))
    plain = chances(graph, NOTHING_MET)["desk_0"]
    graph.change("vase_0", may_be={"mug": 0.9})
    assert chances(graph, NOTHING_MET)["desk_0"] > plain + 0.05


def test_one_sighting_counted_and_remembered_is_one(graph):
    met(graph, "desk_0", mug=1.0)
    counted = chances(graph, Odds())
    graph.put(Entity("mug_0", Kind.OBJECT, "mug"))
    graph.set_support("mug_0", Edge("mug_0", Relation.ON, "desk_0"))
    assert chances(graph, Odds()) == pytest.approx(counted)


@pytest.mark.parametrize("one, other, far", [("apple", "pear", "laptop"), ("mug", "cup", "hammer"),
                                             ("candle", "candle_holder", "keyboard")])
def test_kinds_that_are_kept_together_are_more_alike(one, other, far):
    a, b, c = (phrase(name, VOCABULARY) for name in (one, other, far))
    assert likeness(a, a) == 1.0 and 1.0 >= likeness(a, b) > likeness(a, c) >= 0.0
    assert likeness(a, b) == pytest.approx(likeness(b, a))
