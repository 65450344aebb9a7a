"""The schema of a turn: what it allows follows the graph."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.planner.model.feasible import feasible, plan_items
from dadu.planner.model.schema import REASONING, check, schema
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import BASE_CAPABILITIES, SKILLS

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
    ((HELD,), "go_to", {"target": HELD.arguments[0]}, Code.HAND_FULL),
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
    found = check(reply(action, **arguments), graph, feasible(graph))
    assert found.call.as_list() == call and found.reasoning == "so"
    assert SkillCall.from_list(call) == found.call
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
    assert not re.match(REASONING, "x" * 121) and not re.match(REASONING, 'say "no"\n')


def test_capabilities_bound_the_actions(known):
    assert {v.skill for v in feasible(known, ("go_to", "done"))} == {"go_to", "done"}


AT_LEMON = Situation(at=("lemon_0", "pick"))
REACHED = [
    (Situation(), (), "pick", {"object": "lemon_0"}, Code.TOO_FAR),
    (Situation(), (), "open", {"receptacle": "fridge_0"}, Code.TOO_FAR),
    (Situation(), (HELD,), "place", {"relation": "on", "receptacle": "desk_0"}, Code.TOO_FAR),
    (Situation(), (), "go_to", {"target": "lemon_0"}, None),
    (Situation(), (), "explore", {"room": "unknown"}, None),
    (AT_LEMON, (), "pick", {"object": "lemon_0"}, None),
    (AT_LEMON, (), "open", {"receptacle": "fridge_0"}, Code.TOO_FAR),
    (Situation(at=("desk_0", "place")), (HELD,), "place", {"relation": "on", "receptacle": "desk_0"}, None),
    (Situation(at=("fridge_0", "open")), (OPEN,), "pick", {"object": "milk_0"}, None),
    (Situation(at=("milk_0", "open")), (), "open", {"receptacle": "fridge_0"}, None),
    (Situation(at=("kitchen", "look")), (), "pick", {"object": "lemon_0"}, Code.TOO_FAR),
]


@pytest.mark.parametrize(("situation", "before", "action", "arguments", "code"), REACHED)
def test_reach(far, situation, before, action, arguments, code):
    graph = after(far, before)
    variants = feasible(graph, situation=situation)
    found = check(reply(action, **arguments), graph, variants, situation)
    assert (found.code if isinstance(found, SkillResult) else None) is code
    assert allowed(schema(variants), action, arguments) is (code is None)


def test_what_is_near_is_in_reach_without_having_been_sent_there(known):
    x, y, _ = known["lemon_0"].position
    graph = known.copy()
    graph.change("robot", position=(x + 0.6, y, 0.0))
    assert any(v.skill == "pick" and "lemon_0" in v.arguments["object"] for v in feasible(graph, situation=Situation()))


@pytest.fixture
def far(known):
    """The robot stands where nothing is in reach."""
    graph = known.copy()
    graph.change("robot", position=(-50.0, -50.0, 0.0))
    return graph


ABLE = (*BASE_CAPABILITIES, "clean", "fill", "pour", "power_on", "power_off", "slice")


def test_states_can_be_changed_by_those_who_can(known):
    forms = {v.skill: v.arguments for v in feasible(after(known, (HELD,)), ABLE)}
    assert "lemon_0" in forms["slice"]["object"] and forms["pour"]["object"] == ("lemon_0",)
    assert "fridge_0" in forms["power_on"]["object"]
    assert not {"slice", "pour"} & {v.skill for v in feasible(known)}


def test_a_plan_may_hold_what_is_not_possible_yet_but_nothing_that_does_not_exist(known):
    items = plan_items(known)
    assert {"pick milk_0", "place in fridge_0", "place on desk_0", "open fridge_0", "done"} <= {*items}
    assert all(item.split()[0] in SKILLS and all(a in known or a in ("on", "in", "unknown") for a in item.split()[1:])
               for item in items)
    assert "place in desk_0" not in items
    assert schema(feasible(known), items)["anyOf"][0]["properties"]["plan"]["items"]["enum"] == list(items)


def test_steps_of_a_plan_that_cannot_be_read_are_left_out(known):
    plan = ["go_to lemon_0", "pick unicorn_0", "fly", "", "pick lemon_0 now", "place on desk_0", "done"]
    text = json.dumps({"reasoning": "so", "plan": plan, "action": "go_to", "arguments": {"target": "lemon_0"}})
    assert [str(c) for c in check(text, known, feasible(known)).plan] == [
        "go_to(lemon_0)", "place(on, desk_0)", "done()"]


@given(st.data())
def test_whatever_the_schema_allows_is_accepted_and_can_be_carried_out(known, data):
    """A model that keeps to the schema never names what does not exist, whatever it did before."""
    graph, situation = known, Situation()
    for _ in range(data.draw(st.integers(0, 6))):
        form = data.draw(st.sampled_from(schema(feasible(graph, situation=situation))["anyOf"]))["properties"]
        arguments = {k: data.draw(st.sampled_from(v["enum"])) for k, v in form["arguments"]["properties"].items()}
        text = reply(form["action"]["enum"][0], **arguments)
        call = check(text, graph, feasible(graph, situation=situation), situation).call
        assert SkillCall.from_list(call.as_list()) == call
        assert all(a in graph or a in ("on", "in", "next_to", "unknown") for a in call.arguments)
        situation.take(call, "look", SkillResult(Code.SUCCEEDED, ""))
        graph = apply(graph, call)
