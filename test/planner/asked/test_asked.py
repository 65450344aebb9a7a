"""What people ask for in the manner of the papers (DaDu-E's store, OVMM, RoboGPT, EMMOE, wishes), and what must come of
it: the YAML files here say for each instruction which things end up where. Whatever else is moved is wrong."""

import re
from functools import cache
from pathlib import Path

import pytest

from dadu.config import read_yaml
from dadu.memory.graph import Kind
from dadu.planner.offline import plan_offline
from dadu.planner.vocabulary import default_vocabulary
from dadu.sim.generate.home import generate_home
from dadu.sim.house import load_house
from dadu.sim.layout import build_graph

CASES = [(house, *case) for path in sorted(Path(__file__).parent.glob("*.yaml"))
         for house, cases in read_yaml(path).items() for case in cases.items()]
HOUSES = Path(__file__).parents[1] / "houses"
STATES = {"hot": "is_hot", "cold": "is_cold", "clean": "is_clean", "sliced": "is_sliced", "filled": "is_filled",
          "on": "is_powered_on", "off": "is_powered_off", "open": "is_open", "closed": "is_closed"}


@cache
def house_and_graph(name):
    made = re.match(r"seed (\d+), rooms (\d+)", name)
    own = HOUSES / f"{name}.house.yaml"
    house = generate_home(int(made[1]), rooms=int(made[2])) if made else load_house(own if own.exists() else name)
    return house, build_graph(house, "all")


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


def meant(words, graph):
    """``apple_0|*fruit``: ids, and all that is of a kind."""
    kinds = [w[1:] for w in words.split("|") if w.startswith("*")]
    vocabulary = default_vocabulary().extended(graph)
    of_kind = {e.id for e in graph.of(Kind.OBJECT) for kind in kinds if vocabulary.is_a(e.category, kind)}
    return set(words.split("|")) | of_kind


@pytest.mark.parametrize("house, instruction, expected", CASES, ids=[c[1][:60] for c in CASES])
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
