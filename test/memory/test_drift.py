"""The common offset is found where things agree on it, and only there; doubles are merged, neighbours are not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.memory.association.drift import common_offset
from dadu.memory.association.duplicates import merge_duplicates
from dadu.world.detection import Detection
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

PLACES = {"mug": (0.0, 0.0), "book": (0.9, 0.2), "bowl": (-0.8, 0.5), "can": (0.3, -0.9)}


def seen(label, xy, score=1.0):
    return Detection(label, score, (0, 0, 9, 9), 80, np.zeros((1, 3), np.float32), np.array([*xy, 0.8]),
                     np.full(3, 0.1))


def known(id, xy, confidence=1.0, label=""):
    return Entity(id, Kind.OBJECT, label or id.split("_")[0], (*xy, 0.8), size=(0.1, 0.1, 0.1),
                  provenance="detection", confidence=confidence)


THINGS = [known(f"{label}_0", xy) for label, xy in PLACES.items()]


@given(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4), st.integers(0, 10**6))
def test_a_shift_that_all_share_is_found(x, y, seed):
    noise = np.random.default_rng(seed).normal(0, 0.01, (4, 2))
    picture = [seen(label, (a + x + n[0], b + y + n[1])) for (label, (a, b)), n in zip(PLACES.items(), noise)]
    found = common_offset(picture, THINGS, 0.6)
    if np.hypot(x, y) > 0.2:
        np.testing.assert_allclose(found[:2], (x, y), atol=0.05)
    assert np.linalg.norm(found - (x, y, 0)) < 0.25


def test_one_thing_that_was_moved_is_no_drift():
    picture = [seen(label, xy) for label, xy in PLACES.items()]
    picture[0] = seen("mug", (0.4, 0.0))
    np.testing.assert_array_equal(common_offset(picture, THINGS, 0.6), 0)
    np.testing.assert_array_equal(common_offset([picture[0]], THINGS, 0.6), 0)
    np.testing.assert_array_equal(common_offset([], THINGS, 0.6), 0)


def merged(a, b, apart=(), sure=(), held=""):
    graph = WorldGraph([known(id, (x, 0), 1.0 if id in sure else 0.6) for id, x in (("mug_0", 0), ("glass_0", b))])
    graph.edges = {Edge("mug_0", Relation.ON, "t"), Edge("glass_0", Relation.ON, "u")}
    if held:
        graph.set_support(held, Edge(held, Relation.HELD_BY, "robot"))
    dropped = merge_duplicates(graph, [a], {"mug_0": 1.0, "glass_0": 2.0}, {frozenset(p) for p in apart}, {})
    return dropped, graph


def test_doubles_are_merged_into_the_older_where_the_newer_was_seen():
    dropped, graph = merged("glass_0", 0.05)
    assert dropped == [("mug_0", "glass_0")] and list(graph.entities) == ["mug_0"]
    assert graph["mug_0"].position[0] == 0.05
    assert graph.edges == {Edge("mug_0", Relation.ON, "u")}
    assert merged("glass_0", 0.05, sure=["mug_0"])[0] == [("mug_0", "glass_0")]  # one of the two names wavers


def test_neighbours_pairs_seen_together_and_sure_labels_stay_two():
    assert merged("mug_0", 0.12)[0] == []
    assert merged("mug_0", 0.05, apart=[("mug_0", "glass_0")])[0] == []
    assert merged("mug_0", 0.05, sure=["mug_0", "glass_0"])[0] == []


@pytest.mark.parametrize("held", ["mug_0", "glass_0"])
@pytest.mark.parametrize("seen", ["mug_0", "glass_0"])
def test_what_the_fingers_have_hold_of_doubles_nothing(held, seen):
    assert merged(seen, 0.05, held=held)[0] == []


def test_two_that_are_seen_together_are_not_both_the_same_third():
    """It had dropped what it had just kept, and memory broke off."""
    things = [known("mug_0", (0.0, 0), 0.6), known("mug_1", (0.06, 0), 0.6), known("mug_2", (0.03, 0), 0.6)]
    graph = WorldGraph(things)
    births = {"mug_0": 3.0, "mug_1": 1.0, "mug_2": 2.0}
    dropped = merge_duplicates(graph, ["mug_0", "mug_1"], births, {frozenset(("mug_0", "mug_1"))}, {})
    assert dropped == [("mug_2", "mug_0")] and sorted(graph.entities) == ["mug_1", "mug_2"]
