"""A robot behind its drivers: what a node that is not at work takes in of them."""

import math
import time

import numpy as np
import pytest
from dadu_nodes.support import qos
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.geometry import tf
from dadu_nodes.support.listening.robot import GRIPPER_JOINT
from dadu_nodes.support.ros_robot import LAG, RosRobot
from geometry_msgs.msg import TransformStamped, Twist
from sensor_msgs.msg import JointState, LaserScan
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from dadu.core.robot import Command
from dadu.core.robot import Twist as Velocity
from dadu.robots import load_robot

STRETCH = load_robot("stretch")


@pytest.fixture
def driver(graph):
    """A robot, and what its driver publishes: joint states, scans and transforms, all of one moment."""
    robot = RosRobot(graph.node, STRETCH, scan=True)
    joints = graph.joints = graph.node.create_publisher(JointState, "joint_states", qos.SENSOR)
    scans = graph.node.create_publisher(LaserScan, "scan", qos.SENSOR)
    frames = graph.node.create_publisher(TFMessage, "/tf", qos.TF)
    graph.until(lambda: all(p.get_subscription_count() for p in (joints, scans, frames)))

    def publish(moment, effort=0.0):
        header = Header(stamp=stamp(moment), frame_id="laser")
        names = [*STRETCH.arm_joints, GRIPPER_JOINT]
        joints.publish(JointState(header=header, name=names, position=[0.1] * len(names),
                                  effort=[effort] * len(names)))
        scans.publish(LaserScan(header=header, ranges=[moment] * 4, angle_increment=1.0, angle_max=3.0, range_max=10.0))
        moved = np.eye(4)
        moved[0, 3] = moment
        frames.publish(TFMessage(transforms=[
            TransformStamped(header=Header(stamp=stamp(moment), frame_id=parent), child_frame_id=child, transform=tf(T))
            for parent, child, T in (("map", "base_link", moved), ("base_link", "laser", np.eye(4)))]))
        graph.spin(0.2)

    return robot, publish, graph.until


def test_hand_and_signs_of_life_need_no_transforms_and_no_scan(driver):
    robot, publish, until = driver
    assert robot.grip() is None
    publish(1.0, effort=15.0)
    until(lambda: robot.grip() == (0.1, 15.0))
    assert math.isfinite(robot.silence())
    publish(2.0, effort=math.nan)
    until(lambda: robot.grip() == (0.1, 0.0))  # a driver that does not know
    assert not robot.transforms.tree._tracks  # nothing of /tf has been unpacked


def test_who_looks_after_a_rest_sees_the_newest_of_everything(driver):
    robot, publish, until = driver
    for moment in (1.0, 2.0, 3.0):
        publish(moment)
        robot.silence()
    until(robot.ready)

    def newest():
        seen = robot.observe()
        return seen.base_pose.x, float(seen.scan.ranges.max()) if seen.scan else 0.0
    until(lambda: newest() == pytest.approx((3.0, 3.0)))
    assert robot.observe().scan is robot.observe().scan  # read once
    publish(4.0)
    until(lambda: newest() == pytest.approx((4.0, 4.0)))


@pytest.mark.parametrize("stamped", [0.0, -30.0, 86400.0])
def test_time_goes_on_whatever_joints_are_stamped_by(graph, driver, stamped):
    """A deadline that counted by such stamps never came, and nobody said why."""
    robot, publish, until = driver
    publish(1.0)
    until(robot.ready)
    then = robot.observe().stamp
    late = stamp(max(0.0, time.time() + stamped) if stamped else 0.0)
    graph.joints.publish(JointState(header=Header(stamp=late), name=[GRIPPER_JOINT], position=[0.2]))
    until(lambda: robot.grip() == (0.2, 0.0))
    assert 0.0 < robot.observe().stamp - then < 100.0
    robot._intake._clocks.clear()
    graph.joints.publish(JointState(header=Header(stamp=late), name=[GRIPPER_JOINT], position=[0.3]))
    until(lambda: robot.grip() == (0.3, 0.0))
    assert "joint_states" in robot._intake.complaint() and "clock" in robot._intake.complaint()


def test_a_joint_without_a_number_is_as_one_that_is_silent(graph, driver):
    robot, publish, until = driver
    publish(1.0)
    until(robot.ready)
    bad = STRETCH.arm_joints[0]
    until(lambda: robot.silence() < 0.1, every=lambda: publish(1.1))
    for _ in range(5):
        graph.joints.publish(JointState(name=[*STRETCH.arm_joints], position=[math.nan] + [0.2] * (
            len(STRETCH.arm_joints) - 1)))
        graph.spin(0.1)
    assert robot.silence() > 0.3 and robot.observe().joints[bad] == 0.1
    assert bad in robot.silent() and "no number" in robot.silent()


def test_nobody_drives_on_blindly_once_the_driver_is_silent(graph, driver):
    """Joints and odometry silent at once: the last command had been given again and again, for 1.4 m."""
    robot, publish, until = driver
    twists = graph.collect(Twist, "/cmd_vel_nav", qos.COMMAND)
    for moment in (0.3, 1.0):
        publish(moment)
        until(robot.ready)
    robot.observe()
    robot.act(Command(base=Velocity(0.2)))
    until(lambda: twists)
    graph.spin(LAG + 0.1)
    robot.act(Command(base=Velocity(0.2)))
    until(lambda: len(twists) > 1)
    publish(1.1)
    robot.observe()
    robot.act(Command(base=Velocity(0.2)))
    until(lambda: len(twists) > 2)
    assert [message.linear.x for message in twists] == [0.2, 0.0, 0.2]
