"""What skills are expected to do, where that is more than it seems."""

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply


def after(graph, *calls):
    for skill, *arguments in calls:
        graph = apply(graph, SkillCall(skill, tuple(arguments)))
    return graph


def test_an_oven_that_is_on_heats_only_once_it_is_shut():
    graph = build_graph(load_house("apartment"), "all")
    on = after(graph, ("power_on", "microwave_0"), ("open", "microwave_0"), ("pick", "bread_0"),
               ("place", "in", "microwave_0"))
    assert not on["bread_0"].states.get("is_hot")
    assert after(on, ("close", "microwave_0"))["bread_0"].states["is_hot"]
