"""A lift that comes down as the base sets off, and goes up as it arrives."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from stand_in_robot import Plane, StandIn

from dadu.core.geometry import Pose2, apply, inverse
from dadu.core.robot import Command
from dadu.navigation.go_to import go_to
from dadu.robots import load_robot
from dadu.robots.kinematics import Kinematics
from dadu.skills.generator import run
from dadu.skills.outcome import Code, Detail
from dadu.skills.scene import Scene

STRETCH = load_robot("stretch")
KINEMATICS = Kinematics(STRETCH)
PLANE = Plane.room(6, 4)
GOAL = Pose2(4.5, 2.0, 1.5)
WORK = np.array([4.5 + 0.6 * math.cos(GOAL.yaw - math.pi / 2), 2.0 + 0.6 * math.sin(GOAL.yaw - math.pi / 2), 0.9])
SPEED = 0.2


@dataclass
class Slow(StandIn):
    """Its joints take their time; below `stuck` the lift does not come."""

    stuck: float = 0.0
    driven: list[tuple[float, float, bool]] = field(default_factory=list)
    """vx [m/s], height of the lift [m], whether it moves: at each tick"""

    def act(self, command: Command) -> None:
        super().act(Command(base=command.base))
        if command.joints is not None:
            self.goals = dict(command.joints.waypoints[-1].positions)

    def advance(self, dt: float) -> None:
        for name, goal in self.goals.items():
            step = SPEED * dt if name == "joint_lift" else math.inf
            self.joints[name] += float(np.clip(goal - self.joints[name], -step, step))
        self.joints["joint_lift"] = max(self.joints["joint_lift"], self.stuck)
        moves = abs(self.goals.get("joint_lift", self.joints["joint_lift"]) - self.joints["joint_lift"]) > 0.03
        super().advance(dt)
        self.driven.append((self.twists[-1].vx if self.twists else 0.0, self.joints["joint_lift"], moves))

    goals = {}


def driven(start: Pose2, lift: float = 0.9, stuck: float = 0.0, work: np.ndarray | None = WORK):
    robot = Slow(STRETCH, PLANE, start, stuck=stuck)
    robot.joints["joint_lift"] = lift
    return robot, run(go_to(STRETCH, Scene(map=PLANE.occupancy()), GOAL, look=(), work=work), robot, robot.advance)


@pytest.mark.parametrize("yaw", [0.0, 1.5, 3.0])
def test_the_base_turns_but_does_not_drive_off_until_the_lift_is_down(yaw):
    robot, result = driven(Pose2(1.0, 2.0, yaw))
    assert result.ok, result
    assert not any(moves for vx, _, moves in robot.driven if abs(vx) > 1e-6)
    assert min(height for _, height, _ in robot.driven) == pytest.approx(STRETCH.stow["joint_lift"], abs=0.03)


def test_turning_takes_no_time_from_the_lift():
    (facing, _), (turning, _) = driven(Pose2(1.0, 2.0, 0.0)), driven(Pose2(1.0, 2.0, 3.0))
    assert turning.time < facing.time + 1.0  # half a turn takes more than 3 s


def test_on_arrival_head_and_hand_are_at_the_work():
    robot, _ = driven(Pose2(1.0, 2.0, 0.0))
    assert robot.joints["joint_lift"] > 0.5  # on its way up while the base turned last
    x, y, z = apply(inverse(KINEMATICS.camera(robot.joints)), apply(inverse(robot.pose.matrix()), WORK))
    assert math.hypot(x, y) < 0.1 * z


def test_who_stands_there_already_does_not_lower_the_arm():
    robot, result = driven(GOAL)
    assert result.ok
    assert min(height for _, height, _ in robot.driven) > 0.8


def test_where_nothing_is_done_the_arm_stays_down():
    robot, _ = driven(Pose2(1.0, 2.0, 0.0), work=None)
    assert robot.joints["joint_lift"] == pytest.approx(STRETCH.stow["joint_lift"], abs=0.03)


def test_a_lift_that_does_not_come_down_is_not_driven_about():
    robot, result = driven(Pose2(1.0, 2.0, 0.0), stuck=0.7)
    assert (result.code, result.detail) == (Code.EXECUTION_FAILED, Detail.ARM_STALLED)
    assert all(vx == 0.0 for vx, _, _ in robot.driven)


def test_a_lift_that_leans_against_something_is_free_once_the_base_has_moved():
    _, result = driven(Pose2(1.0, 2.0, 0.0), stuck=STRETCH.stow["joint_lift"] + 0.08)
    assert result.ok
