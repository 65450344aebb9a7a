"""A robot behind its drivers: what a node that is not at work takes in of them."""

import math

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
    joints = graph.node.create_publisher(JointState, "joint_states", qos.SENSOR)
    scans = graph.node.create_publisher(LaserScan, "scan", qos.SENSOR)
    frames = graph.node.create_publisher(TFMessage, "/tf", qos.TF)
    graph.until(lambda: all(p.get_subscription_count() for p in (joints, scans, frames)))

    def publish(time, effort=0.0):
        header = Header(stamp=stamp(time), frame_id="laser")
        names = [*STRETCH.arm_joints, GRIPPER_JOINT]
        joints.publish(JointState(header=header, name=names, position=[0.1] * len(names),
                                  effort=[effort] * len(names)))
        scans.publish(LaserScan(header=header, ranges=[time] * 4, angle_increment=1.0, range_max=10.0))
        moved = np.eye(4)
        moved[0, 3] = time
        frames.publish(TFMessage(transforms=[
            TransformStamped(header=Header(stamp=stamp(time), frame_id=parent), child_frame_id=child, transform=tf(T))
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
    for time in (1.0, 2.0, 3.0):
        publish(time)
        robot.silence()
    until(robot.ready)

    def newest():
        seen = robot.observe()
        return seen.stamp, seen.base_pose.x, float(seen.scan.ranges.max()) if seen.scan else 0.0
    until(lambda: newest() == pytest.approx((3.0, 3.0, 3.0)))
    assert robot.observe().scan is robot.observe().scan  # read once
    publish(4.0)
    until(lambda: newest() == pytest.approx((4.0, 4.0, 4.0)))


def test_nobody_drives_on_blindly_once_the_driver_is_silent(graph, driver):
    """Joints and odometry silent at once: the last command had been given again and again, for 1.4 m."""
    robot, publish, until = driver
    twists = graph.collect(Twist, "/cmd_vel_nav", qos.COMMAND)
    for time in (0.3, 1.0):
        publish(time)
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
