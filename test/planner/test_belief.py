"""What is believed until memory has heard of an outcome."""

from dataclasses import replace

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.planner.loop.belief import Belief
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult

DRAWERS = ("top_drawer", "middle_drawer", "bottom_drawer")


def dresser(**values):
    graph = build_graph(load_house("small_flat"), known="all")
    parts = tuple(replace(p, value=values.get(p.name, 0.0)) for p in graph["dresser_0"].parts)
    graph.change("dresser_0", parts=parts, stamp=1.0)
    return graph


def test_a_drawer_that_was_closed_says_nothing_of_the_others():
    """Found by `dadu chaos`: the top one was shut already, and so the dresser was told as closed, the next one ajar."""
    belief = Belief()
    closed = SkillResult(Code.SUCCEEDED, "", target="dresser_0/top_drawer")
    belief.learn(SkillCall("close", ("dresser_0",)), closed, 2.0)
    parts = belief.graph(dresser(top_drawer=0.39, middle_drawer=0.065))["dresser_0"].parts
    assert {p.name: p.value for p in parts} == dict(zip(DRAWERS, (0.0, 0.065, 0.0)))
