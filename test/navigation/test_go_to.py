import math
from dataclasses import replace

import numpy as np
import pytest
from stand_in_robot import Plane, StandIn

from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import Command
from dadu.navigation.costmap import Costmap
from dadu.navigation.explore import explore
from dadu.navigation.go_to import go_to
from dadu.navigation.path_planner import NoPath
from dadu.navigation.route import plan_route
from dadu.navigation.standing.open_parts import open_parts
from dadu.robots import load_robot
from dadu.robots.own_hits import COVERED, mask_own_hits
from dadu.skills.generator import run
from dadu.skills.outcome import Code, Detail
from dadu.skills.scene import Scene
from dadu.world.graph import Articulation, Entity, Kind, WorldGraph


@pytest.fixture(scope="module")
def stretch():
    return load_robot("stretch")


def random_room(seed):
    """A room of 6 x 5 m with 5 boxes, and free poses in it that are connected."""
    random = np.random.default_rng(seed)
    boxes = []
    for _ in range(5):
        x, y, w, h = *random.uniform((0.3, 0.3), (5, 4)), *random.uniform(0.2, 1.0, 2)
        boxes.append((x, y, min(x + w, 5.9), min(y + h, 4.9)))
    return Plane.room(6, 5, boxes), random


def free_pose(costmap, random):
    while True:
        pose = Pose2(*random.uniform((0.5, 0.5), (5.5, 4.5)), random.uniform(-3, 3))
        if costmap.turns(pose):
            return pose


def check_limits(robot, description, dt=0.05):
    v = np.array([(t.vx, t.wz) for t in robot.twists])
    assert (np.abs(v) <= np.array([description.max_speed.vx, description.max_speed.wz]) + 1e-6).all()


@pytest.mark.parametrize("seed", range(6))
def test_arrives_without_touching_anything(stretch, seed):
    plane, random = random_room(seed)
    scene = Scene(map=plane.occupancy())
    costmap = Costmap(scene.map, stretch)
    robot = StandIn(stretch, plane, free_pose(costmap, random), noise=0.01, seed=seed)
    goal = free_pose(costmap, random)
    result = run(go_to(stretch, scene, goal), robot, robot.advance, timeout=120)
    assert result.code is Code.SUCCEEDED, result
    assert math.dist(robot.pose[:2], goal[:2]) < 0.02
    assert abs(wrap(robot.pose.yaw - goal.yaw)) < math.radians(2)
    assert not robot.collided
    check_limits(robot, stretch)


def test_goes_around_a_box_that_is_not_on_the_map(stretch):
    plane = Plane.room(6, 4)
    scene = Scene(map=plane.occupancy())
    plane.boxes = np.vstack([plane.boxes, (2.8, 1.0, 3.2, 3.0)])
    robot = StandIn(stretch, plane, Pose2(1, 2, 0))
    result = run(go_to(stretch, scene, Pose2(5, 2, 0)), robot, robot.advance, timeout=120)
    assert result.code is Code.SUCCEEDED, result
    assert not robot.collided


def test_waits_for_a_box_in_the_door_to_go_away(stretch):
    walls = [(2.9, 0, 3.1, 1.5), (2.9, 2.5, 3.1, 4)]
    plane = Plane.room(6, 4, walls)
    scene = Scene(map=plane.occupancy())
    free = plane.boxes
    plane.boxes = np.vstack([free, (2.8, 1.6, 3.2, 2.4)])
    robot = StandIn(stretch, plane, Pose2(1, 2, 0))

    def advance(dt):
        robot.advance(dt)
        if robot.time > 12:
            plane.boxes = free

    result = run(go_to(stretch, scene, Pose2(5, 2, 0)), robot, advance, timeout=120)
    assert result.code is Code.SUCCEEDED, result
    assert not robot.collided


def test_says_so_when_the_way_stays_blocked(stretch):
    plane = Plane.room(6, 4, [(2.9, 0, 3.1, 4)])
    scene = Scene(map=plane.occupancy())
    robot = StandIn(stretch, plane, Pose2(1, 2, 0))
    result = run(go_to(stretch, scene, Pose2(5, 2, 0)), robot, robot.advance, timeout=120)
    assert (result.code, result.detail) == (Code.EXECUTION_FAILED, Detail.PATH_BLOCKED)
    assert not robot.collided


def test_leaves_and_parks_straight_where_there_is_no_room_to_turn(stretch):
    boxes = [(0, 0, 0.8, 1.6), (1.3, 0, 2.1, 1.6), (4, 2.4, 6, 2.8), (4, 3.3, 6, 4)]
    plane = Plane.room(6, 4, boxes)
    scene = Scene(map=plane.occupancy())
    robot = StandIn(stretch, plane, Pose2(1.05, 1.0, -math.pi / 2))
    goal = Pose2(4.6, 3.05, 0.0)
    result = run(go_to(stretch, scene, goal), robot, robot.advance, timeout=120)
    assert result.code is Code.SUCCEEDED, result
    assert math.dist(robot.pose[:2], goal[:2]) < 0.03
    assert not robot.collided


def test_leaves_although_a_door_is_said_to_stand_where_it_is(stretch):
    """Memory has open doors a few centimetres off; here at the corner of a base that stands free."""
    plane = Plane.room(6, 4)
    leaf = Articulation("door", "hinge", (1.3, 2.25, 0.5), (0.0, 0.0, -1.0), (1.26, 1.75, 0.5), (0.0, 0.0, 1.0),
                        (-1.0, 0.0, 0.0), range=1.7, value=1.5)
    cupboard = Entity("cupboard_0", Kind.FURNITURE, "cupboard", (1.5, 2.0, 0.5), size=(0.4, 0.6, 1.0), parts=(leaf,))
    scene = Scene(WorldGraph([cupboard]), map=plane.occupancy())
    start = Pose2(1.0, 2.1, 0.0)
    costmap = Costmap(scene.map, stretch)
    costmap.block(open_parts(scene.graph))
    assert costmap.collisions(start) > 0
    robot = StandIn(stretch, plane, start)
    result = run(go_to(stretch, scene, Pose2(4, 2, 0)), robot, robot.advance, timeout=120)
    assert result.code is Code.SUCCEEDED, result


def test_drives_by_what_is_seen_where_a_door_as_remembered_leaves_no_way(stretch):
    """Memory has a door open across the only passage; there is none."""
    plane = Plane.room(6, 4, [(2.0, 0.0, 3.0, 1.5), (2.0, 2.5, 3.0, 4.0)])
    leaf = Articulation("door", "hinge", (2.1, 2.5, 0.5), (0.0, 0.0, -1.0), (2.95, 2.48, 0.5), (0.0, -1.0, 0.0),
                        (1.0, 0.0, 0.0), range=1.7, value=1.57)
    cupboard = Entity("cupboard_0", Kind.FURNITURE, "cupboard", (2.5, 2.8, 0.5), size=(0.9, 0.6, 1.0), parts=(leaf,))
    scene, start, goal = Scene(WorldGraph([cupboard]), map=plane.occupancy()), Pose2(1, 2, 0), Pose2(4.5, 2, 0)
    costmap = Costmap(scene.map, stretch)
    costmap.block(open_parts(scene.graph))
    with pytest.raises(NoPath):
        plan_route(costmap, start, goal)
    robot = StandIn(stretch, plane, start)
    result = run(go_to(stretch, scene, goal), robot, robot.advance, timeout=120)
    assert result.ok and not robot.collided


def test_folds_the_arm_first(stretch):
    plane = Plane.room(4, 4)
    robot = StandIn(stretch, plane, Pose2(1, 2, 0))
    robot.joints["wrist_extension"] = 0.4
    result = run(go_to(stretch, Scene(map=plane.occupancy()), Pose2(2, 2, 0)), robot, robot.advance)
    assert result.ok
    assert robot.joints["wrist_extension"] == 0.0


def test_without_a_map(stretch):
    robot = StandIn(stretch, Plane.room(4, 4), Pose2(1, 2, 0))
    assert run(go_to(stretch, Scene(), Pose2(2, 2, 0)), robot, robot.advance).code is Code.UNREACHABLE_BACKEND


def test_where_others_look_for_themselves_the_head_is_turned_and_no_time_spent(stretch):
    plane, took, robots = Plane.room(4, 4), {}, {}
    for look in (None, ()):
        robot = robots[look] = StandIn(stretch, plane, Pose2(1, 2, 0))
        assert run(go_to(stretch, Scene(map=plane.occupancy()), Pose2(2.5, 2, 1.5), look=look), robot, robot.advance).ok
        took[look] = robot.time
    assert took[()] < took[None] - 1.0
    assert robots[()].joints["joint_head_pan"] == pytest.approx(stretch.arm_direction, abs=0.1)


class Late(StandIn):
    """Acts a tick late."""

    waiting = Command()

    def act(self, command):
        super().act(self.waiting)
        self.waiting = command


@pytest.mark.parametrize("period", [0.1, 0.25, 0.4])
def test_a_slow_loop_overshoots_nothing(stretch, period):
    plane = Plane.room(6, 4)
    robot = Late(stretch, plane, Pose2(1, 2, 0))
    result = run(go_to(stretch, Scene(map=plane.occupancy()), Pose2(4.5, 2, 1.5)), robot, robot.advance, period=period)
    assert result.ok
    x, _, yaw = np.array(robot.path).max(axis=0)
    assert x < 4.53
    assert yaw < 1.5 + math.radians(2)
    assert robot.time < 25


@pytest.mark.parametrize("skill", [lambda robot, scene: go_to(robot, scene, Pose2(3, 2, 0)),
                                   lambda robot, scene: explore(robot, scene, "unknown")], ids=["go_to", "explore"])
def test_who_sees_nothing_but_itself_does_not_drive(stretch, skill):
    class Covered(StandIn):
        def observe(self):
            seen = super().observe()
            scan = replace(seen.scan, ranges=np.full(360, 0.06, np.float32))
            return replace(seen, scan=mask_own_hits(scan, stretch.footprint))

    robot = Covered(stretch, Plane.room(6, 4), Pose2(1, 2, 0))
    result = run(skill(stretch, Scene(map=robot.plane.occupancy())), robot, robot.advance)
    assert (result.code, result.message) == (Code.UNREACHABLE_BACKEND, COVERED)
    assert robot.pose == Pose2(1, 2, 0)


class Behind(StandIn):
    """Knows where it was `lag` ticks ago, as where a busy machine holds odometry up."""

    lag = 0

    def observe(self):
        past = [*self.lag * [Pose2(1, 2, 0)], *self.path, self.pose]
        return replace(super().observe(), base_pose=past[-1 - self.lag])


@pytest.mark.parametrize("lag", [4, 6, 8, 10])
@pytest.mark.parametrize("yaw", [1.5, -2.5])
def test_a_robot_that_hears_late_where_it_is_ends_up_where_it_says(stretch, lag, yaw):
    robot = Behind(stretch, Plane.room(6, 4), Pose2(1, 2, 0))
    robot.lag = lag
    result = run(go_to(stretch, Scene(map=robot.plane.occupancy()), Pose2(3.0, 2, yaw)), robot, robot.advance)
    assert result.ok and robot.time < 60
    assert math.dist(robot.pose[:2], (3.0, 2.0)) < 0.035 and abs(wrap(robot.pose.yaw - yaw)) < 0.06


@pytest.mark.parametrize(("part", "freed"), [("x", 0.05), ("x", -0.05), ("yaw", 0.2), ("yaw", -0.2)],
                         ids=["ahead", "behind", "to the left", "to the right"])
def test_an_arm_that_cannot_be_folded_here_is_folded_a_little_further_on(stretch, part, freed):
    """The wrist is caught in something until the base has moved by `freed` [m or rad]."""
    start = Pose2(2.0, 2.0, 0.0)

    class Caught(StandIn):
        def act(self, command):
            super().act(command)
            moved = getattr(self.pose, part) - getattr(start, part)
            if not (moved > freed > 0 or moved < freed < 0 or self.loose):
                self.joints["joint_wrist_yaw"] = 0.5
            else:
                self.loose = True

    robot = Caught(stretch, Plane.room(6, 4), start)
    robot.loose = False
    robot.joints["joint_wrist_yaw"] = 0.5
    result = run(go_to(stretch, Scene(map=robot.plane.occupancy()), Pose2(4.0, 2.0, 0.0)), robot, robot.advance,
                 timeout=120)
    assert result.ok and robot.loose and not robot.collided
    assert robot.joints["joint_wrist_yaw"] == stretch.stow["joint_wrist_yaw"]


def test_a_goal_that_is_missed_again_and_again_is_not_chased_for_ever(stretch):
    """Each turn on the spot shifts the pose by 5 cm, as a map does that is being made."""

    class Shifting(StandIn):
        def observe(self):
            x, y, yaw = self.pose
            return replace(super().observe(), base_pose=Pose2(x + 0.05 * math.sin(5 * yaw), y, yaw))

    robot = Shifting(stretch, Plane.room(6, 4), Pose2(2.0, 2.0, 0.0))
    result = run(go_to(stretch, Scene(map=robot.plane.occupancy()), Pose2(4.0, 2.5, 1.0)), robot, robot.advance,
                 timeout=120)
    assert result.code in (Code.SUCCEEDED, Code.EXECUTION_FAILED) and robot.time < 100.0


def test_a_base_that_does_not_move_is_noticed(stretch):
    class Stuck(StandIn):
        def advance(self, dt):
            here = self.pose
            super().advance(dt)
            self.pose = here

    robot = Stuck(stretch, Plane.room(6, 4), Pose2(2.0, 2.0, 0.0))
    result = run(go_to(stretch, Scene(map=robot.plane.occupancy()), Pose2(4.0, 2.0, 0.0)), robot, robot.advance,
                 timeout=200)
    assert (result.code, result.detail) == (Code.EXECUTION_FAILED, Detail.PATH_BLOCKED)
