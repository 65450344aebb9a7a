"""What the drivers' actions refuse, whichever body is behind them."""

import math

import pytest
from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.simulator.driver_actions import arm_refusal, grip, grip_refusal
from dadu_nodes.support.clock import duration
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from dadu.core.robot import GripperCommand as Grip
from dadu.robots import load_robot
from dadu.sim.mujoco.robot.joint_drive import JointDrive

ROBOT = load_robot("stretch")


def along(names, *points):
    """`points`: positions, and the time [s] at which they are reached."""
    way = [JointTrajectoryPoint(positions=positions, time_from_start=duration(time)) for positions, time in points]
    return FollowJointTrajectory.Goal(trajectory=JointTrajectory(joint_names=names, points=way))


def fingers(position, effort=0.0):
    goal = GripperCommand.Goal()
    goal.command.position, goal.command.max_effort = position, effort
    return goal


@pytest.mark.parametrize("goal, why", [
    (along(["joint_lift"]), "at least one"),
    (along(["joint_lift"], ([0.5, 0.6], 1.0)), "one position for each joint"),
    (along(["joint_lift", "joint_wrist_yaw"], ([0.5, 0.1], 1.0), ([0.6], 2.0)), "one position for each joint"),
    (along(["joint_lift", "joint_lift"], ([0.5, 0.6], 1.0)), "not joint_lift twice"),
    (along(["joint_elbow"], ([0.5], 1.0)), "unknown joint"),
    (along(["joint_lift"], ([math.nan], 1.0)), "outside"),
    (along(["joint_lift"], ([50.0], 1.0)), "outside"),
    (along(["joint_lift"], ([0.5], 2.0), ([0.6], 1.0)), "increase"),
])
def test_a_trajectory_that_cannot_be_followed_is_refused(goal, why):
    assert why in arm_refusal(goal, JointDrive(ROBOT))
    assert arm_refusal(along(["joint_lift"], ([0.5], 1.0), ([0.6], 2.0)), JointDrive(ROBOT)) == ""


def test_fingers_take_finite_numbers_and_open_as_wide_as_they_do():
    for number in (math.nan, math.inf, -math.inf):
        assert grip_refusal(fingers(number)) and grip_refusal(fingers(0.05, number))
    assert not grip_refusal(fingers(10.0)) and grip(fingers(10.0), ROBOT).aperture == ROBOT.aperture_max
    assert grip(fingers(-0.03, 5.0), ROBOT) == Grip(-0.03, 5.0)
