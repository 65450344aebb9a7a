"""Where all that is seen is off the same way, localisation has drifted; one thing that is, was moved. Entries that turn
out to be one are united; neighbours, and what the fingers have hold of, are not."""

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


def united(views, held=""):
    """What is left of things after pictures of some detections each."""
    memory = Associator(WorldGraph([Entity("robot", Kind.AGENT, "robot")]))
    for stamp, detections in enumerate(views):
        if held and stamp == len(views) - 1:
            memory.graph.set_support(held, Edge(held, Relation.HELD_BY, "robot"))
        memory.update(picture(*detections, stamp=float(stamp)), BODY)
    return memory.graph


def grown_together(label, score=0.6):
    """A mug, and something beside it that turns out to be in its place."""
    return [[seen("mug", (0.0, 0.0), score)], *[[seen(label, (x, 0.0), score)] for x in (0.3, 0.26, 0.2, 0.14, 0.08)]]


def test_entries_that_grow_together_become_the_older_where_the_newer_was_seen():
    views = grown_together("glass")
    assert len(united(views[:2]).of(Kind.OBJECT)) == 2
    (thing,) = united(views).of(Kind.OBJECT)
    assert thing.id == "mug_0" and 0.05 < thing.position[0] < 0.2


def test_neighbours_pairs_seen_together_and_sure_names_stay_two():
    both = [seen("mug", (0.0, 0.0), 0.6), seen("glass", (0.14, 0.0), 0.6)]
    assert len(united([both, both, both[:1], both[1:]]).of(Kind.OBJECT)) == 2
    assert len(united(grown_together("glass", score=1.0)).of(Kind.OBJECT)) == 2


@pytest.mark.parametrize("held", ["mug_0", "glass_0"])
def test_what_the_fingers_have_hold_of_doubles_nothing(held):
    assert len(united(grown_together("glass")[:-2], held).of(Kind.OBJECT)) == 2


def test_two_that_are_seen_together_are_not_both_the_same_third():
    """It had dropped what it had just kept, and memory broke off."""
    pair = [seen("mug", (0.0, 0.0), 0.6), seen("mug", (0.3, 0.0), 0.6)]
    third = [seen("cup", (0.15, 0.0), 0.6)]
    assert len(united([third, pair, [seen("mug", (0.1, 0.0), 0.6), seen("mug", (0.2, 0.0), 0.6)]]).of(Kind.OBJECT)) >= 2
