"""The adapter as a process, over a stand-in for Stretch's driver: nothing the driver would refuse reaches it."""


import pytest
from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.support import qos
from dadu_nodes.support.convert.sensors import trajectory_message
from geometry_msgs.msg import Twist, Vector3
from rclpy.action import ActionClient
from sensor_msgs.msg import JointState
from stand_in_stretch import StretchDriver
from std_msgs.msg import Bool

from dadu.core.robot import JointTrajectory


@pytest.fixture
def rig(graph, start_node):
    graph.driver = StretchDriver(graph.node)
    graph.base = graph.node.create_publisher(Twist, "/cmd_vel", qos.COMMAND)
    graph.stop = graph.node.create_publisher(Bool, "/e_stop", qos.STATE)
    graph.arm = ActionClient(graph.node, FollowJointTrajectory, "/arm_controller/follow_joint_trajectory")
    graph.gripper = ActionClient(graph.node, GripperCommand, "/gripper_controller/gripper_cmd")
    graph.joints = graph.collect(JointState, "/joint_states", qos.SENSOR)
    start_node("stretch_adapter")
    graph.until(lambda: graph.joints and graph.arm.server_is_ready() and graph.gripper.server_is_ready()
                and graph.base.get_subscription_count() and graph.stop.get_subscription_count(), timeout=60.0)
    return graph


def send(graph, client, goal):
    """The future of the goal's result."""
    accepted = client.send_goal_async(goal)
    graph.until(accepted.done)
    assert accepted.result().accepted
    return accepted.result().get_result_async()


def drive(graph, vx):
    return lambda: graph.base.publish(Twist(linear=Vector3(x=vx)))


def arm_goal(positions, seconds):
    return FollowJointTrajectory.Goal(trajectory=trajectory_message(JointTrajectory.to(positions, seconds)))


def test_base_arm_and_both_at_once(rig):
    driver = rig.driver
    rig.until(lambda: driver.x > 0.05, every=drive(rig, 0.2))
    assert driver.mode == "navigation"
    drive(rig, 0.0)()
    start = driver.x
    done = send(rig, rig.arm, arm_goal({"joint_lift": 0.5, "wrist_extension": 0.2}, 2.0))
    rig.until(done.done, every=drive(rig, 0.1))
    assert done.result().result.error_code == FollowJointTrajectory.Result.SUCCESSFUL
    assert driver.joints["joint_lift"] == pytest.approx(0.5, abs=0.02)
    assert driver.x - start > 0.12, "the base went along with the arm"
    assert driver.errors == []


def test_the_fingers_close_on_a_thing_and_feel_it(rig):
    rig.driver.object_width = 0.04
    goal = GripperCommand.Goal()
    goal.command.position = -0.03
    done = send(rig, rig.gripper, goal)
    rig.until(done.done)
    assert done.result().result.stalled and done.result().result.position == pytest.approx(0.04, abs=0.002)
    newest = rig.joints[-1]
    index = newest.name.index("gripper_aperture")
    assert newest.position[index] == pytest.approx(0.04, abs=0.002) and newest.effort[index] > 10.0
    assert rig.driver.errors == []


def test_an_emergency_stop_reaches_the_driver_and_the_arm_stays(rig):
    send(rig, rig.arm, arm_goal({"joint_lift": 0.9}, 6.0))
    rig.until(lambda: rig.driver.joints["joint_lift"] > 0.32)
    rig.stop.publish(Bool(data=True))
    rig.until(lambda: rig.driver.stops)
    rig.spin(0.5)
    here = rig.driver.joints["joint_lift"]
    rig.spin(1.0)
    assert rig.driver.joints["joint_lift"] == pytest.approx(here, abs=0.005) and here < 0.8


def test_a_goal_beyond_the_limits_is_refused(rig):
    accepted = rig.arm.send_goal_async(arm_goal({"joint_lift": 2.0}, 1.0))
    rig.until(accepted.done)
    assert not accepted.result().accepted
