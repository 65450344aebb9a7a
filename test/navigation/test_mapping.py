import math
from dataclasses import replace

import numpy as np
from stand_in_robot import Plane, StandIn

from dadu.core.geometry import Pose2, wrap
from dadu.navigation.costmap import Costmap
from dadu.navigation.explore import explore
from dadu.navigation.frontier import frontiers, next_frontier
from dadu.navigation.go_to import Drive
from dadu.navigation.localisation.mapping import Mapper, MappingLocaliser, MappingSettings
from dadu.navigation.survey import Survey
from dadu.robots import load_robot
from dadu.skills.generator import run
from dadu.skills.outcome import Code
from dadu.skills.scene import Scene
from dadu.world.occupancy import OccupancyMap

STRETCH = load_robot("stretch")
SMALL = MappingSettings(extent=16)


def two_rooms():
    return Plane.room(7, 4, [(3.4, 0, 3.5, 1.4), (3.4, 2.5, 3.5, 4), (5.5, 0.5, 6.2, 1.2)])


def test_one_scan_maps_what_it_sees_and_nothing_behind():
    robot = StandIn(STRETCH, two_rooms(), Pose2(1.5, 2.0, 0.0))
    mapper = Mapper(robot.pose, SMALL)
    mapper.insert(robot.scan(), robot.pose)
    mapper.draw()
    assert mapper.map.at((2.5, 1.0)) == 0 and mapper.map.at((1.5, 2.0)) == 0
    assert mapper.map.at((5.0, 3.5)) == -1, "hidden behind the wall"
    wall = mapper.map.centres(np.argwhere(mapper.map.grid == 100))
    walls = robot.plane.boxes
    outside = np.maximum(np.maximum(walls[:, :2] - wall[:, None], wall[:, None] - walls[:, 2:]), 0)
    assert np.linalg.norm(outside, axis=2).min(axis=1).max() < 0.06


def test_what_has_fallen_onto_the_base_is_no_obstacle():
    """It would go along, and bar the way from wherever the robot stands."""
    robot = StandIn(STRETCH, two_rooms(), Pose2(1.5, 2.0, 0.0))
    mapper, scan = Mapper(robot.pose, SMALL), robot.scan()
    ranges = scan.ranges.copy()
    ranges[:len(ranges) // 8] = 0.15
    mapper.insert(replace(scan, ranges=ranges), robot.pose)
    mapper.draw()
    near = mapper.map.centres(np.argwhere(mapper.map.grid == 100)) - robot.pose[:2]
    assert np.linalg.norm(near, axis=1).min() > 0.5


def test_frontiers_end_when_all_is_known():
    plane = two_rooms()
    known = plane.occupancy()
    assert frontiers(known) == []
    assert next_frontier(Costmap(known, STRETCH), Pose2(1, 2, 0), Survey()) is None
    half = known.grid.copy()
    half[:, 60:] = -1
    edge = OccupancyMap(half, known.resolution, known.origin)
    assert len(frontiers(edge)) == 1
    pose = next_frontier(Costmap(edge, STRETCH), Pose2(1, 2, 0), Survey())
    assert Costmap(edge, STRETCH).turns(pose) and abs(pose.yaw) < 0.6


def test_explores_and_maps_an_unknown_place_with_drifting_odometry():
    plane = two_rooms()
    robot = StandIn(STRETCH, plane, Pose2(1.5, 2.0, 0.3), noise=0.01)
    slam = MappingLocaliser(robot.pose, SMALL)
    odometry = [Pose2(0.0, 0.0, 0.0), robot.pose, -1.0]

    def localise():
        step = odometry[1].inverse() * robot.pose
        odometry[0] = odometry[0] * Pose2(1.02 * step.x, step.y, 1.02 * step.yaw)
        odometry[1] = robot.pose
        scan = robot.observe().scan
        if scan.stamp > odometry[2]:
            odometry[2] = scan.stamp
            slam.update(odometry[0], scan)
            scene.map = slam.map

    scene = Scene()
    localise()
    drive = Drive(Costmap(slam.map, STRETCH))

    def advance(dt):
        robot.advance(dt)
        localise()

    result = run(explore(STRETCH, scene, "unknown", drive), robot, advance, timeout=200)
    assert result.code is Code.SUCCEEDED and drive.viewpoints >= 1, result
    assert not robot.collided
    here = slam.map_odom * odometry[0]
    assert abs(wrap(here.yaw - robot.pose.yaw)) < math.radians(1.5)
    assert math.dist(here[:2], robot.pose[:2]) < 0.12  # where that angle leads over the five metres driven
    assert (slam.map.at([(1.0, 3.0), (5.0, 3.0), (4.5, 1.0), (6.5, 2.5)]) == 0).all()
