"""Suites out of a copy of ALFRED: which sentences are judged, in what house, by what goal; all by stand-ins."""

import pytest
from stand_in_alfred import write_trial

from bench.corpora import __main__ as corpora
from bench.corpora.differs import difference
from bench.corpora.samples import draw
from dadu.imports.alfred.run import import_tasks, sentences_in
from dadu.imports.alfred.source import trials_in


def trial_of(copy, *sentences, **given):
    write_trial(copy, 1, sentences, **given)
    return corpora.read_trials(copy, "train")[0]


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
    assert difference(sentence, trial_of(tmp_path, sentence, **given)) == why


def test_what_can_be_judged_stands_in_the_rooms_of_the_importer(tmp_path):
    write_trial(tmp_path, 1, ["Set an apple on the table", "Set a potato on the table"])
    tasks, left_out = corpora.judgeable(corpora.read_trials(tmp_path, "train"), tmp_path)
    [imported] = import_tasks(sentences_in(trials_in(tmp_path)), tmp_path / "gen/layouts").suites.values()
    assert [task.instruction for task in tasks] == ["Set an apple on the table"] and left_out["another thing"] == 1
    assert (tasks[0].house, tasks[0].objects, tasks[0].goals) == (
        imported[0].house, imported[0].objects, imported[0].goals)


def test_samples_are_disjoint_and_stay_the_same(tmp_path):
    for i in range(12):
        write_trial(tmp_path, i, ["Set an apple on the table", "An apple goes on the table"], scene=1 + i // 2)
    tasks, _ = corpora.judgeable(corpora.read_trials(tmp_path, "train"), tmp_path)
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
    tasks, _ = corpora.judgeable(corpora.read_trials(tmp_path, "train"), tmp_path)
    dev = draw(tasks, 2, seed=7)
    samples = corpora._further(tasks, (), dev, 7, 2)
    first, second = samples["alfred-1-dev"], samples["alfred-2-dev"]
    assert not {t.group for t in first} & {t.group for t in dev} and len(first) == len(second) == 2
    assert {t.group for t in second} <= {t.group for t in (*dev, *first)}
    assert not {t.id for t in second} & {t.id for t in (*dev, *first)}
