"""The Embodied Agent Interface: prompts read, plans made, their evaluator asked; prompts and evaluator are our own, in
their formats."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.bench.eai.actions import ACTIONS, CONDITIONS
from dadu.bench.eai.body import Impossible, SymbolicBody
from dadu.bench.eai.interpretation import interpret
from dadu.bench.eai.judge import EvaluatorError
from dadu.bench.eai.prompt import PromptError, read_prompt
from dadu.bench.eai.run import run
from dadu.bench.eai.scene import PromptScene, Thing, world_graph
from dadu.bench.eai.sequence import as_answer, plan
from dadu.bench.eai.subgoals import subgoals
from dadu.bench.eai.transition import operators
from dadu.world.graph import ROBOT, Kind

THINGS = {
    "robot": "character, id: 9, properties: []",
    "hall": "hall, id: 1, properties: []",
    "chest": "chest, id: 2, properties: ['CAN_OPEN', 'CONTAINERS', 'HAS_SWITCH', 'HAS_PLUG']",
    "bowl": "bowl, id: 3, properties: ['GRABBABLE', 'RECIPIENT']",
    "jar": "jar, id: 4, properties: ['GRABBABLE', 'POURABLE']",
    "bench": "bench, id: 5, properties: ['SITTABLE', 'SURFACES']",
    "comic": "comic, id: 6, properties: ['GRABBABLE', 'READABLE']",
}


def prompt(nodes: str = "", edges: str = "", states: str = "", relations: str = "", actions: str = "",
           things: dict[str, str] = THINGS) -> str:
    ruler = "-----------------"
    return "\n".join((
        "Follow the rules.", "Input:", "Objects in the scene:", *things.values(), ruler, "", "Nodes:", nodes, "",
        "Edges:", edges, ruler, "", "Node goals are:", states, ruler, "", "Edge goals are:", relations, ruler, "",
        "Action goals are:", actions or "There is no action requirement.", "", "Output:"))


def names(steps: list[tuple[str, tuple[str, ...]]]) -> list[str]:
    return [" ".join((name, *ids)) for name, ids in steps]


def test_what_lies_in_something_shut_is_taken_out_after_opening_it():
    scene = read_prompt(prompt("chest, states: ['CLOSED', 'OFF'], properties:[]",
                               "<bowl> (3) is INSIDE to <chest> (2)\n<character> (9) is INSIDE to <hall> (1)",
                               relations="bowl is ON to bench"))
    assert names(plan(scene)) == ["WALK chest_2", "OPEN chest_2", "GRAB bowl_3", "WALK bench_5",
                                  "PUTBACK bowl_3 bench_5", "WALK chest_2", "CLOSE chest_2"]


def test_what_is_switched_on_is_so_last_and_plugged_in_before():
    scene = read_prompt(prompt("chest, states: ['OPEN', 'OFF', 'PLUGGED_OUT'], properties:[]", "",
                               "chest is ON\nchest is CLOSED", "jar is INSIDE to chest"))
    assert names(plan(scene))[-3:] == ["CLOSE chest_2", "PLUGIN chest_2", "SWITCHON chest_2"]
    assert ("INSIDE", "jar_4", "chest_2") in scene.facts and ("ON", "chest_2") in scene.facts


def test_actions_asked_for_come_in_order_with_what_they_need():
    scene = read_prompt(prompt(actions="READ or LOOKAT\nREAD|LOOKAT\nTOUCH\nTOUCH", states="character is SITTING"))
    done = names(plan(scene))
    assert done[:3] == ["WALK comic_6", "GRAB comic_6", "READ comic_6"]
    assert done.index("READ comic_6") < next(i for i, step in enumerate(done) if step.startswith("TOUCH"))
    assert done[-1] == "SIT bench_5"


def test_hands_are_filled_right_first():
    scene = read_prompt(prompt(relations="character is HOLDS_LH to bowl"))
    plan(scene)
    assert scene.related("HOLDS_LH", ROBOT) == ["bowl_3"] and len(scene.held()) == 2


def test_a_goal_that_stands_twice_means_two_things():
    lamps = {**THINGS, "lamp": "lamp, id: 7, properties: ['HAS_SWITCH']",
             "lamp 2": "lamp, id: 8, properties: ['HAS_SWITCH']"}
    scene = read_prompt(prompt(states="lamp is ON\nlamp is ON", things=lamps))
    plan(scene)
    assert {("ON", "lamp_7"), ("ON", "lamp_8")} <= scene.facts


def test_nothing_asked_for_is_not_answered_with_nothing():
    assert len(plan(read_prompt(prompt()))) == 1


def test_an_answer_names_things_and_their_numbers():
    scene = read_prompt(prompt(relations="character is HOLDS_RH to bowl"))
    assert json.loads(as_answer(plan(scene), scene)) == {"WALK": ["bowl", "3"], "GRAB": ["bowl", "3"]}


@pytest.mark.parametrize("text", ["", prompt().replace("Nodes:", "Knots:"), prompt(states="chest will be shut"),
                                  prompt(states="sofa is CLEAN")])
def test_a_prompt_that_reads_otherwise_is_refused(text):
    with pytest.raises(PromptError):
        read_prompt(text)


@given(st.lists(st.tuples(st.sampled_from(sorted(ACTIONS)), st.integers(0, 40)), max_size=6))
def test_every_action_done_had_what_it_needs(wanted):
    """Whatever is asked for in whatever order: carried out again from the start, each step finds its needs met."""
    scene = read_prompt(prompt("chest, states: ['CLOSED', 'OFF', 'PLUGGED_OUT'], properties:[]",
                               "<bowl> (3) is INSIDE to <chest> (2)"))
    again, body = PromptScene(scene.things, set(scene.facts)), SymbolicBody(scene)
    for name, which in wanted:
        possible = body.arguments(name)
        if possible:
            try:
                body.do(name, *possible[which % len(possible)])
            except Impossible:
                pass
    for name, ids in body.steps:
        for need in ACTIONS[name].needs:
            assert CONDITIONS[need.kind].holds(again, ids[need.of] if ids else ROBOT), (name, need)
        ACTIONS[name].change(again, ids)
    assert again.facts == scene.facts and len(scene.held()) <= 2


def test_the_world_graph_has_rooms_furniture_and_things():
    scene = read_prompt(prompt("chest, states: ['OPEN'], properties:[]",
                               "<jar> (4) is ON to <bench> (5)\n<character> (9) is INSIDE to <hall> (1)"))
    graph = world_graph(scene)
    assert [graph[id].kind for id in ("hall_1", "chest_2", "bowl_3")] == [Kind.ROOM, Kind.FURNITURE, Kind.OBJECT]
    support = graph.support("jar_4")
    assert support is not None and support.object == "bench_5" and not graph["chest_2"].closed
    assert Thing("character", "9").id == ROBOT


SUBGOALS = """## Relevant Objects in the Scene
| hall.1 | Rooms | [] |
| character.9 | Characters | [] |
| chest.2 | Furniture | ['CAN_OPEN', 'CONTAINERS'] |
| bowl.3 | placable_objects | ['GRABBABLE', 'RECIPIENT'] |

## Initial States
CLOSED(chest.2)
INSIDE(character.9, hall.1)

## Goal States
[States]
{}
[Actions Must Include]: each line is one action.
{}

## Necessity to Use Actions
No"""


def test_subgoals_are_the_states_that_a_plan_goes_through():
    answer = json.loads(subgoals(SUBGOALS.format("INSIDE(bowl.3, chest.2)\nCLOSED(chest.2)", "None")))
    assert answer["output"] == [
        "NEXT_TO(character.9, bowl.3)", "HOLDS_RH(character.9, bowl.3)", "NEXT_TO(character.9, chest.2)",
        "OPEN(chest.2)", "INSIDE(bowl.3, chest.2)", "CLOSED(chest.2)"] or {*answer["output"]} >= {
        "OPEN(chest.2)", "INSIDE(bowl.3, chest.2)", "CLOSED(chest.2)"}
    assert answer["necessity_to_use_action"] == "no" and answer["actions_to_include"] == []


def test_an_action_stands_among_subgoals_where_it_is_asked_for():
    answer = json.loads(subgoals(SUBGOALS.format("None", "DRINK or EAT")))
    assert answer["output"][-1] == "DRINK(bowl.3)" and answer["actions_to_include"] == ["DRINK"]


def test_a_prompt_without_its_parts_has_no_subgoals():
    with pytest.raises(PromptError, match="Goal States"):
        subgoals(SUBGOALS.replace("## Goal States", ""))


JUDGE = '''
import json, pathlib, shutil
def agent_evaluation(mode, eval_type, llm_response_path, output_dir):
    if mode == "generate_prompts":
        to = pathlib.Path(output_dir, "virtualhome", mode, eval_type)
        to.mkdir(parents=True)
        shutil.copy(pathlib.Path(__file__).parent / "asked.json", to / "helm_prompt.json")
        return
    given = pathlib.Path(llm_response_path, "virtualhome", eval_type)
    log = ""
    for file in sorted(given.glob("*_outputs.json")):
        answers = json.loads(file.read_text())
        right = [a for a in answers if "GRAB" in a["llm_output"]]
        to = pathlib.Path(output_dir, "virtualhome", mode, eval_type, file.name.removesuffix("_outputs.json"))
        to.mkdir(parents=True)
        log += "".join(f"Holistic test: task {a['identifier']} succeeded\\n" for a in right)
        (to / "summary.json").write_text(json.dumps({"all_f1": 25.0} if eval_type == "goal_interpretation" else {
            "overall": {"f1": 50.0}} if eval_type == "transition_modeling" else {
            "goal_evaluation": {"task_success_rate": 100 * len(right) / len(answers)},
            "trajectory_evaluation": {"execution_success_rate": 100.0, "grammar_error": {"parsing": 0.0}}}))
        (to / "error_info.json").write_text(json.dumps({a["identifier"]: {} for a in answers[1:]}))
        log += f"Program number: {len(answers)}\\n"
    pathlib.Path("their.log").write_text(log)
'''


@pytest.fixture
def interpreter(tmp_path: Path) -> Path:
    """One that finds a package like theirs, of four tasks."""
    package = tmp_path / "theirs" / "virtualhome_eval"
    prompts = package / "evaluation" / "action_sequencing" / "prompts"
    prompts.mkdir(parents=True)
    tasks = [prompt(relations="character is HOLDS_RH to bowl"), prompt(states="chest is ON")] * 2
    (prompts / "helm_prompts.json").write_text(json.dumps(
        [{"identifier": f"{i}_1", "llm_prompt": text} for i, text in enumerate(tasks)]))
    (package / "__init__.py").touch()
    (package / "agent_eval.py").write_text(JUDGE)
    return _python(tmp_path / "python", package.parent)


def _python(script: Path, path: Path) -> Path:
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{path}" exec "{sys.executable}" "$@"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script


def test_their_evaluator_gives_the_number(interpreter, tmp_path):
    summary = run(interpreter, "action_sequencing", tmp_path / "out")
    assert summary == json.loads((tmp_path / "out" / "summary.json").read_text())
    both = summary["all"]
    assert both["counted"] == 4 and both["success"]["mean"] == 0.5
    assert both["success"]["low"] < 0.5 < both["success"]["high"]
    parts = [summary[part] for part in ("looked_at", "held_out") if part in summary]
    assert sum(part["counted"] for part in parts) == 4 and both["same_as_gold"] == 1


def test_of_f1_there_is_one_of_all_answers(interpreter, tmp_path):
    """The prompts of this module are written by their package, not shipped with it."""
    asked = tmp_path / "theirs" / "virtualhome_eval" / "asked.json"
    handles = [f"Input:\n(:action {name}\n  :parameters (?char - character ?obj - object)" for name in ("grab", "open")]
    texts = enumerate("\n" + handle for handle in handles * 2)
    asked.write_text(json.dumps([{"identifier": f"{i}", "llm_prompt": text} for i, text in texts]))
    summary = run(interpreter, "transition_modeling", tmp_path / "out")
    assert summary["all"]["counted"] == 4 and summary["all"]["overall"] == {"f1": 50.0}
    asked.write_text(json.dumps([{"identifier": f"{i}", "llm_prompt": GOAL} for i in range(4)]))
    summary = run(interpreter, "goal_interpretation", tmp_path / "goals")
    assert summary["all"]["goals"] == {"all_f1": 25.0} and summary["all"]["success"] is None


GOAL = """
Relevant objects in the scene are:
character, initial states: [], possible states: ['LYING', 'SITTING']
kitchen, initial states: ['CLEAN'], possible states: ['CLEAN']
lamp, initial states: ['OFF'], possible states: ['OFF', 'ON']
fridge, initial states: ['CLOSED'], possible states: ['CLOSED', 'OPEN']
apple, initial states: [], possible states: ['GRABBED']

{'INSIDE': {'fridge', 'kitchen'}, 'CLOSE': {'lamp'}}

Goal name and goal description:
Goal name: Turn on the lamp

Goal description: I walk to the kitchen. I put the apple into the fridge. I feel a tiredness. I fill it to 80%.


Now output the symbolic version of the goal."""


def test_a_goal_is_what_its_sentences_ask_for():
    """The narrator asks for what they tell; what is not understood is left out."""
    found = json.loads(interpret(GOAL))
    assert found["node goals"] == [{"name": "lamp", "state": "ON"}] and found["action goals"] == []
    assert {"from_name": "apple", "relation": "INSIDE", "to_name": "fridge"} in found["edge goals"]
    with pytest.raises(PromptError, match="no goal"):
        interpret(GOAL.replace("Goal name:", "Aim:"))


def _operator(name: str, parameters: str = "?char - character ?obj - object") -> str:
    return json.loads(operators(f"\nInput:\n(:action {name}\n  :parameters ({parameters})"))["output"]


def test_operators_say_what_the_table_says():
    grab = _operator("grab")
    assert grab.count("(") == grab.count(")") and grab.startswith("(:action grab :parameters (?char - character")
    assert "(grabbable ?obj)" in grab and "(forall (?other - object) (not (obj_ontop ?obj ?other)))" in grab
    assert "(not (next_to ?char ?obj))" not in grab
    put = _operator("put_inside", "?char - character ?obj1 - object ?obj2 - object")
    assert ":precondition (or (and (grabbable ?obj1) (holds_rh ?char ?obj1) (open ?obj2) (next_to ?char ?obj2))" in put
    assert put.endswith("(not (holds_rh ?char ?obj1)) (not (holds_lh ?char ?obj1))))")
    assert "(inside ?char ?room)" in _operator("walk_into", "?char - character ?room - object")
    assert ":precondition () :effect (and (not (sitting ?char))" in _operator("standup", "?char - character")


@pytest.mark.parametrize("text", ["", "\nInput:\n(:action juggle\n  :parameters (?char - character)"])
def test_operators_that_are_not_in_the_table_are_refused(text):
    with pytest.raises(PromptError):
        operators(text)


def test_an_interpreter_without_theirs_is_told_what_to_install(tmp_path):
    with pytest.raises(EvaluatorError, match="pip install"):
        run(_python(tmp_path / "python", tmp_path), "action_sequencing", tmp_path / "out")
