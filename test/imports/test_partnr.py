"""Goals of PARTNR's guiding instructions: derived where a few patterns fit to the last word. Sentences of our own."""

import json

import pytest

from dadu.core.errors import ConfigError
from dadu.imports.instructed.suites import write_suite
from dadu.imports.partnr.run import import_instructions, tasks_of
from dadu.imports.partnr.source import FOLDER, KINDS, read_instructions
from dadu.tasks.expert import demonstrate
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite

STATE = [{"number": 1, "object_classes": ["toy_bee"], "allowed_regions": ["living_room_0"],
          "furniture_names": ["table_0"]},
         {"number": 2, "object_classes": ["spoon"], "allowed_regions": ["kitchen_0"], "furniture_names": ["counter_0"]},
         {"number": 1, "object_classes": ["hat"], "allowed_regions": ["laundryroom/mudroom_0"],
          "furniture_names": ["shelves_0"]}]
TABLES = ["table_0"]


def tasks(copy, *sentences, state=STATE):
    folder = copy / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    entries = [{"instruction": s, "initial_state": state, "scene_id": "7"} for s in sentences]
    for kind in KINDS:
        (folder / f"300_{kind}_train_template.json").write_text(json.dumps(entries if kind == "rearrange" else []))
    found, reports = tasks_of(read_instructions(copy, "train"))
    return found, {omission.item: omission.reason for report in reports for omission in report.left_out}


def goal_of(copy, sentence):
    [task], _ = tasks(copy, sentence)
    return task.goals[0]


@pytest.mark.parametrize("sentence, propositions", [
    ("Carry the hat and the toy bee from the living room to the kitchen table.",
     [{"is_on_top": [["hat_0"], ["table_kitchen_0"]]}, {"is_on_top": [["toy_bee_0"], ["table_kitchen_0"]]}]),
    ("Help me lay things out. Put both spoons on the couch.", None),
    ("Help me tidy up the living room. Put both spoons on the couch.",
     [{"is_on_top": [["spoon_0", "spoon_1"], ["couch_living_room_0"]], "number": 2}]),
    ("Put a spoon on the couch.", [{"is_on_top": [["spoon_0", "spoon_1"], ["couch_living_room_0"]]}]),
    ("Put the hat beside the toy bee on the living room table.",
     [{"is_on_top": [["hat_0"], TABLES]}, {"is_next_to": [["hat_0"], ["toy_bee_0"]]}]),
    ("Put the hat on the chair under the window.", None),
    ("Put the umbrella on the chair.", None),
    ("Sell the hat.", None),
])
def test_a_goal_is_derived_or_given_up(tmp_path, sentence, propositions):
    found, left_out = tasks(tmp_path, sentence)
    if propositions is None:
        assert not found and len(left_out) == 1
    else:
        assert found[0].goals[0]["propositions"] == propositions


def test_later_steps_come_later_and_only_the_last_place_has_to_hold(tmp_path):
    goal = goal_of(tmp_path, "First, take the hat and the toy bee to the kitchen table. "
                             "Then, put them next to each other on the couch.")
    assert [next(iter(p)) for p in goal["propositions"]] == ["is_on_top"] * 4 + ["is_clustered"]
    assert {"terminal": [2, 3, 4]} in goal["constraints"]
    assert goal["dependencies"] == [
        {"propositions": [2], "depends_on": [0, 1], "relation": "after_satisfied"},
        {"propositions": [3], "depends_on": [0, 1], "relation": "after_satisfied"},
        {"propositions": [4], "depends_on": [2, 3], "relation": "while_satisfied"}]


def test_all_these_are_more_than_what_was_moved_last(tmp_path):
    said = ("First, take the hat to the kitchen table. Then, take the toy bee to the kitchen table. "
            "Then, put {} on a couch.")
    moved = {word: [p["is_on_top"][0] for p in goal_of(tmp_path, said.format(word))["propositions"][2:]]
             for word in ("all these items", "it")}
    assert moved == {"all these items": [["hat_0"], ["toy_bee_0"]], "it": [["toy_bee_0"]]}


def test_what_lies_on_the_floor_cannot_be_made(tmp_path):
    state = [{**STATE[0], "furniture_names": ["floor"]}]
    assert tasks(tmp_path, "Put the toy bee on the couch.", state=state)[1] == {
        "partnr-rearrange-train-0": "something lies on the floor"}


def test_an_expert_can_carry_it_out(tmp_path):
    found, _ = tasks(tmp_path, "Put the hat on the living room couch. Then, take a spoon to the laundry room shelves.")
    path = write_suite("mine-dev", "", found, tmp_path / "out")
    [prepared] = prepare_all(load_suite(path)[0], path)
    assert demonstrate(prepared).calls


def test_a_sentence_may_name_rooms_and_furniture_that_no_initial_state_has(tmp_path):
    [task], _ = tasks(tmp_path, "Put the hat on the bench in the garage.")
    assert task.goals[0]["propositions"] == [{"is_on_top": [["hat_0"], ["bench_garage_0"]]}]
    assert "garage_0" in {room["name"] for room in task.house["rooms"]}


def test_furniture_of_one_name_in_two_rooms_is_two(tmp_path):
    state = [*STATE, {"number": 1, "object_classes": ["apple"], "allowed_regions": ["kitchen_0"],
                      "furniture_names": ["table_0"]}]
    [task], _ = tasks(tmp_path, "Put the hat on the kitchen table.", state=state)
    assert {t["name"]: t.get("on") for t in task.objects}["apple_0"] == "table_0_kitchen_0"
    assert task.goals[0]["propositions"] == [{"is_on_top": [["hat_0"], ["table_0_kitchen_0"]]}]


def test_several_classes_and_places_are_taken_in_turn_and_clutter_is_left_out_with_a_word(tmp_path):
    state = [{"number": "3", "object_classes": ["plate", "cup"], "furniture_names": ["table_0", "table_1"],
              "allowed_regions": ["living_room_0"]}, {"number": "2", "common_sense_object_classes": True}]
    [task], left_out = tasks(tmp_path, "Put the cup on the couch.", state=state)
    assert [(t["category"], t["on"]) for t in task.objects] == [
        ("plate", "table_0"), ("cup", "table_1"), ("plate", "table_0")]
    assert list(left_out.values()) == ["clutter that is not named"]


def test_a_suite_is_written_that_tells_all(tmp_path):
    tasks(tmp_path / "copy", "Put the hat on the living room couch.", "Sell the hat.")
    found = import_instructions(tmp_path / "copy", tmp_path / "out")
    suite, path = load_suite(found.suite)
    [prepared] = prepare_all(suite, path)
    assert prepared.episode.known == "all" and demonstrate(prepared).calls
    assert sum(report.taken["instructions"] for report in found.reports) == 1
    assert [o.reason for report in found.reports for o in report.left_out] == ["another pattern"]


@pytest.mark.parametrize("content, error", [("{", "no JSON"), ("{}", "no list"), ("[{}]", "entry 0")])
def test_what_is_no_copy_is_refused(tmp_path, content, error):
    with pytest.raises(ConfigError, match="partnr-planner"):
        read_instructions(tmp_path, "train")
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "300_rearrange_train_template.json").write_text(content)
    with pytest.raises(ConfigError, match=error):
        read_instructions(tmp_path, "train")
