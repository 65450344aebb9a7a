import math

import numpy as np
import pytest
from stand_in_robot import Plane, StandIn

from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import Command, Twist
from dadu.navigation.localisation.localiser import LocalisationSettings, Localiser
from dadu.robots import load_robot


def flat(seed=0):
    random = np.random.default_rng(seed)
    boxes = [(2.9, 0, 3.0, 1.6), (2.9, 2.5, 3.0, 4)]
    corners, sizes = random.uniform(0.2, 3.0, (3, 2)), random.uniform(0.3, 0.8, (3, 2))
    boxes += [(*c, *(c + s)) for c, s in zip(corners, sizes)]
    return Plane.room(6, 4, boxes)


def error(a, b):
    return math.dist(a[:2], b[:2]), abs(wrap(a.yaw - b.yaw))


@pytest.mark.parametrize("seed", range(5))
def test_one_scan_corrects_the_pose(seed):
    random = np.random.default_rng(seed)
    truth = Pose2(4.5, 2.0, random.uniform(-3, 3))
    robot = StandIn(load_robot("stretch"), flat(seed), truth, noise=0.01, seed=seed)
    guess = truth * Pose2(*random.uniform(-0.12, 0.12, 2), random.uniform(-0.1, 0.1))
    localiser = Localiser(robot.plane.occupancy(), guess, filled=True)
    for _ in range(5):
        map_odom = localiser.update(Pose2(0, 0, 0), robot.scan())
    xy, yaw = error(map_odom, truth)
    assert xy < 0.015 and yaw < math.radians(0.5)
    assert localiser.share > 0.9


def test_follows_a_drive_with_drifting_odometry():
    robot = StandIn(load_robot("stretch"), flat(), Pose2(1.5, 2.0, 0.0), noise=0.01)
    localiser = Localiser(robot.plane.occupancy(), robot.pose, filled=True)
    odom, before, worst = Pose2(0.0, 0.0, 0.0), robot.pose, (0.0, 0.0)
    for k in range(200):
        robot.act(Command(base=Twist(0.3, 0.25 * math.sin(k / 15))))
        robot.advance(0.05)
        step = before.inverse() * robot.pose
        odom, before = odom * Pose2(1.04 * step.x, step.y, step.yaw + 0.02 * abs(step.x)), robot.pose
        if k % 2:
            here = localiser.update(odom, robot.scan()) * odom
            worst = tuple(map(max, worst, error(here, robot.pose)))
    assert not robot.collided
    assert worst[0] < 0.03 and worst[1] < math.radians(1)
    assert error(odom, Pose2(-1.5, -2.0, 0.0) * robot.pose)[0] > 0.05, "odometry alone must have drifted"


def test_is_found_without_a_guess_and_after_being_carried_off():
    robot = StandIn(load_robot("stretch"), flat(2), Pose2(4.4, 1.1, 0.7), noise=0.01)
    localiser = Localiser(robot.plane.occupancy(), None, filled=True)
    assert error(localiser.update(Pose2(0, 0, 0), robot.scan()), robot.pose)[0] < 0.02
    robot.pose = Pose2(1.2, 3.3, -2.0)
    for _ in range(40):
        found = localiser.update(Pose2(0, 0, 0), robot.scan())
    assert error(found, robot.pose)[0] < 0.02


def test_bare_corridor_stays_with_odometry():
    plane = Plane.room(30, 1.5)
    robot = StandIn(load_robot("stretch"), plane, Pose2(15, 0.75, 0.0), noise=0.01)
    localiser = Localiser(plane.occupancy(), Pose2(15.0, 0.70, 0.05), filled=True)
    for _ in range(10):
        here = localiser.update(Pose2(0, 0, 0), robot.scan())
    assert abs(here.x - 15.0) < 0.02 and abs(here.y - 0.75) < 0.01


def test_a_rough_start_is_made_exact():
    plane = flat()
    for seed in range(5):
        random = np.random.default_rng(seed)
        truth = Pose2(4.5, 2.0, random.uniform(-3, 3))
        robot = StandIn(load_robot("stretch"), plane, truth, noise=0.01, seed=seed)
        start = truth * Pose2(*random.uniform(-0.3, 0.3, 2), random.uniform(-0.5, 0.5))
        xy, yaw = error(Localiser(plane.occupancy(), start, filled=True).update(Pose2(0, 0, 0), robot.scan()), truth)
        assert xy < 0.02 and yaw < math.radians(1)


def test_a_robot_that_drove_while_nothing_was_heard_is_where_it_drove():
    """Its base went on for 1.4 m while joints and odometry were silent."""
    robot = StandIn(load_robot("stretch"), flat(), Pose2(4.4, 1.1, 0.7), noise=0.01)
    localiser = Localiser(robot.plane.occupancy(), robot.pose, filled=True)
    localiser.update(Pose2(3.0, 1.0, 0.5), robot.scan())
    step = Pose2(-1.4, 0.05, 0.1)
    robot.pose, odom = robot.pose * step, Pose2(3.0, 1.0, 0.5) * step
    assert error(localiser.update(odom, robot.scan()) * odom, robot.pose)[0] < 0.02


def test_a_place_that_explains_but_half_is_left_for_one_that_explains_all():
    robot, walls = StandIn(load_robot("stretch"), flat(), Pose2(4.4, 1.1, 0.0), noise=0.01), flat().occupancy()
    localiser = Localiser(walls, None, LocalisationSettings(doubted_after=30), filled=True)
    localiser.map_odom = Pose2(3.2, 1.1, 0.0)
    localiser.update(Pose2(0.0, 0.0, 0.0), robot.scan())
    assert 0.4 < localiser.share < 0.7 and error(localiser.map_odom, robot.pose)[0] > 1.0, "trusted, and wrong"
    start = robot.pose
    for k in range(1, 31):
        odom = Pose2(0.0, 0.0, 0.005 * k)
        robot.pose = start * odom
        found = localiser.update(odom, robot.scan()) * odom
    assert error(found, robot.pose)[0] < 0.02 and localiser.share > 0.9


def test_odometry_that_starts_anew_does_not_move_the_robot():
    robot = StandIn(load_robot("stretch"), flat(), Pose2(4.4, 1.1, 0.7), noise=0.01)
    localiser = Localiser(robot.plane.occupancy(), robot.pose, filled=True)
    before = localiser.update(Pose2(3, 1, 0.5), robot.scan()) * Pose2(3, 1, 0.5)
    after = localiser.update(Pose2(0, 0, 0), robot.scan()) * Pose2(0, 0, 0)
    assert error(before, after)[0] < 0.01
