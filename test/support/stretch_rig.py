"""Stretch's adapter between a stand-in for its driver and a user, all in one process."""

from contextlib import contextmanager
from unittest import mock

from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.drivers import stretch_client
from dadu_nodes.stretch_adapter import StretchAdapter
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.convert.encode import encode
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Twist
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool
from tf2_msgs.msg import TFMessage

from dadu.core.robot import JointTrajectory

ABORTED, SUCCESSFUL = FollowJointTrajectory.Result.GOAL_TOLERANCE_VIOLATED, FollowJointTrajectory.Result.SUCCESSFUL


@contextmanager
def stretch_rig(graph, driver, velocities="/cmd_vel"):
    """`graph` with the adapter, its `driver` and who uses both."""
    graph.driver = driver(graph.node)
    graph.base = graph.node.create_publisher(Twist, velocities, qos.COMMAND)
    graph.stop = graph.node.create_publisher(Bool, "/e_stop", qos.STATE)
    graph.arm = ActionClient(graph.node, FollowJointTrajectory, "/arm_controller/follow_joint_trajectory")
    graph.gripper = ActionClient(graph.node, GripperCommand, "/gripper_controller/gripper_cmd")
    graph.joints = graph.collect(JointState, "/stretch_adapter/joint_states", qos.SENSOR)
    graph.health = graph.collect(DiagnosticArray, "/diagnostics", 10)
    graph.frames = graph.collect(TFMessage, "/tf_static", qos.TF_STATIC)
    graph.adapter = StretchAdapter()
    graph.executor.add_node(graph.adapter)
    with mock.patch.object(stretch_client, "_FREEZE", 20.0):  # a busy machine would exceed what suffices a robot
        yield graph
    graph.executor.remove_node(graph.adapter)
    graph.adapter.destroy_node()


def begin(rig):
    """A driver that has just been started, and what the test before may still have asked for is over."""
    rig.driver.start()
    rig.stop.publish(Bool(data=False))
    rig.joints.clear()
    rig.until(lambda: rig.joints and rig.arm.server_is_ready() and rig.gripper.server_is_ready()
              and rig.base.get_subscription_count() and rig.stop.get_subscription_count())
    rig.spin(0.15)
    rig.driver.errors, rig.driver.modes = [], []


def send(rig, client, goal):
    """The future of the goal's result."""
    accepted = client.send_goal_async(goal)
    rig.until(accepted.done)
    assert accepted.result().accepted
    return accepted.result().get_result_async()


def refused(rig, client, goal):
    accepted = client.send_goal_async(goal)
    rig.until(accepted.done)
    return not accepted.result().accepted


def arm_goal(positions, seconds):
    return FollowJointTrajectory.Goal(trajectory=encode.trajectory(JointTrajectory.single_goal(positions, seconds)))


def grip_goal(aperture):
    goal = GripperCommand.Goal()
    goal.command.position = aperture
    return goal


def grasp(rig, driver, width=0.04):
    driver.object_width = width
    done = send(rig, rig.gripper, grip_goal(-0.03))
    rig.until(done.done)
    assert done.result().result.stalled
    return done.result().result


def complaint(rig):
    """What the adapter's diagnostics say is wrong."""
    rig.health.clear()
    status = rig.until(lambda: next((s for m in rig.health for s in m.status if s.name == "stretch_adapter"), None))
    return status.message if status.level == DiagnosticStatus.ERROR else ""
