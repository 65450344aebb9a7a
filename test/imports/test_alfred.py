"""ALFRED's trajectories to rooms and suites, by stand-ins of its files."""

import json
import math

import numpy as np
import pytest
from stand_in_alfred import VIEWS, WHERE, picked, write_layout, write_trial
from typer.testing import CliRunner

from dadu.cli.import_ import app
from dadu.core.errors import ConfigError
from dadu.house.files import parse_house
from dadu.imports.alfred.arrange import arranged
from dadu.imports.alfred.layout import read_layout
from dadu.imports.alfred.pieces import pieces_of
from dadu.imports.alfred.run import demonstrated, drawn, import_tasks, sentences_in
from dadu.imports.alfred.source import trials_in
from dadu.imports.instructed.suites import write_suite
from dadu.imports.report import ImportReport
from dadu.tasks.expert import demonstrate
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite

THINGS = ("Apple@Fridge", "Apple", "Mug", "Plate@DiningTable", "Fork", "Submarine")
TABLE = ["dining_table_0"]


def imported(copy, **given):
    write_trial(copy, 1, ["Set an apple on the table"], **{"things": THINGS, **given})
    trials = list(trials_in(copy))
    return import_tasks(sentences_in(trials), copy / "gen/layouts", demonstrated(t for _, t in trials))


def only(found):
    [[task]] = found.suites.values()
    return task


def where(task):
    return {thing["name"]: thing.get("on") or thing.get("in") for thing in task.objects}


def test_furniture_stands_against_its_wall_in_its_order_and_clear_of_the_rest(tmp_path):
    write_layout(tmp_path, 1)
    layout = read_layout(tmp_path, "FloorPlan1")
    plan = arranged(layout, pieces_of(layout, (), {}, ImportReport("room")))
    north = sorted((name for name, pose in plan.poses.items() if pose.yaw == -math.pi / 2),
                   key=lambda name: plan.poses[name].x)
    assert [n for n in north if not n.startswith("chair")] == ["sink_basin_0", "counter_top_0", "microwave_0"]
    walls = {"fridge_0": 0.0, "cabinet_0": math.pi, "sink_basin_0": -math.pi / 2}
    assert {name: plan.poses[name].yaw for name in walls} == walls
    assert set(plan.poses) > {"dining_table_0", "chair_0"}


def test_what_is_known_of_a_room_is_taken_over_and_the_rest_is_said(tmp_path):
    found = imported(tmp_path)
    [report], house = found.reports, found.scenes["FloorPlan1"].house
    parse_house(house.model_dump(mode="json", by_alias=True, exclude_defaults=True), "room")
    assert house.rooms[0].category == "kitchen" and {p.category for p in house.furniture} >= {"fridge", "dining_table"}
    said = "\n".join(report.sentences())
    assert "there is no counterpart to a Submarine" in said and "the layout does not say where" in said
    assert report.taken["instructions"] == 1 and report.taken["objects in episodes"] == len(THINGS) - 1


def test_things_are_in_and_on_what_they_are_in_the_scene(tmp_path):
    assert where(only(imported(tmp_path))) == {
        "apple_0": "fridge_0", "apple_1": "counter_top_0", "mug_0": "counter_top_0", "plate_0": "dining_table_0",
        "fork_0": "counter_top_0"}


@pytest.mark.parametrize("kind, given, propositions", [
    ("pick_and_place_simple", {}, [{"is_on_top": [["apple_0", "apple_1"], TABLE]}]),
    ("pick_and_place_simple", {"parent": "SinkBasin"}, [{"is_on_top": [["apple_0", "apple_1"], ["sink_basin_0"]]}]),
    ("pick_and_place_simple", {"parent": "Fridge"}, [{"is_inside": [["apple_1"], ["fridge_0"]]}]),
    ("pick_clean_then_place_in_recep", {}, [{"is_clean": [["apple_0", "apple_1"]]},
                                            {"is_on_top": [["apple_0", "apple_1"], TABLE]}]),
    ("pick_heat_then_place_in_recep", {}, [{"is_hot": [["apple_0", "apple_1"]]},
                                           {"is_on_top": [["apple_0", "apple_1"], TABLE]}]),
    ("pick_cool_then_place_in_recep", {"sliced": True}, [
        {"is_sliced": [["apple_0", "apple_1"]]}, {"is_cold": [["apple_0", "apple_1"]]},
        {"is_on_top": [["apple_0", "apple_1"], TABLE]}]),
    ("pick_two_obj_and_place", {}, [{"is_on_top": [["apple_0", "apple_1"], TABLE], "number": 2, "same_target": True}]),
    ("pick_and_place_with_movable_recep", {"movable": "Plate", "parent": "SinkBasin"}, [
        {"is_on_top": [["apple_0", "apple_1"], ["plate_0"]]}, {"is_on_top": [["plate_0"], ["sink_basin_0"]]}]),
    ("look_at_obj_in_light", {"lamp": "DeskLamp", "parent": ""}, [
        {"is_powered_on": [["desk_lamp_0"]]}, {"is_held": [["apple_0", "apple_1"]]}]),
])
def test_the_goal_is_the_corpus_s(tmp_path, kind, given, propositions):
    steps = [picked("Apple", "CounterTop"), picked("DeskLamp", "DeskLamp")] if "lamp" in given else None
    assert only(imported(tmp_path, kind=kind, steps=steps, **given)).goals[0]["propositions"] == propositions


@pytest.mark.parametrize("given", [
    {"kind": "pick_cool_then_place_in_recep", "sliced": True},
    {"kind": "pick_and_place_with_movable_recep", "movable": "Plate", "parent": "SinkBasin"},
])
def test_an_expert_reaches_the_goal(tmp_path, given):
    path = write_suite("mine", "", [only(imported(tmp_path, **given))], tmp_path / "out", fit=False)
    [prepared] = prepare_all(load_suite(path)[0], path)
    assert demonstrate(prepared).calls


def test_the_command_takes_the_instructions_of_eb_alfred_for_trajectories_that_it_names(tmp_path):
    write_trial(tmp_path, 1, ["Nobody's words"], things=THINGS)
    folder = next(tmp_path.rglob("traj_data.json")).parent
    task = {"task": f"{folder.parent.name}/{folder.name}", "repeat_idx": 0, "instruction": "Serve fruit at the table"}
    splits = tmp_path / "splits.json"
    splits.write_text(json.dumps({"common_sense": [task]}))
    result = CliRunner().invoke(app, ["alfred", str(tmp_path), "--layouts", str(tmp_path / "gen/layouts"), "--out",
                                      str(tmp_path / "out"), "--splits", str(splits)], catch_exceptions=False)
    assert "took over" in result.output
    suite, _ = load_suite(tmp_path / "out/eb-alfred-common-sense.suite.yaml")
    assert [e.instruction for e in suite.episodes] == ["Serve fruit at the table"]
    splits.write_text(json.dumps({"base": [task | {"task": "elsewhere/trial"}]}))
    with pytest.raises(ConfigError, match="elsewhere/trial"):
        sentences_in(trials_in(tmp_path), splits)


def test_a_sample_has_as_many_of_each_type_and_takes_other_trials_first(tmp_path):
    for i in range(6):
        write_trial(tmp_path, i, ["one", "two"], kind="pick_heat_then_place_in_recep" if i < 3 else
                    "pick_and_place_simple")
    said = sentences_in(trials_in(tmp_path))
    sample = drawn(said, 3)
    assert len({one.trial.id for one in sample}) == 6 and drawn(list(reversed(said)), 3) == sample


@pytest.mark.parametrize("spoil, names", [
    (lambda data: data.update(task_type="pick_up_the_pieces"), "task_type"),
    (lambda data: data["scene"]["object_poses"][0].pop("position"), "position"),
    (lambda data: data["plan"]["high_pddl"][0]["planner_action"].update(coordinateReceptacleObjectId=["Sofa", [1]]),
     "coordinateReceptacleObjectId"),
])
def test_what_is_no_trajectory_is_refused_by_its_field(tmp_path, spoil, names):
    write_trial(tmp_path, 1, ["Set an apple on the table"], things=THINGS)
    path = next(tmp_path.rglob("traj_data.json"))
    data = json.loads(path.read_text())
    spoil(data)
    path.write_text(json.dumps(data))
    with pytest.raises(ConfigError, match=names):
        list(trials_in(tmp_path))


def test_a_layout_that_is_none_is_refused_by_its_file(tmp_path):
    write_layout(tmp_path, 1)
    np.save(tmp_path / "FloorPlan1-layout.npy", np.zeros(3))
    with pytest.raises(ConfigError, match="FloorPlan1-layout.npy"):
        read_layout(tmp_path, "FloorPlan1")
    assert set(WHERE) == set(VIEWS)


def test_what_is_there_already_counts_where_something_is_to_be_done_to_it(tmp_path):
    def goals(kind):
        task = only(imported(tmp_path / kind, kind=kind, parent="Fridge"))
        return [goal["propositions"] for goal in task.goals]

    assert [{"is_clean": [["apple_0"]]}, {"is_inside": [["apple_0"], ["fridge_0"]]}] in goals(
        "pick_clean_then_place_in_recep")
    assert goals("pick_and_place_simple") == [[{"is_inside": [["apple_1"], ["fridge_0"]]}]]
