"""Suites out of a copy of ALFRED: which sentences are judged, in what house, by what goal; all by stand-ins."""

import pytest
from stand_in_alfred import picked, write_trial

from bench.corpora import __main__ as corpora
from bench.corpora import alfred
from bench.corpora.differs import difference
from bench.corpora.samples import draw
from dadu.imports.instructed.fitting import fitted
from dadu.imports.instructed.suites import write_suite
from dadu.imports.report import ImportReport
from dadu.tasks.expert import demonstrate
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite


def trial_of(copy, *sentences, **given):
    write_trial(copy, 1, sentences, **given)
    return next(alfred.read_trials(copy, ("train",)))


def task_of(copy, sentence, **given):
    trial = trial_of(copy, sentence, **given)
    return alfred.task_of(trial, 0, alfred.layouts(copy, [trial])["FloorPlan1"], seed=0)


def pieces(task):
    return {piece["name"]: piece for piece in task.house["furniture"]}


def where(task):
    return {thing["name"]: thing.get("on") or thing.get("in") for thing in task.objects}


CLEAN = {"kind": "pick_clean_then_place_in_recep"}
HEAT = {"kind": "pick_heat_then_place_in_recep"}
IN_PLATE = {"kind": "pick_and_place_with_movable_recep", "movable": "Plate"}
LIGHT = {"kind": "look_at_obj_in_light", "parent": "", "lamp": "DeskLamp", "object": "Book"}


@pytest.mark.parametrize("sentence, given, why", [
    ("Set an apple down on the big table", {}, ""),
    ("Set apples down on the tables", {}, ""),
    ("Set a potato down on the table", {}, "another thing"),
    ("Set it down on the table", {}, "no thing"),
    ("Set an apple down in the fridge", {}, "another place"),
    ("Set an apple down", {}, "no place"),
    ("Carry an apple to the table", HEAT, "no word for pick_heat_then_place_in_recep"),
    ("Carry a warm apple to the table", HEAT, ""),
    ("Carry an apple to the table", {"sliced": True}, "no word for sliced"),
    ("Carry a wedge of apple to the table", {"sliced": True}, ""),
    ("Two apples belong on the table", {"kind": "pick_two_obj_and_place"}, ""),
    ("The apples belong on the table", {"kind": "pick_two_obj_and_place"}, ""),
    ("An apple belongs on the table", {"kind": "pick_two_obj_and_place"}, "no word for pick_two_obj_and_place"),
    ("Carry a plate with an apple to the table", IN_PLATE, ""),
    ("Lay an apple onto the blue plate and carry both to the table", IN_PLATE, ""),
    ("Carry an apple and a plate to the table", IN_PLATE, "thing and container side by side"),
    ("Carry an apple in a bowl to the table", IN_PLATE, "another container"),
    ("Read the book under the desk lamp", LIGHT, ""),
    ("Read the book", LIGHT, "no lamp"),
    ("Switch the desk lamp off with the book in hand", LIGHT, "a lamp off, not on"),
    ("Take the book and turn on the desk lamp that is off", LIGHT, ""),
    ("Set an apple of water on the table", CLEAN, "filled, not washed"),
    ("Wash an apple with water and lay it on the table", CLEAN, ""),
])
def test_what_plainly_speaks_of_something_else_is_left_out(tmp_path, sentence, given, why):
    assert difference(sentence, trial_of(tmp_path, sentence, **given), alfred.words()) == why


def test_things_are_where_the_demonstration_took_them_from(tmp_path):
    task = task_of(tmp_path, "Take the apple out of the sink and set it on the table",
                   steps=[picked("Apple", "SinkBasin")])
    assert where(task)["apple_0"] == "sink_basin_0" and "fork_0" in where(task)
    assert task.goals == [{"propositions": [{"is_on_top": [["apple_0"], ["dining_table_0"]]}],
                           "constraints": [{"terminal": [0]}]}]


def test_what_the_word_for_the_place_would_mean_as_well_does_not_stand_there(tmp_path):
    """Counters are called tables, too; one from which the thing was taken stays."""
    sink = [picked("Apple", "SinkBasin")]
    assert "counter_top_0" not in pieces(task_of(tmp_path / "a", "Set an apple on the table", steps=sink))
    assert "counter_top_0" in pieces(task_of(tmp_path / "b", "Set an apple on the table"))
    assert "chair_0" in pieces(task_of(tmp_path / "c", "Set an apple on the table", steps=sink))


def test_the_wanted_thing_and_place_have_the_colour_that_is_said(tmp_path):
    task = task_of(tmp_path, "Set the green apple on the white dining table")
    assert pieces(task)["dining_table_0"]["color"] == "white"
    assert next(t for t in task.objects if t["name"] == "apple_0")["attributes"] == {"color": "green"}


def test_what_is_heated_counts_once_it_is_hot(tmp_path):
    [goal] = task_of(tmp_path, "Set a hot apple on the table", **HEAT).goals
    assert goal["propositions"] == [{"is_hot": [["apple_0"]]}, {"is_on_top": [["apple_0"], ["dining_table_0"]]}]
    assert goal["dependencies"] == [{"propositions": [1], "depends_on": [0], "relation": "after_satisfied"}]
    assert {"same_arg": {"propositions": [0, 1], "arg": 0}} in goal["constraints"]


def test_two_go_to_one_place(tmp_path):
    task = task_of(tmp_path, "Two apples on the table", kind="pick_two_obj_and_place",
                   steps=[picked("Apple", "SinkBasin"), picked("Apple", "Fridge", "+02.00|+00.90|-00.50")])
    [goal] = task.goals
    assert where(task)["apple_1"] == "fridge_0"
    assert goal["propositions"] == [{"is_on_top": [["apple_0", "apple_1"], ["dining_table_0"]], "number": 2,
                                     "same_target": True}]


def test_a_book_under_a_lamp_may_be_held_or_lie_beside_it(tmp_path):
    task = task_of(tmp_path, "Read the book under the desk lamp", **LIGHT)
    assert [list(goal["propositions"][1]) for goal in task.goals] == [["is_held"], ["is_next_to"]]


@pytest.mark.parametrize("sentence, given", [
    ("Set a hot apple on the table", HEAT),
    ("Carry a plate with an apple to the table", IN_PLATE),
    ("Set a clean cup into the sink", {"kind": "pick_clean_then_place_in_recep", "object": "Cup",
                                       "parent": "SinkBasin"}),
    ("Cut an apple, cool it and set it on the table", {"kind": "pick_cool_then_place_in_recep", "sliced": True}),
    ("Read the book under the desk lamp", LIGHT),
])
def test_an_expert_can_carry_out_what_is_asked(tmp_path, sentence, given):
    path = write_suite("mine-dev", "", [task_of(tmp_path, sentence, **given)], tmp_path / "out")
    [prepared] = prepare_all(load_suite(path)[0], path)
    assert demonstrate(prepared).calls


def test_what_finds_no_room_is_left_away_or_put_elsewhere(tmp_path):
    task = task_of(tmp_path, "Set an apple on the table", things=())
    full = [{"name": f"pillow_{i}", "category": "pillow", "on": "chair_0"} for i in range(3)]
    report = ImportReport("x")
    crowded = fitted(type(task)(**{**task.__dict__, "objects": [*task.objects, *full]}), report)
    assert crowded is not None and len(crowded.objects) < len(task.objects) + 3
    assert "apple_0" in where(crowded)
    assert len(crowded.objects) + len(report.left_out) == len(task.objects) + 3


def test_samples_are_disjoint_and_stay_the_same(tmp_path):
    for i in range(12):
        write_trial(tmp_path, i, ["Set an apple on the table", "An apple goes on the table"], scene=1 + i // 2)
    trials = list(alfred.read_trials(tmp_path, ("train",)))
    layouts = alfred.layouts(tmp_path, trials)
    tasks = [alfred.task_of(t, i, layouts[t.floor_plan], 0) for t in trials for i in range(2)]
    first = draw(tasks, 3, seed=7)
    assert len({task.group for task in first}) == 3
    assert [t.id for t in draw(reversed(tasks), 3, seed=7)] == [t.id for t in first]
    assert [t.id for t in draw(tasks, 3, seed=8)] != [t.id for t in first]
    fewer = [task for task in tasks if task.group != first[1].group]
    assert [t.id for t in draw(fewer, 2, seed=7)] == [first[0].id, first[2].id]
    wanted = next(task for task in tasks if task.group not in {t.group for t in first})
    assert draw(tasks, 3, seed=7, first=[wanted.id])[0] is wanted


def test_once_all_tasks_were_drawn_other_sentences_of_them_are(tmp_path, monkeypatch):
    monkeypatch.setattr(corpora, "COUNT", 2)
    for i in range(4):
        write_trial(tmp_path, i, ["Set an apple on the table", "An apple goes on the table"], scene=1 + i)
    trials = list(alfred.read_trials(tmp_path, ("train",)))
    layouts = alfred.layouts(tmp_path, trials)
    tasks = [alfred.task_of(t, i, layouts[t.floor_plan], 0) for t in trials for i in range(2)]
    dev = draw(tasks, 2, seed=7)
    samples = corpora._further(tasks, (), dev, 7, 2)
    first, second = samples["alfred-1-dev"], samples["alfred-2-dev"]
    assert not {t.group for t in first} & {t.group for t in dev} and len(first) == len(second) == 2
    assert {t.group for t in second} <= {t.group for t in (*dev, *first)}
    assert not {t.id for t in second} & {t.id for t in (*dev, *first)}
