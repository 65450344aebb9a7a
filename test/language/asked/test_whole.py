"""The tasks of ``papers*.yaml`` carried out whole in the oracle, by somebody who can do everything and knows only rooms
and furniture: where everything is in the end, by the ground truth."""

import pytest
from asked_cases import STATES, cases, every, house_and_graph, meant

from dadu.goals.predicates.table import PREDICATES
from dadu.goals.predicates.truth_view import TruthView
from dadu.skills.outcome import Detail
from dadu.stacks.oracle import OracleStack
from dadu.world.state import TrueWorld

CASES = every(4, cases("papers*"), first=1)
"""some of those that are not planned in test_asked.py; all of them take two minutes"""
FULL = ("Take the newspaper and the remote control from the coffee table", "Wash the plate that is in the sink",
        "There is a sink and no dishwasher, how to wash the dirty plate",
        "Let's clean up the living room before the guests arrive.")
"""where there is no room for what is asked for, which is said"""


def holders(world):
    return {id: "hand" if thing.support.relation.value == "held_by" else thing.support.holder
            for id, thing in world.things.items()}


@pytest.mark.parametrize("house, instruction, expected", CASES)
def test_it_is_carried_out(house, instruction, expected):
    house, graph = house_and_graph(house)
    agent = OracleStack(house, known="layout", person=True).person
    before = holders(agent.world)
    report = agent.do(instruction)
    after = holders(agent.world)
    moved, touched = {id: place for id, place in after.items() if place != before[id]}, set()
    if expected == "refused":
        assert not report.success and not moved
        return
    if instruction.startswith(FULL):
        assert not report.success and Detail.NO_FREE_SPACE in {step.result.detail for step in report.steps}
        return
    assert report.success, report.summary
    for item in expected:
        first, _, places = item.partition(" > ")
        if places:
            fitting = [id for id in meant(first, graph) if after.get(id) in places.split("|")]
            assert fitting, (item, moved)
            moved.pop(next((id for id in fitting if id in moved), ""), None)
        elif first.startswith("at "):
            assert not report.steps or any(set(s.call.arguments) & set(first[3:].split("|")) for s in report.steps)
        else:
            state, things = first.split(" ")
            view, so = TruthView(TrueWorld(graph, agent.truth())), PREDICATES[STATES[state]]
            assert any(so.answer(view, id) for id in meant(things, graph)), item
            touched |= meant(things, graph)
    assert moved.keys() <= touched, moved
