"""Where all that is seen is off the same way, localisation has drifted; one thing that is, was moved. Entries that turn
out to be one are united; neighbours, and what the fingers have hold of, are not."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.memory.association.associator import Associator, ObserverPose
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

PLACES = {"mug": (0.0, 0.0), "book": (0.9, 0.2), "bowl": (-0.8, 0.5), "can": (0.3, -0.9)}
BODY = ObserverPose(Pose2(-2.0, 0.0, 0.0))


def seen(label, xy, score=1.0):
    return Detection(label, score, (0, 0, 9, 9), 80, np.zeros((1, 3), np.float32), np.array([*xy, 0.8]),
                     np.full(3, 0.1))


def picture(*detections, stamp=1.0):
    """With no depth: nothing is seen to be empty."""
    return DetectionFrame(stamp, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), detections)


def known(id, xy):
    return Entity(id, Kind.OBJECT, id.split("_")[0], (*xy, 0.8), size=(0.1, 0.1, 0.1), provenance="detection")


def after(*detections):
    """Where the known things are taken to be after a picture, by id."""
    memory = Associator(WorldGraph([known(f"{label}_0", xy) for label, xy in PLACES.items()]))
    memory.update(picture(*detections), BODY)
    return {e.id: e.position[:2] for e in memory.graph.of(Kind.OBJECT)}


@settings(max_examples=30)
@given(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4), st.integers(0, 10**6))
def test_things_that_are_all_off_the_same_way_are_those_that_are_known(x, y, seed):
    noise = np.random.default_rng(seed).normal(0, 0.01, (4, 2))
    places = after(*(seen(label, (a + x + n[0], b + y + n[1]))
                     for (label, (a, b)), n in zip(PLACES.items(), noise, strict=True)))
    assert sorted(places) == sorted(f"{label}_0" for label in PLACES)


def test_one_thing_that_is_far_off_is_another():
    there = [seen(label, xy) for label, xy in PLACES.items() if label != "mug"]
    assert "mug_1" in after(*there, seen("mug", (0.55, 0.0)))
    assert "mug_1" in after(seen("mug", (0.55, 0.0)))


def united(a, away, apart=False, confidence=0.6, held=""):
    """What is left of a mug, and a younger glass `away` [m] from it, after a picture that shows `a` alone; `apart`: one
    has shown both."""
    places = {"mug_0": (0.0, 0.0), "glass_0": (away, 0.0)}
    robot = Entity("robot", Kind.AGENT, "robot")
    things = [replace(known(id, xy), confidence=confidence) for id, xy in places.items()]
    graph = WorldGraph([robot, *things], {Edge("mug_0", Relation.ON, "t"), Edge("glass_0", Relation.ON, "u")})
    memory = Associator(graph, births={"mug_0": 1.0, "glass_0": 2.0})
    views = {id: seen(id.split("_")[0], xy, confidence) for id, xy in places.items()}
    if apart:
        memory.update(picture(*views.values()), BODY)
    if held:
        graph.set_support(held, Edge(held, Relation.HELD_BY, "robot"))
    memory.update(picture(views[a], stamp=3.0), BODY)
    return graph.of(Kind.OBJECT)


def test_doubles_become_the_older_where_the_newer_was_seen():
    (thing,) = united("glass_0", 0.05)
    assert thing.id == "mug_0" and thing.position[0] == 0.05


def test_neighbours_pairs_seen_together_and_sure_names_stay_two():
    assert len(united("mug_0", 0.13)) == 2
    assert len(united("mug_0", 0.05, apart=True)) == 2
    assert len(united("mug_0", 0.05, confidence=1.0)) == 2


@pytest.mark.parametrize("held", ["mug_0", "glass_0"])
@pytest.mark.parametrize("a", ["mug_0", "glass_0"])
def test_what_the_fingers_have_hold_of_doubles_nothing(held, a):
    assert {"mug_0", "glass_0"} <= {thing.id for thing in united(a, 0.05, held=held)}


def test_two_that_are_seen_together_are_not_both_the_same_third():
    """It had dropped what it had just kept, and memory broke off."""
    places = {"mug_0": 0.0, "mug_1": 0.08, "mug_2": 0.04}
    graph = WorldGraph([replace(known(id, (x, 0.0)), confidence=0.6) for id, x in places.items()])
    memory = Associator(graph, births={"mug_0": 3.0, "mug_1": 1.0, "mug_2": 2.0})
    memory.update(picture(seen("mug", (0.0, 0.0), 0.6), seen("mug", (0.08, 0.0), 0.6)), BODY)
    assert sorted(graph.entities) == ["mug_1", "mug_2"]
