"""In which order a goal's propositions are worked on: what has to wait does, and otherwise the cheaper way is taken."""

import random
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.goals.goal import Description, Goal, Proposition, Term
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.regression.agenda import Agenda
from dadu.planner.regression.knowledge import Knowledge
from dadu.planner.situation import Situation
from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation, WorldGraph


def things(**where):
    """A robot at the origin, tables at x = 1 to 9 m, and these things on them: name: (table's x, size)."""
    graph = WorldGraph()
    graph.put(Entity(ROBOT, Kind.AGENT, "robot"))
    for x in range(1, 10):
        graph.put(Entity(f"table_{x}", Kind.FURNITURE, "table", (float(x), 0.0, 0.4)))
    for id, (x, size) in where.items():
        graph.put(Entity(id, Kind.OBJECT, "thing", (float(x), 0.0, 0.8), size=size, provenance="detection"))
        graph.set_support(id, Edge(id, Relation.ON, f"table_{x}"))
    return graph


def on(id, table):
    description = Description(id, Kind.OBJECT, (), ids=(id,))
    return Proposition("is_on_top", Term(id, (id,), description), Term(table, (table,)))


def first(graph, *propositions, order=(), different=()):
    progress = Progress(Goal(propositions, order, different=different))
    return Agenda(progress, Knowledge(graph, Situation(), default_vocabulary())).next()


SMALL, BIG = (0.05, 0.05, 0.1), (0.3, 0.3, 0.1)


def test_the_shorter_way_round_comes_first():
    """To 2 and on to 5, then from 6 to 9: 9 m; the other way round 6 + 3 + 7 + 3."""
    graph = things(a=(6, SMALL), b=(2, SMALL))
    assert first(graph, on("a", "table_9"), on("b", "table_5")) == 1
    assert first(graph, on("a", "table_9"), on("b", "table_5"), order=((0, 1),)) == 0


def test_what_is_in_the_hand_comes_first():
    graph = things(a=(1, SMALL), b=(9, SMALL))
    graph.set_support("b", Edge("b", Relation.HELD_BY, ROBOT))
    assert first(graph, on("a", "table_2"), on("b", "table_9")) == 1


def test_what_has_to_be_searched_comes_last_and_is_begun_in_the_order_of_the_words():
    graph = things(a=(9, SMALL))
    unknown = Proposition("is_on_top", Term("x", (), Description("x", Kind.OBJECT, ("mug",))),
                          Term("table_1", ("table_1",)))
    assert first(graph, unknown, on("a", "table_8")) == 1
    assert first(graph, unknown, unknown) == 0


def test_the_biggest_goes_first_to_one_place():
    graph = things(a=(1, SMALL), b=(8, BIG))
    assert first(graph, on("a", "table_5"), on("b", "table_5")) == 1
    assert first(graph, on("a", "table_5"), on("b", "table_9")) == 0


def test_the_earlier_of_two_that_need_different_things_chooses_first():
    graph = things(a=(9, SMALL), b=(1, SMALL))
    assert first(graph, on("a", "table_8"), on("b", "table_2"), different=((0, 1),)) == 0


def test_where_the_robot_is_to_stay_comes_last():
    graph = things(a=(9, SMALL))
    stay = Proposition("is_next_to", Term(ROBOT, (ROBOT,)), Term("table_1", ("table_1",)))
    assert first(graph, on("a", "table_8"), stay) == 0


@examples(60)
@given(st.integers(0, 10**6))
def test_the_way_is_the_shortest_of_all(seed):
    rng = random.Random(seed)
    places = rng.sample(range(1, 10), 6)
    errands = list(zip(places[:3], places[3:]))
    graph = things(**{f"o{i}": (start, SMALL) for i, (start, _) in enumerate(errands)})
    left, taken = dict(enumerate(errands)), []
    while left:
        index = sorted(left)[first(graph, *(on(f"o{i}", f"table_{left[i][1]}") for i in sorted(left)))]
        taken.append(left.pop(index))
        graph.change(ROBOT, position=(float(taken[-1][1]), 0.0, 0.0))
    assert _length(taken) == min(map(_length, permutations(errands)))


def _length(errands):
    """Of the way from the origin through all of them [m]."""
    stops = [0, *(x for errand in errands for x in errand)]
    return sum(abs(a - b) for a, b in zip(stops, stops[1:]))
