import math

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.navigation.standing.base_placement import place_base
from dadu.robots import load_robot
from dadu.skills.scene import Scene
from dadu.stacks.standing import work_point

STRETCH = load_robot("stretch")
GRAPH = build_graph(load_house("flat"), known="all")
SCENE = Scene(graph=GRAPH)


@pytest.fixture(scope="module")
def charted():
    from dadu.house.rasterize import rasterize
    return Scene(graph=GRAPH, map=rasterize(load_house("flat")))


def test_what_is_picked_is_where_it_is():
    assert work_point(SCENE, STRETCH, Pose2(0, 0, 0), "milk_0", "pick") == GRAPH["milk_0"].position


@pytest.mark.parametrize("purpose", ["open", "close"])
def test_a_part_is_moved_by_its_handle(purpose):
    assert work_point(SCENE, STRETCH, Pose2(0, 0, 0), "fridge_0", purpose) == GRAPH["fridge_0"].parts[0].handle


def test_of_a_pair_of_doors_the_one_that_is_meant():
    for part in GRAPH["wardrobe_0"].parts:
        assert work_point(SCENE, STRETCH, Pose2(0, 0, 0), "wardrobe_0", "open", part=part.name) == part.handle


def test_what_is_put_down_goes_over_the_surface_before_the_arm(charted):
    stance = place_base(charted, STRETCH, "dining_table_0", "place", relation="on")
    x, y, z = work_point(charted, STRETCH, stance, "dining_table_0", "place", relation="on")
    surface = GRAPH["dining_table_0"].surfaces[0]
    assert surface.height < z < surface.height + 0.2
    assert (np.abs(surface.pose.inverse().apply((x, y))) <= np.array(surface.size) / 2).all()
    assert math.dist((x, y), stance[:2]) < STRETCH.reach[1]


@pytest.mark.parametrize(("target", "purpose"), [("dining_table_0", "look"), ("sofa_0", "open"), ("nothing_7", "pick")])
def test_elsewhere_there_is_none(target, purpose):
    assert work_point(SCENE, STRETCH, Pose2(0, 0, 0), target, purpose) is None
