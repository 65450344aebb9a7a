"""Which door or drawer is meant, where a piece has several."""

from dataclasses import replace

import pytest

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.manipulation.articulate import choose_part
from dadu.robots import load_robot
from dadu.robots.body import Manipulator
from dadu.skills.scene import Scene


@pytest.mark.parametrize(("values", "chosen"), [
    ({"middle_drawer": 0.065}, "middle_drawer"), ({"bottom_drawer": 0.39}, "bottom_drawer")], ids=["ajar", "open"])
def test_what_is_closed_is_what_is_not_shut(values, chosen):
    robot = load_robot("stretch")
    observation = Observation(0.0, Pose2(1.4, 5.48, 0.0), joints={**robot.home, **robot.stow})
    graph = build_graph(load_house("small_flat"), known="all")
    parts = tuple(replace(p, value=values.get(p.name, 0.0)) for p in graph["dresser_0"].parts)
    graph.change("dresser_0", parts=parts)
    body = Manipulator.from_description(robot)
    part = choose_part(body, observation, Scene(graph=graph), "dresser_0", "", opening=False)
    assert part.name == chosen
