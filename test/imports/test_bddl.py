"""Activities in BDDL to homes and tasks. An activity of our own, and a stand-in for the package."""

import pytest
from stand_in_bddl import ACTIVITY, as_read, write_activity, write_package

from dadu.bench.bddl.tasks import run, summary
from dadu.core.errors import ConfigError
from dadu.goals.suite_goal import parse_goal
from dadu.imports.bddl.kinds import kind_of
from dadu.imports.bddl.run import import_activities, load_problems, tasks_of
from dadu.imports.bddl.source import problems_of
from dadu.imports.bddl.words import sentence
from dadu.imports.report import ImportReport
from dadu.knowledge.lexicon import plural_of
from dadu.tasks.suite import load_suite


def taken(**changed):
    report = ImportReport("test")
    (problem,), refused = problems_of([as_read(**changed)])
    assert not refused
    tasks = list(tasks_of([problem], report))
    return tasks[0].task if tasks else None, report


def test_a_home_holds_what_the_activity_names_and_the_goal_is_in_its_names():
    task, report = taken()
    assert [room["name"] for room in task.house["rooms"]] == ["corridor", "kitchen"]
    assert {piece["category"] for piece in task.house["furniture"]} == {"dining_table", "cabinet"}
    things = {thing["name"]: thing for thing in task.objects}
    assert things["bottle_of_rum_0"]["in"] == "cabinet_0" and things["smock_1"]["room"] == "corridor"
    assert things["smock_0"]["on"] == "breakfast_table_0"
    assert things["smock_0"]["category"] == "smock" and things["bottle_of_rum_0"]["aliases"] == ["bottle of rum"]
    assert task.goals[0]["propositions"] == [
        {"is_on_top": [["bottle_of_rum_0"], ["breakfast_table_0"]]}, {"is_inside": [["smock_0"], ["cabinet_0"]]},
        {"is_inside": [["smock_1"], ["cabinet_0"]]}, {"is_closed": [["cabinet_0"]]}]
    assert task.instruction == ("Put the bottle of rum on the breakfast table, put all the smocks in the cabinet and "
                                "close the cabinet.")
    assert any("beside what they are in or on" in change.what for change in report.changes)
    assert {one.reason for one in report.left_out} == {"category broth", "predicate covered"}


@pytest.mark.parametrize("goal, reason", [
    (["covered", "?tray.n.01_1", "?broth.n.01_1"], "predicate covered"),
    (["ontop", "?broth.n.01_1", "?tray.n.01_1"], "category broth"),
    (["ontop", "?cabinet.n.01_1", "?breakfast_table.n.01_1"], "furniture that is to be moved: cabinet"),
    (["open", "?smock.n.01_1"], "is_open: not made for it here: smock"),
])
def test_what_cannot_be_taken_over_is_refused_by_name(goal, reason):
    task, report = taken(goal=[goal])
    assert task is None and ("activities", reason) in {(one.kind, one.reason) for one in report.left_out}


def test_what_is_not_well_formed_is_refused_alone():
    found, refused = problems_of([as_read(), as_read("other", goal=[["ontop", "?nobody", "?tray.n.01_1"]]), 3])
    assert [one.name for one in found] == ["shelve"] and "nobody" in refused["other"] and len(refused) == 2


@pytest.mark.parametrize("inner, reason", [("bookcase.n.01", "is_on_top"), ("hamper.n.02", "is_inside")])
def test_furniture_without_an_inside_or_a_top_takes_both(inner, reason):
    thing = f"{inner}_1"
    task, _ = taken(objects=ACTIVITY["objects"] | {inner: [thing]}, rooms=as_read()["rooms"] | {thing: "kitchen"},
                    goal=[["inside" if reason == "is_on_top" else "ontop", "?smock.n.01_1", f"?{thing}"]])
    assert reason in task.goals[0]["propositions"][0]


def test_a_vessel_has_an_inside_and_room():
    goal = [["inside", f"?smock.n.01_{i}", "?tray.n.01_1"] for i in (1, 2)]
    task, report = taken(goal=goal)
    (tray,) = (thing for thing in task.objects if thing["name"] == "tray_0")
    smock = next(thing for thing in task.objects if thing["name"] == "smock_0")
    assert tray["category"] == "box" and tray["aliases"] == ["tray"]
    assert tray["size"][0] * tray["size"][1] > 2 * smock["size"][0] * smock["size"][1]
    assert any("open boxes" in change.what for change in report.changes)


@pytest.mark.parametrize("synset, above, fixed, category", [
    ("carton__of__milk.n.01", (), False, "milk_carton"), ("carving_knife.n.01", (), False, "knife"),
    ("grocery_shelf.n.01", (), True, "shelf"), ("car.n.01", (), True, None),
    ("smock.n.01", ("shirt.n.01",), False, "smock"),
    ("granola_bar.n.01", (), False, "candy_bar"), ("plinth.n.01", ("base.n.01",), False, None),
])
def test_synsets_in_our_words(synset, above, fixed, category):
    found = kind_of(synset, above, fixed)
    assert (found.category if found is not None else None) == category


def test_a_goal_in_words():
    words = {"cup_0": "cup", "cup_1": "cup", "cup_2": "cup", "shelf_0": "shelf", "shelf_1": "shelf", "lamp_0": "lamp"}
    cups, shelves = ["cup_0", "cup_1", "cup_2"], ["shelf_0", "shelf_1"]
    goal = {"propositions": [{"is_on_top": [cups, shelves], "number": 2}, {"is_powered_on": [["lamp_0"]]},
                             {"is_on_top": [["cup_0"], shelves]}, {"is_on_top": [["cup_1"], shelves]}],
            "constraints": [{"different_arg": {"propositions": [2, 3], "arg": 1}}]}
    parse_goal(goal, "test")
    assert sentence(goal, words) == "Put two cups on a shelf, turn on the lamp and put two cups on different shelves."
    assert [plural_of(word) for word in ("knife", "box of mint", "berry", "scissors")] == [
        "knives", "boxes of mint", "berries", "scissors"]


def test_both_judge_the_end_of_what_the_expert_does(tmp_path):
    python = write_package(tmp_path)
    files = [write_activity(tmp_path / "shelve.bddl", goal=ACTIVITY["goal"][:3]),
             write_activity(tmp_path / "burn.bddl", goal=[["burnt", "?tray.n.01_1"]])]
    found = import_activities(python, files, tmp_path / "out")
    assert [one.id for one in load_suite(str(found.suite))[0].episodes] == ["shelve"]
    (attempt,) = run(found.suite, python, None)
    assert attempt.success and attempt.ours and attempt.theirs and not attempt.before, attempt.explanation
    figures = summary([attempt], load_problems(found.suite))
    assert figures["all"]["agree"]["mean"] == 1 and not figures["differ"] and not figures["failures"]


def test_a_suite_without_its_problems_is_said(tmp_path):
    with pytest.raises(ConfigError, match="dadu import bddl"):
        load_problems(tmp_path / "chores.suite.yaml")
