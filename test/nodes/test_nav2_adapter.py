"""Drives by a strict stand-in for Nav2: what comes of them is typed, and whatever ends one ends Nav2's goal."""

import math

import pytest
from action_msgs.msg import GoalStatus
from dadu_interfaces.action import Drive
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.convert.geometry import planar_pose
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PoseStamped
from plane_driver import Driver
from stand_in_nav2 import StandInNav2
from stand_in_robot import Plane, StandIn
from std_msgs.msg import Header

from dadu.core.geometry import Pose2
from dadu.core.robot import Twist
from dadu.robots import load_robot
from dadu.skills.outcome import Code


@pytest.fixture
def rig(graph, start_node):
    plane, start = Plane.room(5, 4, [(3.2, 0, 3.6, 1.5)]), Pose2(1.2, 2.6, 0.4)
    graph.robot = StandIn(load_robot("stretch"), plane, start)
    graph.driver = Driver(graph, graph.robot)
    graph.nav2 = StandInNav2(graph.node, graph.robot.description, plane.occupancy(), lambda: start)
    graph.nav2.active = False
    graph.health = graph.collect(DiagnosticArray, "/diagnostics", qos.STATE)
    start_node("nav2_adapter")
    graph.client = ActionClient(graph.node, Drive, "/drive_to_pose")
    graph.until(lambda: graph.client.server_is_ready() and complaint(graph))
    return graph


def complaint(rig):
    """What keeps the adapter from its work, as it said last; empty: nothing, and while nothing has been heard."""
    heard = [s for m in rig.health for s in m.status if s.name == "nav2_adapter" and s.level == DiagnosticStatus.ERROR]
    return heard[-1].message if heard and rig.health[-1].status[-1] is heard[-1] else ""


def stamped(pose, frame="map"):
    return PoseStamped(header=Header(frame_id=frame), pose=planar_pose(pose))


def send(rig, pose, feedback=lambda message: None, frame="map"):
    future = rig.client.send_goal_async(Drive.Goal(pose=stamped(pose, frame)), feedback_callback=feedback)
    rig.until(future.done)
    return future.result()


def end(rig, handle):
    future = handle.get_result_async()
    rig.until(future.done)
    told = future.result().result.outcome
    return future.result().status, told.code, f"{told.detail}: {told.message}"


def test_drives_are_nav2_s_and_what_comes_of_them_is_typed(rig):
    rig.until(lambda: "not active" in complaint(rig))
    status, code, text = end(rig, send(rig, Pose2(2.0, 2.0, -0.5)))
    assert (status, code) == (GoalStatus.STATUS_ABORTED, Code.UNREACHABLE_BACKEND) and "not active" in text
    rig.nav2.active = True
    rig.until(lambda: not complaint(rig))

    heard = []
    assert end(rig, send(rig, Pose2(2.0, 2.0, -0.5), heard.append))[:2] == (GoalStatus.STATUS_SUCCEEDED, Code.SUCCEEDED)
    assert math.dist(rig.robot.pose[:2], (2.0, 2.0)) < 0.04 and rig.nav2.ended == [("succeed", 0)]
    assert max(m.feedback.distance_remaining for m in heard) > 0.3

    for goal, words in ((Pose2(3.4, 0.7, 0.0), "too close to an obstacle"), (Pose2(9.0, 9.0, 0.0), "outside")):
        status, code, text = end(rig, send(rig, goal))
        assert (status, code) == (GoalStatus.STATUS_ABORTED, Code.EXECUTION_FAILED)
        assert text.startswith("path_blocked: ") and words in text
    assert rig.nav2.ended[-2:] == [("abort", 206), ("abort", 204)]
    assert end(rig, send(rig, Pose2(1.0, 1.0, 0.0), frame="mars"))[1] == Code.UNKNOWN_TARGET


def test_what_ends_a_drive_ends_nav2_s_goal_and_another_s_goal_ends_the_drive(rig):
    rig.nav2.active = True
    rig.until(lambda: not complaint(rig))
    handle = send(rig, Pose2(4.3, 3.2, 0.0))
    rig.until(lambda: math.dist(rig.robot.pose[:2], (1.2, 2.6)) > 0.2)
    handle.cancel_goal_async()
    assert end(rig, handle)[:2] == (GoalStatus.STATUS_CANCELED, Code.CANCELLED)
    rig.until(lambda: rig.nav2.ended == [("canceled", 0)] and rig.robot.twists[-1] == Twist())
    still = rig.robot.pose
    rig.spin(0.5)
    assert rig.robot.pose == still

    ours, elsewhere = send(rig, Pose2(4.3, 3.2, 0.0)), Pose2(1.6, 2.2, -1.0)
    rig.until(lambda: rig.robot.pose != still)
    rig.node.create_publisher(PoseStamped, "/goal_pose", qos.LATCHED).publish(stamped(elsewhere))
    status, code, text = end(rig, ours)
    assert (status, code) == (GoalStatus.STATUS_ABORTED, Code.EXECUTION_FAILED) and "another goal" in text
    rig.until(lambda: rig.nav2.ended[-1] == ("succeed", 0))
    assert math.dist(rig.robot.pose[:2], elsewhere[:2]) < 0.04, "the other's goal goes on"
