"""Nouns that the graph holds under another name: found whatever the verbs are, told to the model within its budgets,
and traced."""

import pytest
from small_world import small_world
from stand_in_server import StandInServer, action
from symbolic_world import SymbolicWorld, run

from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.mentioned import mentioned
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.model.feasible import feasible
from dadu.planner.model.infeasible import infeasible
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.model.tokens import estimate
from dadu.planner.policies.policy import TaskPlanner, Turn
from dadu.planner.settings import ModelSettings
from dadu.planner.situation import Situation
from dadu.skills.outcome import Code
from dadu.world.graph import Edge, Entity, Kind, Relation

from .test_prompt import FIND, MARKS, PROTOCOLS, REPLY, TEMPLATE, conversation, length, step


@pytest.mark.parametrize(("instruction", "found"), [
    ("water the settee", ("settee -> sofa_0",)),
    ("please polish the refrigerator", ("refrigerator -> fridge_0",)),
    ("carefully dust the fridge and the settee, then dance", ("settee -> sofa_0",)),
    ("juggle the fruit", ("fruit -> apple_0, apple_1, lemon_0",)),
    ("juggle the lemon on the desk", ()),
    ("serenade the gronk", ()),
    ("", ()),
])
def test_nouns_are_found_without_a_verb_that_is_known(known, instruction, found):
    assert mentioned(instruction, known, default_vocabulary()) == found


def carry_out(known, instruction, *replies, hints="nouns"):
    server, world = StandInServer(*replies), SymbolicWorld(known.copy(), known.copy())
    planner = TaskPlanner(ModelPolicy(ModelSettings(url=server.url, hints=hints)))
    try:
        report = run(ClosedLoop(instruction, planner, world), world)
    finally:
        server.close()
    return report, [request["messages"][-1]["content"] for request in server.requests]


def test_the_model_is_told_what_its_nouns_stand_for(known):
    replies = [action("go_to", target="lemon_0"), action("pick", object="lemon_0"), action("go_to", target="sofa_0"),
               action("place", relation="on", receptacle="sofa_0"), action("done")]
    report, prompts = carry_out(known, "put the lemon on the settee", *replies)
    assert "Meaning: settee -> sofa_0" in prompts[0] and not any("Meaning" in p for p in prompts[1:])
    assert all(s.substitutions == ("settee -> sofa_0",) for s in report.steps)
    assert report.summary.endswith("The model was told what words stand for: settee -> sofa_0")


def test_unless_asked_for_the_model_is_told_nothing_of_the_kind(known):
    for instruction in ("put the lemon on the settee", "vacuum the settee", "serenade the gronk"):
        report, prompts = carry_out(known, instruction, action("go_to", target="sofa_0"), action("done"), hints="none")
        assert not any("Meaning" in p or "Hint" in p for p in prompts)
        assert report.steps[0].substitutions == () and "was told" not in report.summary


def test_also_where_the_grammar_does_not_understand(known):
    report, prompts = carry_out(known, "vacuum the settee", action("go_to", target="sofa_0"), action("done"))
    assert "Meaning: settee -> sofa_0" in prompts[0]
    assert report.outcome.code is Code.UNCERTAIN and report.steps[0].substitutions == ("settee -> sofa_0",)


def test_what_the_id_tells_by_itself_is_left_out(known):
    _, prompts = carry_out(known, "put the milk on the settee", action("go_to", target="milk_0"), action("done"))
    assert "Meaning: settee -> sofa_0" in prompts[0] and "milk -> milk_0" not in prompts[0]


def turn(graph, *substitutions, situation=None, history=()):
    return Turn(FIND, graph, None, situation or Situation(), tuple(history), substitutions=substitutions)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_first_prompt_keeps_its_bound(protocol):
    messages, _ = conversation(protocol).ask(turn(small_world(), "davenport -> toys_table"))
    assert "Meaning: davenport -> toys_table" in messages[1]["content"]
    assert length(messages) + TEMPLATE <= 543


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_name_that_is_found_later_is_told_then_within_a_turns_bound(protocol):
    said, graph, situation = conversation(protocol), small_world(), Situation()
    said.ask(turn(graph, situation=situation))
    said.answered(REPLY, turn(graph, situation=situation))
    later = turn(graph, "davenport -> toys_table", situation=situation, history=[step(1)])
    messages, begins = said.ask(later)
    assert not begins and "davenport -> toys_table" in messages[-1]["content"]
    assert estimate(messages[-1]["content"]) + MARKS <= 60
    said.answered(REPLY, later)
    again = turn(graph, "davenport -> toys_table", situation=situation, history=[step(1), step(2)])
    assert "davenport" not in said.ask(again)[0][-1]["content"], "once is enough"


def test_what_is_meant_stays_in_a_world_that_is_cut_short():
    graph = small_world()
    for i in range(200):
        graph.put(Entity(f"brick_{i}", Kind.OBJECT, "brick"))
        graph.edges.add(Edge(f"brick_{i}", Relation.ON, "toys_table", "top"))
    plain = conversation(world_tokens=60).ask(turn(graph))[0][1]["content"]
    told = conversation(world_tokens=60).ask(turn(graph, "quacker -> duck_toy_0"))[0][1]["content"]
    assert "duck_toy_0" not in plain and told.count("duck_toy_0") == 2


def test_a_reply_that_names_a_thing_otherwise_is_told_what_is_nearest(known):
    arguments = {"target": "couch"}
    result = infeasible("go_to", arguments, known, feasible(known))
    assert result.code is Code.UNKNOWN_TARGET and "nearest: sofa_0" in result.message
    assert "nearest" not in infeasible("go_to", {"target": "gronk"}, known, feasible(known)).message
