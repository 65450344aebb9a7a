"""Robots that meet, without a word between them, and people who walk about."""
import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stand_in_robot import Plane, StandIn

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.navigation.costmap import Costmap
from dadu.navigation.footprint import Footprint
from dadu.navigation.go_to import Drive, go_to
from dadu.robots import load_robot
from dadu.skills.generator import SkillRunner
from dadu.skills.scene import Scene

TICK = 0.1
MAST = np.array((-0.07, 0.135))  # all that a laser meets of a Stretch [m, base_link]


@pytest.fixture(scope="module")
def stretch():
    return load_robot("stretch")


class Meeting:
    """Stretches on one plane, each of which sees no more than the masts of the others."""

    def __init__(self, stretch, boxes, size, drives):
        """`drives`: start and goal of each."""
        self.body = Footprint(stretch.footprint, 0.05)
        self.static = Plane.room(*size, boxes)
        self.robots, self.runners = [], []
        for rank, (start, goal) in enumerate(drives):
            plane = Plane(self.static.boxes, size)
            map = self.static.occupancy()
            self.robots.append(StandIn(stretch, plane, start, noise=0.01, seed=rank))
            drive = Drive(Costmap(map, stretch), rank=rank)
            self.runners.append(SkillRunner(go_to(stretch, Scene(map=map), goal, drive, look=())))
        self.nearest = math.inf
        self.time = 0.0

    def run(self, timeout=150.0):
        while self.time < timeout and any(runner.result is None for runner in self.runners):
            self._see_each_other()
            for robot, runner in zip(self.robots, self.runners, strict=True):
                command = runner.tick(robot.observe())
                if command is not None:
                    robot.act(command)
                robot.advance(TICK)
            self.time += TICK
            self._measure()
        return [runner.result is not None and runner.result.ok for runner in self.runners]

    def _see_each_other(self):
        masts = [robot.pose.apply(MAST) for robot in self.robots]
        for i, robot in enumerate(self.robots):
            others = [(*(m - 0.04), *(m + 0.04)) for j, m in enumerate(masts) if j != i]
            robot.plane.boxes = np.vstack([self.static.boxes, *others])

    def _measure(self):
        """Of outlines: samples of one in the frame of the other, to whose rectangle distances are exact."""
        low, high = self.body.polygon.min(axis=0), self.body.polygon.max(axis=0)
        for a, b in permutations(self.robots, 2):
            points = a.pose.inverse().apply(self.body.at(np.array(b.pose)))
            outside = np.maximum(np.maximum(low - points, points - high), 0)
            self.nearest = min(self.nearest, float(np.hypot(*outside.T).min()))


    def nearest_to(self, point):
        """[m] from the outline of the first robot"""
        low, high = self.body.polygon.min(axis=0), self.body.polygon.max(axis=0)
        local = self.robots[0].pose.inverse().apply(np.array(point))
        return float(np.hypot(*np.maximum(np.maximum(low - local, local - high), 0)))


def random_door(stretch, seed):
    """A door 0.8 to 1.0 m wide in a wall, or a corridor as wide, and two robots that change sides; for odd seeds each
    to beside where the other begins."""
    random = np.random.default_rng(seed)
    width, height = 6.5, 4.0
    y, wide, thick = random.uniform(0.6, height - 1.5), random.uniform(0.8, 1.0), random.uniform(0.1, 1.5)
    x = random.uniform(2.4, 3.6 - thick / 2)
    boxes = [(x, 0, x + thick, y), (x, y + wide, x + thick, height)]
    costmap = Costmap(Plane.room(width, height, boxes).occupancy(), stretch)

    def free(low, high, other=None):
        while True:
            pose = Pose2(*(float(v) for v in random.uniform((low, 0.4, -3), (high, height - 0.4, 3))))
            if costmap.turns(pose, 0.05) and (other is None or math.dist(pose[:2], other[:2]) > 1.2):
                return pose

    left, right = (0.4, x - 0.4), (x + thick + 0.4, width - 0.4)
    a, b = free(*left), free(*right)
    beside = (b, a) if seed % 2 else (None, None)
    return boxes, (width, height), [(a, free(*right, beside[0])), (b, free(*left, beside[1]))]


DOOR = [(2.9, 0, 3.1, 1.55), (2.9, 2.45, 3.1, 4)]


def test_two_robots_pass_in_a_door_with_room_for_one(stretch):
    meeting = Meeting(stretch, DOOR, (6, 4), [(Pose2(1.4, 2, 0), Pose2(4.8, 2.4, 0)),
                                              (Pose2(4.6, 2, math.pi), Pose2(1.2, 1.6, math.pi))])
    assert all(meeting.run())
    assert meeting.nearest > 0.05


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(12))
def test_two_robots_pass_wherever_there_is_room_for_one(stretch, seed):
    meeting = Meeting(stretch, *random_door(stretch, seed))
    assert all(meeting.run()), [runner.result for runner in meeting.runners]
    assert meeting.nearest > 0.05


class Walker:
    """Somebody who walks straight on, unless somebody stands before them."""

    def __init__(self, meeting, start, end, speed):
        self.meeting, self.at, self.end, self.speed = meeting, np.array(start, float), np.array(end, float), speed

    def step(self):
        left = self.end - self.at
        there = self.at + left * min(1.0, self.speed * TICK / max(1e-9, float(np.linalg.norm(left))))
        before, after = (self.meeting.nearest_to(point) for point in (self.at, there))
        if after > 0.35 or after > before:
            self.at = there
        plane = self.meeting.robots[0].plane
        plane.boxes = np.vstack([self.meeting.static.boxes, (*(self.at - 0.12), *(self.at + 0.12))])


@pytest.mark.parametrize(("start", "end", "speed"), [
    ((4.0, 2.0), (0.6, 2.0), 0.7), pytest.param((2.2, 0.3), (2.2, 3.7), 0.5, marks=pytest.mark.thorough)])
def test_a_robot_lets_people_pass_who_do_not_think_of_it(stretch, start, end, speed):
    """Towards it through the door, and across its way."""
    meeting = Meeting(stretch, DOOR, (6, 4), [(Pose2(1.4, 2, 0), Pose2(4.6, 2, 0))])
    person = Walker(meeting, start, end, speed)
    nearest = math.inf

    def step():
        nonlocal nearest
        person.step()
        nearest = min(nearest, meeting.nearest_to(person.at))

    meeting._see_each_other = step
    assert meeting.run() == [True]
    assert math.dist(person.at, end) < 0.1
    assert nearest > 0.25 and not meeting.robots[0].collided


def scans(stretch, boxes_at, poses, noise=0.01):
    """The costmap after a scan every 0.1 s from where the robot is; it takes itself to be at `poses`."""
    plane = Plane.room(8, 6)
    free = plane.boxes
    costmap = Costmap(plane.occupancy(), stretch)
    robot = StandIn(stretch, plane, poses[0], noise=noise)
    for i, pose in enumerate(poses):
        plane.boxes = np.vstack([free, *boxes_at(i / 10)])
        robot.time = i / 10
        costmap.update(Observation(robot.time, pose, robot.joints, scan=robot.scan()))
    return costmap


@settings(max_examples=5, deadline=None)
@given(st.floats(0.2, 1.2), st.floats(-math.pi, math.pi))
def test_who_walks_is_followed(stretch, speed, heading):
    step = speed * np.array((math.cos(heading), math.sin(heading)))
    start = np.array((6.0, 3.0)) - step * 1.0

    def person(time):
        at = start + step * time
        return [(*(at - 0.1), *(at + 0.1))]

    [track] = scans(stretch, person, [Pose2(4, 3, 0)] * 20).movers
    assert math.dist(track.position, start + step * 1.9) < 0.2
    assert math.dist(track.velocity, step) < 0.2


@settings(max_examples=5, deadline=None)
@given(st.floats(0.1, 0.35), st.floats(-math.pi, math.pi), st.floats(-0.1, 0.1))
def test_nobody_moves_where_the_robot_finds_that_it_is_elsewhere(stretch, far, direction, turned):
    leg = (5.0, 3.2, 5.06, 3.26)
    here = Pose2(4, 3, 0)
    there = here * Pose2(far * math.cos(direction), far * math.sin(direction), turned)
    assert scans(stretch, lambda time: [leg], [here] * 15 + [there] * 30).movers == []


def test_what_never_moves_is_nobody_whatever_side_it_is_seen_from(stretch):
    plane = Plane.room(6, 4)
    map = plane.occupancy()
    plane.boxes = np.vstack([plane.boxes, (2.6, 1.2, 3.2, 1.9), (2.9, 2.8, 2.95, 2.85)])
    robot, drive = StandIn(stretch, plane, Pose2(1, 1.5, 0), noise=0.01), Drive(Costmap(map, stretch))
    runner, seen = SkillRunner(go_to(stretch, Scene(map=map), Pose2(5, 1.5, 0), drive, look=())), 0
    while runner.result is None and robot.time < 60:
        robot.act(runner.tick(robot.observe()))
        robot.advance(TICK)
        seen += len(drive.costmap.movers)
    assert runner.result.ok and seen == 0
