"""Too little seen to say where to stand: the robot goes nearer first."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.navigation.costmap import Costmap
from dadu.navigation.standing.base_placement import place_base
from dadu.planner.loop.skill_context import SkillContext
from dadu.robots import load_robot
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.scene import Scene
from dadu.stacks.standing import choose_base_pose, vantage
from dadu.world.occupancy import UNKNOWN, OccupancyMap

STRETCH = load_robot("stretch")
HOUSE = load_house("flat")
MAP = rasterize(HOUSE)
TARGET = "apple_0"


def mapped_up_to(distance):
    """The flat, but for the floor within `distance` [m] of the table with the apple."""
    graph = build_graph(HOUSE, known="all")
    box = graph[graph.support(TARGET).object].box
    grid = MAP.grid.copy()
    centres = MAP.centres(np.argwhere(grid > -2)).reshape(*grid.shape, 2)
    grid[box.away(centres) < distance] = UNKNOWN
    return Scene(graph=graph, map=OccupancyMap(grid, MAP.resolution, MAP.origin))


@pytest.fixture
def start():
    pose = place_base(Scene(graph=build_graph(HOUSE, known="all"), map=MAP), STRETCH, "sofa_0", "look")
    assert isinstance(pose, Pose2)
    return pose


def test_where_the_floor_was_not_seen_that_is_said_and_not_that_there_is_no_room(start):
    result = place_base(mapped_up_to(1.0), STRETCH, TARGET, "pick", start=start)
    assert (result.code, result.detail, result.target) == (Code.TOO_FAR, Detail.UNSEEN, TARGET)


def test_what_a_view_from_afar_shows_no_surface_of_is_to_be_looked_at():
    scene = mapped_up_to(0.0)
    scene.graph.change("sofa_0", surfaces=(), provenance="detection")
    result = place_base(scene, STRETCH, "sofa_0", "place", relation="on")
    assert (result.code, result.detail) == (Code.TOO_FAR, Detail.UNSEEN)


def test_the_way_leads_as_near_as_the_known_floor_allows(start):
    scene = mapped_up_to(1.0)
    pose, box = vantage(scene, STRETCH, TARGET, start), scene.graph[TARGET].box
    assert pose is not None and Costmap(scene.map, STRETCH).fits(pose)
    assert box.away(np.array(pose[:2])) < box.away(np.array(start[:2])) - 0.5
    heading = pose.yaw + STRETCH.arm_direction
    ahead = np.array(box.centre[:2]) - pose[:2]
    assert abs(math.remainder(math.atan2(ahead[1], ahead[0]) - heading, 2 * math.pi)) < 0.01


def test_who_is_as_near_as_that_goes_nowhere(start):
    scene = mapped_up_to(1.0)
    there = vantage(scene, STRETCH, TARGET, start)
    assert there is not None and vantage(scene, STRETCH, TARGET, there) is None
    assert vantage(replace(scene, map=None), STRETCH, TARGET, start) is None


def test_a_drive_that_only_leads_nearer_is_no_arrival(start):
    call = SkillCall("go_to", (TARGET,))
    skill_context = choose_base_pose(STRETCH, mapped_up_to(1.0), call, SkillContext("pick", start=start))
    assert isinstance(skill_context, SkillContext) and skill_context.nearer and skill_context.work is None
    arrived, blocked = SkillResult(Code.SUCCEEDED, "arrived"), SkillResult(Code.EXECUTION_FAILED, "no", "path_blocked")
    assert skill_context.came_nearer(arrived).detail == Detail.NEARER
    assert skill_context.came_nearer(blocked) == blocked
    assert replace(skill_context, nearer=False).came_nearer(arrived) == arrived
