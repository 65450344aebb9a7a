"""Where a thing whose place is not known is looked for, in what order."""

from dataclasses import replace

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


def beside(graph, id):
    """The graph with the robot there."""
    graph = graph.copy()
    graph.put(replace(graph[id], id="robot", kind=Kind.AGENT, parts=(), surfaces=()))
    return graph


def test_what_may_be_anywhere_is_looked_for_where_most_is_seen_for_the_way(graph):
    assert spot(beside(graph, "sale_table"), ("candle",)).id == "shop", "although a table is likelier"
    assert spot(beside(graph, "dining_table_0"), ("candle",)).id == "break_room"
    everywhere_else = dict.fromkeys(("shop", "break_room", "entry", "stockroom"), 1)
    assert spot(beside(graph, "fridge_0"), ("honey_jar",), everywhere_else).id == "fridge_0"


def test_what_has_its_place_is_looked_for_there_however_far(graph):
    assert spot(beside(graph, "entry_table"), ("yogurt",)).id == "fridge_0"


def test_what_fell_down_is_looked_for_near_by(graph):
    lost = beside(graph, "entry_table")
    assert next_spot(None, (), lost, {}, VOCABULARY, 0, "robot").id == "entry"
