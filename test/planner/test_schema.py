"""The schema of a turn: what it allows follows the graph; and the length of the prompt."""

import json
import re

import pytest

from dadu.geometry import Pose2
from dadu.memory.graph import Edge, Entity, Kind, Relation, Surface, WorldGraph
from dadu.planner.effects import apply
from dadu.planner.model.feasible import feasible
from dadu.planner.model.prompt import default_prompts, messages
from dadu.planner.model.schema import REASONING, check, schema
from dadu.planner.policy import Turn
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.skills.call import BASE_CAPABILITIES, SkillCall
from dadu.skills.outcome import Code, SkillResult

HELD = SkillCall("pick", ("lemon_0",))
OPEN = SkillCall("open", ("fridge_0",))


def reply(action, **arguments):
    return json.dumps({"reasoning": "so", "action": action, "arguments": arguments})


ACCEPTED = [
    ((), "go_to", {"target": "kitchen"}, ["go_to", "kitchen"]),
    ((), "pick", {"object": "lemon_0"}, ["pick", "lemon_0"]),
    ((), "open", {"receptacle": "fridge_0"}, ["open", "fridge_0"]),
    ((OPEN,), "close", {"receptacle": "fridge_0"}, ["close", "fridge_0"]),
    ((OPEN,), "pick", {"object": "milk_0"}, ["pick", "milk_0"]),
    ((HELD,), "place", {"relation": "on", "receptacle": "desk_0"}, ["place", "on", "desk_0"]),
    ((OPEN, HELD), "place", {"relation": "in", "receptacle": "fridge_0"}, ["place", "in", "fridge_0"]),
    ((HELD,), "place", {"relation": "on", "receptacle": "desk_0", "reference": "mug_1"},
     ["place", "on", "desk_0", "next_to", "mug_1"]),
    ((), "explore", {"room": "unknown"}, ["explore", "unknown"]),
    ((), "done", {}, ["done"]),
]
REJECTED = [
    ((), "pick", {"object": "milk_0"}, Code.CONTAINER_CLOSED),
    ((HELD,), "pick", {"object": "apple_0"}, Code.HAND_FULL),
    ((HELD,), "open", {"receptacle": "fridge_0"}, Code.HAND_FULL),
    ((), "place", {"relation": "on", "receptacle": "desk_0"}, Code.HAND_EMPTY),
    ((HELD,), "place", {"relation": "in", "receptacle": "fridge_0"}, Code.CONTAINER_CLOSED),
    ((HELD,), "place", {"relation": "under", "receptacle": "desk_0"}, Code.UNKNOWN_TARGET),
    ((), "open", {"receptacle": "sofa_0"}, Code.NOT_INTERACTIVE),
    ((), "go_to", {"target": "moon"}, Code.UNKNOWN_TARGET),
    ((), "go_to", {"place": "kitchen"}, Code.UNKNOWN_TARGET),
    ((), "dance", {}, Code.UNKNOWN_ACTION),
    ((), "slice", {"object": "apple_0"}, Code.UNKNOWN_ACTION),
]


def after(graph, calls):
    for call in calls:
        graph = apply(graph, call)
    return graph


@pytest.mark.parametrize(("before", "action", "arguments", "call"), ACCEPTED)
def test_accepted(known, before, action, arguments, call):
    graph = after(known, before)
    found, reasoning = check(reply(action, **arguments), graph, feasible(graph))
    assert found.as_list() == call and reasoning == "so"
    assert SkillCall.from_list(call) == found
    assert allowed(schema(feasible(graph)), action, arguments)


@pytest.mark.parametrize(("before", "action", "arguments", "code"), REJECTED)
def test_rejected(known, before, action, arguments, code):
    graph = after(known, before)
    assert check(reply(action, **arguments), graph, feasible(graph)).code is code
    assert not allowed(schema(feasible(graph)), action, arguments)


def allowed(tree, action, arguments):
    """What a server that keeps to the schema could generate."""
    return any(form["properties"]["action"]["enum"] == [action]
               and form["properties"]["arguments"]["properties"].keys() == arguments.keys()
               and all(v in form["properties"]["arguments"]["properties"][k]["enum"] for k, v in arguments.items())
               for form in tree["anyOf"])


def test_reasoning_is_bounded_by_a_pattern(known):
    text = json.dumps(schema(feasible(known)))
    assert "maxLength" not in text
    assert re.match(REASONING, "The milk is in fridge_0, so open it.")
    assert not re.match(REASONING, "x" * 201) and not re.match(REASONING, 'say "no"\n')


def test_capabilities_bound_the_actions(known):
    assert {v.skill for v in feasible(known, ("go_to", "done"))} == {"go_to", "done"}


def small_world():
    """Five places and fifteen objects."""
    room = Entity("shop", Kind.ROOM, "room", polygon=((0, 0), (9, 0), (9, 9), (0, 9)))
    places = ["storage_rack", "fruit_table", "drinks_table", "toys_table", "shipping_table"]
    things = ["apple", "banana", "lemon", "plum", "strawberry", "water_bottle", "pepsi_can", "cola_can", "fenta_can",
              "sprite_can", "squirrel_toy", "shark_toy", "school_bus_toy", "duck_toy", "tea_box"]
    graph = WorldGraph([room, Entity("robot", Kind.AGENT, "robot", (1, 1, 0))])
    for i, name in enumerate(places):
        top = Surface("top", Pose2(i + 1.0, 2.0, 0.0), 0.7, (0.8, 0.8), 2.0)
        graph.put(Entity(name, Kind.FURNITURE, "table", (i + 1.0, 2.0, 0.0), surfaces=(top,)))
        graph.edges.add(Edge(name, Relation.IN_ROOM, "shop"))
    for i, name in enumerate(things):
        graph.put(Entity(f"{name}_0", Kind.OBJECT, name, attributes={"color": "red"}))
        graph.edges.add(Edge(f"{name}_0", Relation.ON, places[1 + i // 5], "top"))
    return graph


def tokens(text):
    """More than a byte-pair tokenizer of today makes of it: every word, digit, underscore and mark is one."""
    return len(re.findall(r"[A-Za-z]+|\d|[^\w\s]|_", text))


def prompt(history=()):
    turn = Turn("find lemon, apple and put it on a shipping table", small_world(), None, Situation(), tuple(history))
    return "\n".join(m["content"] for m in messages(turn, default_prompts(), BASE_CAPABILITIES, history=8,
                                                    max_words=300))


def test_the_first_prompt_is_no_longer_than_dadu_e_s():
    assert tokens(prompt()) <= 543


def test_the_prompt_does_not_grow_with_the_task():
    def steps(n):
        decision = Decision(SkillCall("go_to", ("fruit_table",)), "there", "vllm")
        return [Step(i + 1, decision, 0.0, result=SkillResult(Code.TOO_FAR, "too far away")) for i in range(n)]
    assert abs(len(prompt(steps(90))) - len(prompt(steps(20)))) < 10
