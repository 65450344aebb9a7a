"""Whose top it is where two pieces of furniture seem to overlap."""

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.world.claims import own_part
from dadu.world.graph import Entity, Kind, Surface, WorldGraph


def piece(id, x, length, height=0.9, yaw=0.0, width=0.6):
    top = Surface("top", Pose2(*Pose2(0.0, 0.0, yaw).apply(np.array([[x, 0.0]]))[0], yaw), height, (length, width), 2.0)
    return Entity(id, Kind.FURNITURE, id.rpartition("_")[0], (*top.pose[:2], 0.0), yaw, (length, width, height),
                  surfaces=(top,))


def own(counter, *others):
    return own_part(WorldGraph([counter, *others]), counter, counter.surfaces[0])


@pytest.mark.parametrize("yaw", [0.0, np.pi / 2, 0.7])
def test_a_counter_ends_where_the_sink_in_its_row_begins(yaw):
    counter = piece("counter_0", 1.35, 2.7, yaw=yaw)
    left = own(counter, piece("sink_0", 2.1, 1.4, 0.88, yaw))
    assert left.size == (pytest.approx(1.4), 0.6)
    np.testing.assert_allclose(Pose2(0.0, 0.0, yaw).inverse().apply(np.array(left.pose[:2])).ravel(), (0.7, 0.0),
                               atol=1e-9)


def test_between_two_the_longest_stretch_is_its_own():
    counter = piece("counter_0", 1.5, 3.0)
    left = own(counter, piece("sink_0", 0.8, 0.6), piece("stove_0", 2.8, 0.6))
    assert left.size[0] == pytest.approx(1.4) and left.pose.x == pytest.approx(1.8)


@pytest.mark.parametrize("other", [
    piece("sink_0", 2.1, 1.4, 0.7),  # lower
    piece("sink_0", 2.1, 1.4, yaw=0.4),  # askew
    piece("tray_0", 1.35, 0.4, width=0.2),  # a thing on it
    piece("table_0", 1.3, 2.5),  # the same, seen twice
    piece("sink_0", 1.35, 2.1),  # little would be left
    piece("sink_0", 5.0, 1.4)])  # elsewhere
def test_else_all_of_it_is(other):
    counter = piece("counter_0", 1.35, 2.7)
    assert own(counter, other) == counter.surfaces[0]


def test_of_the_two_the_smaller_keeps_what_both_claim():
    sink, counter = piece("sink_0", 2.1, 1.2), piece("counter_0", 1.35, 2.7)
    assert own_part(WorldGraph([sink, counter]), sink, sink.surfaces[0]) == sink.surfaces[0]
