"""Things next to each other: symmetric, on one and the same surface, and steady under noise."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dadu.memory.association.nearness import Nearness
from dadu.memory.settings import NearnessSettings
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

SETTINGS = NearnessSettings(distance=0.3, slack=0.1)
ROOM = Entity("kitchen", Kind.ROOM, "kitchen", polygon=((-9, -9), (9, -9), (9, 9), (-9, 9)))


def world(**where):
    """Cubes of 10 cm: name to (x, y, support)."""
    graph = WorldGraph([ROOM, Entity("robot", Kind.AGENT, "robot")])
    for id, (x, y, support) in where.items():
        graph.put(Entity(id, Kind.OBJECT, "mug", (x, y, 0.8), size=(0.1, 0.1, 0.1)))
        if support == "robot":
            graph.edges.add(Edge(id, Relation.HELD_BY, "robot"))
        elif support:
            graph.edges.add(Edge(id, Relation.ON, support, "top"))
    return graph


def pairs(graph):
    return {(e.subject, e.object) for e in graph.edges if e.relation is Relation.NEXT_TO}


def test_near_on_one_surface_and_only_there():
    graph = world(a=(0, 0, "t"), b=(0.3, 0, "t"), c=(0.3, 0.1, "u"), d=(0.1, 0.1, "robot"), e=(0.2, 0, ""),
                  f=(0.5, 0, ""), g=(2, 2, "t"))
    Nearness(SETTINGS).update(graph)
    assert pairs(graph) == {("a", "b"), ("b", "a"), ("e", "f"), ("f", "e")}


def test_it_ends_when_one_is_picked_or_gone():
    graph, nearness = world(a=(0, 0, "t"), b=(0.2, 0, "t"), c=(0, 0.2, "t")), Nearness(SETTINGS)
    nearness.update(graph)
    assert len(pairs(graph)) == 6
    graph.set_support("a", Edge("a", Relation.HELD_BY, "robot"))
    nearness.update(graph)
    assert pairs(graph) == {("b", "c"), ("c", "b")}
    graph.remove("b")
    nearness.update(graph)
    assert pairs(graph) == set()


def test_a_pair_at_the_limit_does_not_flicker():
    graph, nearness, seen = world(a=(0, 0, "t"), b=(0.4, 0, "t")), Nearness(SETTINGS), []
    for shift in np.random.default_rng(0).normal(0, 0.02, 50):
        graph.change("b", position=(0.4 + shift, 0, 0.8))
        nearness.update(graph)
        seen.append(bool(pairs(graph)))
    assert sum(a != b for a, b in zip(seen, seen[1:])) <= 1


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.sampled_from("tu")), max_size=8),
       st.lists(st.tuples(st.integers(0, 7), st.floats(-1, 1), st.floats(-1, 1)), max_size=8))
def test_step_by_step_is_the_same_as_at_once(things, moves):
    exact = NearnessSettings(distance=0.3, slack=0.0)
    graph, nearness = world(**{f"o{i}": t for i, t in enumerate(things)}), Nearness(exact)
    nearness.update(graph)
    for i, x, y in moves:
        if f"o{i}" in graph:
            graph.change(f"o{i}", position=(x, y, 0.8))
            nearness.update(graph)
    found = pairs(graph)
    assert found == {(b, a) for a, b in found}
    Nearness(exact).update(graph)
    assert pairs(graph) == found
