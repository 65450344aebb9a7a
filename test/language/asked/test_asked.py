"""What people ask for in the manner of the papers (DaDu-E's store, OVMM, RoboGPT, EMMOE, PARTNR, wishes), planned with
everything known: what the YAML files here say must come of it. Whatever else is moved is wrong."""

import pytest
from asked_cases import STATES, cases, every, house_and_graph, meant

from dadu.stacks.offline import plan_offline

CASES = every(1, cases("[!p]*")) + every(3, cases("papers*"))
"""a third of the papers', to keep the suite short; others are carried out whole, see test_whole.py"""


def carried(plan):
    """Where everything ends up that is picked: furniture by object; ``hand`` for what is still held."""
    where, held = {}, None
    for skill, *arguments in plan:
        if skill == "pick":
            held = arguments[0]
            where[held] = "hand"
        elif skill == "place":
            where[held] = arguments[1]
    return where


@pytest.mark.parametrize("house, instruction, expected", CASES)
def test_it_is_understood(house, instruction, expected):
    house, graph = house_and_graph(house)
    planned = plan_offline(instruction, house, "all")
    if expected == "refused":
        assert planned["refused"]
        return
    assert planned["refused"] is None
    where, touched = carried(planned["plan"]), set()
    asked = [(name, set(terms[0])) for p in planned["goal"]["propositions"] for name, terms in p.items()
             if name.startswith("is_")]
    for item in expected:
        first, _, places = item.partition(" > ")
        if places:
            fitting = [o for o in where if o in meant(first, graph) and where[o] in places.split("|")]
            assert fitting, (item, where)
            del where[fitting[0]]
        elif first.startswith("at "):
            assert any(s in ("go_to", "power_on", "power_off") and a in first[3:].split("|")
                       for s, a, *_ in (step for step in planned["plan"] if len(step) > 1))
        else:
            state, things = first.split(" ")
            assert any(name == STATES[state] and ids & meant(things, graph) for name, ids in asked), (item, asked)
            touched |= meant(things, graph)
    assert where.keys() <= touched, where
