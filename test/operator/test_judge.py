"""A planner speaks of things by memory's names; the judge finds out which true things they are."""

from pathlib import Path

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.placement import place_objects
from dadu.operator.bags.clock import ClockMap
from dadu.operator.run.episode import RecordedEpisode, RecordedSighting
from dadu.operator.run.judge import NotJudged, judge
from dadu.world.boxes import OrientedBox
from dadu.world.state import ObjectState, WorldState

TABLE = (8.0, 1.0)


def episode(goal, sightings=(), moved=(), truth=True):
    """Everything stands where the house has it; at the end the `moved` stand on the dining table."""
    def bodies(end):
        for name, p in place_objects(load_house("flat")).items():
            x, y, z = p.position
            if end and name in moved:
                x, y, z = *TABLE, 0.75 + p.model.size[2] / 2
            yield ObjectState(name, p.thing.category,
                              OrientedBox(np.array([x, y, z]), np.eye(3), np.array(p.model.size)))

    states = [WorldState(float(t), Pose2(5, 4, 0), {b.name: b for b in bodies(t > 0)}, {}) for t in (0, 1, 2)]
    return RecordedEpisode(Path("."), "", [], goal, (), states if truth else [], np.zeros((0, 4)), ClockMap([], []),
                           "flat",
                           sightings=dict(sightings))


def on_table(*names):
    return {"propositions": [{"is_on_top": [list(names), ["dining_table_0"]]}]}


def apple(name):
    return RecordedSighting(0.2, "apple", tuple(place_objects(load_house("flat"))[name].position))


def test_names_are_those_of_where_memory_saw_the_thing():
    swapped = {"apple_0": apple("apple_1"), "apple_1": apple("apple_0")}
    assert not judge(episode(on_table("apple_0"), swapped, moved=["apple_0"]))[1].success
    assert judge(episode(on_table("apple_0"), swapped, moved=["apple_1"]))[1].success


def test_a_thing_never_found_stands_for_its_category():
    goal, verdict = judge(episode(on_table("apple"), moved=["apple_1"]))
    assert goal.propositions[0].arguments[0] == ("apple_0", "apple_1") and verdict.success


def test_without_ground_truth_or_goal_nothing_is_judged():
    with pytest.raises(NotJudged, match="simulation"):
        judge(episode(on_table("apple_0"), truth=False))
    with pytest.raises(NotJudged, match="no goal"):
        judge(episode(None))


def test_a_clock_that_was_reset_counts_from_there():
    clock = ClockMap([10, 11, 12, 13, 14], [5.0, 6.0, 0.0, 2.0, 4.0])
    assert clock.wall(2.0) == 13 and clock.speed() == 2.0
    assert ClockMap([], []).wall(7.0) == 7.0
