"""Where a thing whose place is not known is looked for, in what order."""

import pytest

from dadu.goals.goal import Description
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import vocabulary_of_house
from dadu.planner.regression.search import SearchSpot, next_spot
from dadu.world.graph import Kind, WorldGraph

STORE = load_house("store")
VOCABULARY = vocabulary_of_house(STORE)


@pytest.fixture
def graph() -> WorldGraph:
    return build_graph(STORE, "layout")


def spot(graph, categories, looked=(), **how):
    return next_spot(Description("it", Kind.OBJECT, categories), categories, graph, dict(looked), VOCABULARY, **how)


def test_furniture_that_bears_its_name_before_the_whole_shop(graph):
    assert spot(graph, ("apple",)) == SearchSpot("fruit_table", Kind.FURNITURE)
    assert spot(graph, ("fanta_can",)).id == "drinks_table"
    assert spot(graph, ("toy_shark",)).id == "toy_rack"


def test_and_then_the_room_around_it(graph):
    assert spot(graph, ("apple",), {"fruit_table": 1}) == SearchSpot("shop", Kind.ROOM)


def test_what_was_seen_from_the_room_is_not_looked_at_again(graph):
    assert spot(graph, ("apple",), {"shop": 1}).id != "fruit_table"
    assert spot(graph, ("apple",), {"shop": 1}, since=1).id == "fruit_table"


def test_whoever_wants_all_of_a_kind_looks_around_the_room(graph):
    assert spot(graph, ("apple",), open_only=True).kind is Kind.ROOM


def test_what_no_furniture_is_named_for_is_looked_for_in_rooms(graph):
    assert spot(graph, ("candle",)).kind is Kind.ROOM
