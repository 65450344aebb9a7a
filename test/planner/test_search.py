"""Where a thing whose place is not known is looked for, in what order."""

from dataclasses import replace

import pytest

from dadu.goals.goal import Description
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.odds import Odds
from dadu.planner.regression.search import SearchSpot, next_spot
from dadu.stacks.priors import vocabulary_of_house
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


def test_and_then_rooms(graph):
    assert spot(graph, ("apple",), {"fruit_table": 1}).id == "grocery_shelf", "which is the food shelf, too"
    assert spot(graph, ("apple",), {"fruit_table": 1, "grocery_shelf": 2}).kind is Kind.ROOM


def test_what_was_seen_from_the_room_is_not_looked_at_again(graph):
    assert spot(graph, ("apple",), {"shop": 1}).id != "fruit_table"
    assert spot(graph, ("apple",), {"shop": 1}, since=1).id == "fruit_table"


def test_at_last_what_is_deep_is_looked_into_from_nearby(graph):
    everywhere = {e.id: 1 for e in graph if e.kind is Kind.ROOM or e.is_container}
    asked = []
    while (found := spot(graph, ("mug",), everywhere)) is not None:
        asked.append(found.id)
        everywhere[found.id] = 2
    assert "sink_0" in asked and len(asked) == len(set(asked)) < len(graph.of(Kind.FURNITURE))


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
    assert spot(beside(graph, "sale_table"), ("gizmo",)).id == "shop"
    assert spot(beside(graph, "workbench_0"), ("gizmo",)).id == "stockroom"
    everywhere_else = dict.fromkeys(("shop", "break_room", "entry", "stockroom"), 1)
    assert spot(beside(graph, "fridge_0"), ("honey_jar",), everywhere_else).id == "fridge_0"


def test_what_has_its_place_is_looked_for_there_however_far(graph):
    assert spot(beside(graph, "entry_table"), ("yogurt",)).id == "fridge_0"


def met(graph, place, **counts):
    graph = graph.copy()
    graph.put(replace(graph[place], seen_here=counts))
    return graph


def test_what_was_met_somewhere_before_is_looked_for_there_first(graph):
    known = met(graph, "workbench_0", candle=4.0)
    assert spot(graph, ("candle",)).id != "workbench_0"
    assert spot(known, ("candle",)).id in ("workbench_0", "stockroom")
    assert spot(known, ("candle",), odds=Odds(semantic_map=False)) == spot(graph, ("candle",))
    assert spot(met(graph, "fridge_0", candle=9.0), ("candle",)).id == "fridge_0", "although it has to be opened"


def test_and_so_is_what_is_like_it(graph):
    known = met(graph, "workbench_0", candle_holder=9.0)
    assert spot(known, ("candle",)).id in ("workbench_0", "stockroom")
    assert spot(met(graph, "workbench_0", hammer=9.0), ("candle",)) == spot(graph, ("candle",))


def test_a_place_that_was_looked_at_is_not_looked_at_again_however_likely(graph):
    assert spot(met(graph, "workbench_0", candle=9.0), ("candle",), {"workbench_0": 1}).id != "workbench_0"
    assert spot(met(graph, "workbench_0", candle=9.0), ("candle",), {"stockroom": 1}).id != "workbench_0"


def test_what_fell_down_is_looked_for_near_by(graph):
    lost = beside(graph, "entry_table")
    assert next_spot(None, (), lost, {}, VOCABULARY, 0, "robot").id == "entry"


@pytest.mark.parametrize("ajar", [0.0, 0.2])
def test_a_container_that_is_half_open_is_looked_into_to_the_end(ajar):
    """And not closed for a room that seemed nearer from there, then opened again from where it was closed."""
    house = load_house("small_flat")
    graph, vocabulary = build_graph(house, "layout"), vocabulary_of_house(house)
    graph.change("bathroom", seen_here={"hand_towel": 1})

    def chosen(x):
        return next_spot(Description("it", Kind.OBJECT, ("shirt",)), ("shirt",), at(graph, x, 6.0),
                         {"bedroom": 1, "sofa_0": 2}, vocabulary).id

    assert [chosen(2.8), chosen(3.5)] == ["wardrobe_0", "bathroom"]
    left, right = graph["wardrobe_0"].parts
    graph.change("wardrobe_0", parts=(replace(left, value=ajar), replace(right, value=0.9 * right.range)))
    assert [chosen(2.8), chosen(3.5)] == ["wardrobe_0", "wardrobe_0"]


def at(graph, x, y):
    """The graph with the robot there."""
    graph = graph.copy()
    graph.change("robot", position=(x, y, 0.0))
    return graph
