"""A planner speaks of things by memory's names; the judge finds out which true things they are."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dadu.bringup.run_directory import HOUSE
from dadu.core.geometry import Pose2
from dadu.goals.suite_goal import parse_goal
from dadu.house.files import load_house, save_house
from dadu.house.layout import build_graph
from dadu.house.placement import place_objects
from dadu.operator.run.episode import ClockMap, RecordedEpisode, RecordedSighting, StepRecord
from dadu.operator.run.identity import Believed, Identities
from dadu.operator.run.judge import NotJudged, judge
from dadu.operator.run.pose_error import BelievedPath
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Kind
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
    return RecordedSighting(0.2, Believed("apple", tuple(place_objects(load_house("flat"))[name].position)))


def test_names_are_those_of_where_memory_saw_the_thing():
    swapped = {"apple_0": apple("apple_1"), "apple_1": apple("apple_0")}
    assert not judge(episode(on_table("apple_0"), swapped, moved=["apple_0"]))[1].success
    assert judge(episode(on_table("apple_0"), swapped, moved=["apple_1"]))[1].success


def picked(id, end):
    return StepRecord(1, SkillCall("pick", (id,)), "", "symbolic", end - 0.5, 0.0, end, Code.SUCCEEDED)


def test_what_the_fingers_held_is_the_one_wherever_it_was_seen():
    swapped = {"apple_0": apple("apple_1"), "apple_1": apple("apple_0")}
    run = episode(on_table("apple_0"), swapped, moved=["apple_0"])
    run.truth[1].bodies["apple_0"] = replace(run.truth[1].bodies["apple_0"], held=True)
    run.steps.append(picked("apple_0", 1.0))
    assert judge(run)[1].success


def test_places_are_laid_over_each_other_by_where_the_robot_was():
    """Its map is half a metre and a quarter turn off: in it the one apple lies where the other truly is."""
    off = Pose2(0.4, -0.3, 1.57)
    for name, other in (("apple_0", "apple_1"), ("apple_1", "apple_0")):
        x, y = off.inverse().apply(apple(name).believed.position[:2])
        z = apple(name).believed.position[2]
        seen = {"apple_7": RecordedSighting(0.2, Believed("apple", (float(x), float(y), z)))}
        run = episode(on_table("apple_7"), seen, moved=[name])
        believed = off.inverse() * run.truth[0].robot
        still = np.array([[t, 0.0, 0.0, 0.0] for t in np.arange(0.0, 2.05, 0.1)])
        run.believed = BelievedPath(still, still + np.array([0.0, *believed]))
        assert judge(run)[1].success
        assert not judge(replace(run, truth=episode(None, moved=[other]).truth))[1].success


@pytest.mark.parametrize("color, meant", [("red", "apple_0"), ("green", "apple_1"), ("", "apple_0")])
def test_of_two_near_each_other_the_one_that_looks_so_is_meant(color, meant):
    identities = Identities(build_graph(load_house("flat")), {"apple_0": "red", "apple_1": "green"})
    bodies = {name: ObjectState(name, "apple", OrientedBox(np.array([x, 1.0, 0.8]), np.eye(3), np.full(3, 0.07)))
              for name, x in (("apple_0", 1.0), ("apple_1", 1.2))}
    state = WorldState(0.0, Pose2(0, 0, 0), bodies, {})
    seen = Believed("apple", (1.08, 1.0, 0.8), color=color)
    assert identities.name("apple_5", seen, Pose2(0.0, 0.0, 0.0), state) == meant


def test_found_furniture_goes_by_where_it_stands():
    layout = build_graph(load_house("flat"))
    table = layout["dining_table_0"]
    found = Believed(table.category, (table.position[0] + 0.3, table.position[1], 0.0), Kind.FURNITURE)
    state = WorldState(0.0, Pose2(0, 0, 0), {}, {})
    assert Identities(layout).name("dining_table_3", found, Pose2(0.0, 0.0, 0.0), state) == "dining_table_0"
    assert Identities(layout).name("dining_table_3", found, Pose2(5.0, 5.0, 0.0), state) == "dining_table_3"


def test_the_house_is_the_one_that_the_run_kept(tmp_path):
    run = replace(episode(on_table("apple_0"), moved=["apple_0"]), house="gone")
    with pytest.raises(NotJudged, match="gone"):
        judge(run)
    save_house(load_house("flat"), tmp_path / HOUSE)
    assert judge(replace(run, run_dir=tmp_path))[1].success


def test_what_the_house_has_not_cannot_be_judged():
    with pytest.raises(NotJudged, match="milk_99"):
        judge(episode(None), parse_goal({"propositions": [{"is_held": [["milk_99"]]}]}, "mine"))


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
