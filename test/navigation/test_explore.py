from dataclasses import replace

import pytest
from stand_in_robot import Plane, StandIn

from dadu.core.geometry import Pose2
from dadu.navigation.costmap import Costmap
from dadu.navigation.explore import explore, nearest_first, viewpoints
from dadu.navigation.go_to import Drive
from dadu.robots import load_robot
from dadu.skills.generator import run
from dadu.skills.outcome import Code
from dadu.skills.scene import Scene
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

TABLE = (6.0, 3.0, 7.2, 4.0)


@pytest.fixture
def scene():
    plane = Plane.room(8, 4, [TABLE, (3.9, 0, 4.0, 1.5), (3.9, 2.6, 4.0, 4)])
    room = Entity("study", Kind.ROOM, "study", polygon=((0, 0), (4, 0), (4, 4), (0, 4)))
    other = Entity("hall", Kind.ROOM, "hall", polygon=((4, 0), (8, 0), (8, 4), (4, 4)))
    table = Entity("table_0", Kind.FURNITURE, "table", (6.6, 3.5, 0.0), -1.5708, (1.0, 1.2, 0.7))
    graph = WorldGraph([room, other, table], [Edge("table_0", Relation.IN_ROOM, "hall")])
    return plane, Scene(graph=graph, map=plane.occupancy())


def test_looks_around_from_the_room(scene):
    plane, scene = scene
    robot = StandIn(load_robot("stretch"), plane, Pose2(1, 2, 0))
    drive = Drive(Costmap(scene.map, robot.description))
    result = run(explore(robot.description, scene, "hall", drive), robot, robot.advance, timeout=120)
    assert (result.code, result.target) == (Code.SUCCEEDED, "hall")
    assert drive.viewpoints == 1
    assert scene.graph.room_at(robot.pose[:2]).id == "hall"
    assert not robot.collided


def test_unknown_means_what_was_seen_longest_ago(scene):
    plane, scene = scene
    scene.graph.put(replace(scene.graph["table_0"], id="desk_0", position=(1.0, 3.5, 0.0), stamp=50.0))
    robot = StandIn(load_robot("stretch"), plane, Pose2(1, 2, 0))
    result = run(explore(robot.description, scene, "unknown"), robot, robot.advance, timeout=120)
    assert result.target == "hall"


def test_names_the_rooms_there_are(scene):
    plane, scene = scene
    robot = StandIn(load_robot("stretch"), plane, Pose2(1, 2, 0))
    result = run(explore(robot.description, scene, "attic"), robot, robot.advance)
    assert result.code is Code.UNKNOWN_TARGET
    assert "study" in result.message


def test_from_where_it_stands_if_that_is_near_enough(scene):
    plane, scene = scene
    robot, hall = load_robot("stretch"), scene.graph["hall"]
    near, far = Pose2(5.2, 2, 0), Pose2(4.4, 0.6, 0)
    assert viewpoints(scene, robot, hall, near) == [near]
    assert viewpoints(scene, robot, hall, far)[0] == far and len(viewpoints(scene, robot, hall, far)) > 1
    assert near not in viewpoints(scene, robot, hall, Pose2(1, 2, 0)), "that is another room"


def test_viewpoints_are_visited_on_a_short_way():
    poses = [Pose2(5, 0, 0), Pose2(1, 0, 1), Pose2(9, 0, 0), Pose2(3, 0, 2)]
    assert nearest_first(Pose2(0, 0, 0), poses) == [poses[1], poses[3], poses[0], poses[2]]
    assert nearest_first(Pose2(10, 0, 0), poses) == [poses[2], poses[0], poses[3], poses[1]]
