"""Bases that drive sideways, and one that stands still."""

import math

import numpy as np
import pytest
import yaml
from stand_in_robot import Plane, StandIn

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import Twist
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.navigation.costmap import Costmap
from dadu.navigation.go_to import go_to
from dadu.navigation.manoeuvre import turning_place_path
from dadu.navigation.route import plan_route
from dadu.navigation.standing.base_placement import place_base
from dadu.operator.arbiter import Arbiter
from dadu.operator.keyboard import KeyboardDriver
from dadu.robots import load_robot
from dadu.robots.loader import robots_directory
from dadu.skills.generator import run
from dadu.skills.outcome import Code
from dadu.skills.scene import Scene

OMNI, FIXED = load_robot("stretch4"), load_robot("ur3_table")
BOXES = [(2.5, 1.2, 3.2, 2.6), (4.0, 2.0, 4.6, 3.4)]


@pytest.mark.parametrize("goal", [Pose2(5.2, 3.2, 2.0), Pose2(1.0, 1.45, 0.3), Pose2(3.6, 3.3, -1.5)])
def test_an_omnidirectional_base_arrives_without_touching_anything(goal):
    plane = Plane.room(6, 4, BOXES)
    robot = StandIn(OMNI, plane, Pose2(1, 1, 0))
    result = run(go_to(OMNI, Scene(map=plane.occupancy()), goal), robot, robot.advance, timeout=60)
    assert result.code is Code.SUCCEEDED, result
    assert math.dist(robot.pose[:2], goal[:2]) < 0.03 and abs(wrap(robot.pose.yaw - goal.yaw)) < 0.05
    assert not robot.collided
    assert all(abs(twist.vy) <= OMNI.max_speed.vy + 1e-6 for twist in robot.twists)


def test_it_goes_straight_to_a_place_beside_it():
    plane = Plane.room(4, 4)
    start, goal = Pose2(2, 2, 0), Pose2(2, 2.4, 0)
    route = plan_route(Costmap(plane.occupancy(), OMNI), start, goal)
    assert len(route) == 1 and route[0].straight
    robot = StandIn(OMNI, plane, start)
    assert run(go_to(OMNI, Scene(map=plane.occupancy()), goal), robot, robot.advance, timeout=30).ok
    assert max(abs(twist.wz) for twist in robot.twists) < 0.1, "it did not have to turn"


def test_it_leaves_a_gap_sideways():
    long = np.array([[-0.36, -0.2], [0.36, -0.2], [0.36, 0.2], [-0.36, 0.2]])
    costmap = Costmap(Plane.room(4, 4, [(0, 0, 1.6, 2.0), (2.4, 0, 4, 2.0)]).occupancy(), OMNI)
    costmap.footprint = type(costmap.footprint)(long, costmap.map.resolution / 2)
    way = turning_place_path(costmap, Pose2(2.0, 1.4, 0.0))
    assert way and costmap.turns(way[-1]) and (way[0].inverse() * way[1]).y > 0.3


def test_a_fixed_base_stands_where_it_stands():
    house = load_house("flat")
    graph = build_graph(house, known="all")
    scene = Scene(graph=graph, map=rasterize(house))
    lemon = graph["lemon_0"].position
    beside = Pose2(lemon[0] + 0.11, lemon[1] + 0.6, 0.0)
    assert place_base(scene, FIXED, "lemon_0", "pick", start=beside) == beside
    refused = place_base(scene, FIXED, "mug_0", "pick", start=beside)
    assert refused.code is Code.TOO_FAR and "fixed" in refused.message
    robot = StandIn(FIXED, Plane.room(4, 4), Pose2(2, 2, 0))
    away = run(go_to(FIXED, Scene(map=Plane.room(4, 4).occupancy()), Pose2(3, 3, 0)), robot, robot.advance, timeout=10)
    assert away.code is Code.TOO_FAR and robot.pose == Pose2(2, 2, 0)


@pytest.mark.parametrize("robot, change, says", [
    ("stretch4", {"base": {}}, "kind omnidirectional"), ("stretch4", {"max_speed": None}, "max_speed is missing"),
    ("ur3_table", {"max_speed": {"vx": 0.1, "wz": 0.1}}, "base.kind is fixed"),
    ("stretch4", {"max_speed": {"vx": 0.4, "wz": 1.0}}, "needs one"),
    ("stretch4", {"base": {"kind": "tracks"}}, "fixed")])
def test_what_a_description_says_of_its_base_is_checked(tmp_path, robot, change, says):
    content = yaml.safe_load((robots_directory() / f"{robot}.yaml").read_text()) | change
    path = tmp_path / "body.yaml"
    path.write_text(yaml.safe_dump(content | {"urdf": str(robots_directory() / f"{robot}.urdf")}))
    with pytest.raises(ConfigError, match=says):
        load_robot(path)


def test_keys_drive_sideways_what_can():
    driver = KeyboardDriver(Twist(vx=0.2, wz=0.6, vy=0.2))
    driver.press("z", 1.0)
    wanted = driver.twist(1.1)
    assert wanted == Twist(vy=0.2)
    assert Arbiter(OMNI.max_speed).limit(wanted) == wanted
    for robot in (load_robot("ur3"), FIXED):
        assert Arbiter(robot.max_speed).limit(wanted) == Twist()
