"""BEHAVIOR's goals in DaDu's predicates; problems of our own, and a stand-in for their package."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from stand_in_bddl import write_package

from dadu.bench.bddl.agreement import holds, run
from dadu.goals.suite_goal import parse_goal
from dadu.imports.bddl.goal import Untranslatable, translate
from dadu.imports.bddl.source import BddlError

OBJECTS = {"jug.n.01": ["jug.n.01_1", "jug.n.01_2"], "rack.n.01": ["rack.n.01_1", "rack.n.01_2", "rack.n.01_3"],
           "floor.n.01": ["floor.n.01_1", "floor.n.01_2"]}
ROOMS = {"floor.n.01_1": "hall", "floor.n.01_2": "attic"}
JUG, RACK = ["?j", "-", "jug.n.01"], ["?r", "-", "rack.n.01"]
ON = ["ontop", "?j", "?r"]
JUGS, RACKS = OBJECTS["jug.n.01"], OBJECTS["rack.n.01"]


@pytest.mark.parametrize("expression, propositions, constraints", [
    (["ontop", "?jug.n.01_1", "?rack.n.01_2"], [{"is_on_top": [[JUGS[0]], [RACKS[1]]]}], []),
    (["not", ["open", "?rack.n.01_1"]], [{"is_closed": [[RACKS[0]]]}], []),
    (["forall", JUG, ["inside", "?j", "?rack.n.01_1"]], [{"is_inside": [JUGS, [RACKS[0]]], "number": 2}], []),
    (["forall", JUG, ["exists", RACK, ON]], [{"is_on_top": [JUGS, RACKS], "number": 2}], []),
    (["exists", RACK, ["forall", JUG, ON]], [{"is_on_top": [JUGS, RACKS], "number": 2, "same_target": True}], []),
    (["forall", RACK, ["exists", JUG, ON]], [{"is_on_top": [JUGS, [rack]]} for rack in RACKS], []),
    (["forn", ["2"], JUG, ["open", "?j"]], [{"is_open": [JUGS], "number": 2}], []),
    (["forpairs", JUG, RACK, ON], [{"is_on_top": [[jug], RACKS]} for jug in JUGS],
     [{"different_arg": {"propositions": [0, 1], "arg": 1}}]),
    (["exists", RACK, ["and", ["ontop", "?jug.n.01_1", "?r"], ["not", ["open", "?r"]]]],
     [{"is_on_top": [[JUGS[0]], RACKS]}, {"is_closed": [RACKS]}],
     [{"same_arg": {"propositions": [0, 1], "arg": [1, 0]}}]),
    (["ontop", "?jug.n.01_1", "?floor.n.01_2"], [{"is_on_floor": [[JUGS[0]]]}, {"is_in_room": [[JUGS[0]], ["attic"]]}],
     []),
])
def test_a_goal_is_said_in_propositions(expression, propositions, constraints):
    suite = translate([expression], OBJECTS, ROOMS).to_suite()
    assert suite["propositions"] == propositions
    assert suite["constraints"] == [*constraints, {"terminal": list(range(len(propositions)))}]
    parse_goal(suite, "test")


@pytest.mark.parametrize("expression, reason", [
    (["burnt", "?jug.n.01_1"], "predicate burnt"), (["not", ["inside", "?jug.n.01_1", "?rack.n.01_1"]], "not inside"),
    (["or", ["open", "?rack.n.01_1"], ["open", "?rack.n.01_2"]], "or"),
    (["forn", ["1"], JUG, ["open", "?j"]], "exactly"),
    (["forall", ["?p", "-", "pan.n.01"], ["open", "?p"]], "no things"),
    (["exists", JUG, ["forall", RACK, ON]], "quantifier within exists"),
])
def test_what_cannot_be_said_is_refused_by_name(expression, reason):
    with pytest.raises(Untranslatable, match=reason):
        translate([expression], OBJECTS, ROOMS)


def test_all_at_one_place_is_not_each_at_some_place():
    goal = parse_goal(translate([["exists", RACK, ["forall", JUG, ON]]], OBJECTS, ROOMS).to_suite(), "test")
    apart = {("ontop", JUGS[0], RACKS[0]), ("ontop", JUGS[1], RACKS[1])}
    assert not holds(goal, apart, ROOMS) and holds(goal, apart | {("ontop", JUGS[1], RACKS[0])}, ROOMS)


@pytest.fixture
def interpreter(tmp_path: Path) -> Path:
    return write_package(tmp_path)


def problem(file: Path, *goal: list[str]) -> str:
    init = [["inroom", floor, room] for floor, room in ROOMS.items()]
    file.write_text(json.dumps({"objects": OBJECTS, "init": init, "goal": goal}))
    return str(file)


def test_both_judges_are_asked_about_the_same_states(interpreter, tmp_path):
    files = [problem(tmp_path / "shelve.bddl", ["ontop", "?jug.n.01_1", "?rack.n.01_1"],
                     ["ontop", "?jug.n.01_2", "?floor.n.01_1"], ["open", "?rack.n.01_1"]),
             problem(tmp_path / "scorch.bddl", ["burnt", "?jug.n.01_1"]), str(tmp_path / "nowhere.bddl")]
    found = run(interpreter, files, states=30)
    assert (found["problems"], found["read"], found["said"], found["states"]) == (3, 2, 1, 30)
    assert found["agree"]["mean"] == 1 and 0 < found["goal_holds"] < 30 and not found["differ"]
    assert found["refused"]["predicate burnt"] == 1 and list(found["goals"]) == ["shelve"]


@pytest.mark.parametrize(("python", "said"), [
    (sys.executable, "bddl==3.6.0"), ("/no/such/python", "no interpreter"), ("/bin/echo", "no such interpreter")])
def test_an_interpreter_without_theirs_says_what_is_needed(python, said):
    with pytest.raises(BddlError, match=said):
        run(Path(python), [], 1)
