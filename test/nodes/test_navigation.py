"""The navigation node on a map file, driving the plane's stand-in robot over topics."""

import math

import pytest
from action_msgs.msg import GoalStatus
from dadu_interfaces.action import Explore
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.convert.geometry import planar_pose
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseStamped, TransformStamped
from nav2_msgs.action import NavigateThroughPoses, NavigateToPose
from nav_msgs.msg import OccupancyGrid
from plane_driver import Driver
from sensor_msgs.msg import JointState, LaserScan
from stand_in_robot import Plane, StandIn
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from dadu.core.geometry import Pose2
from dadu.robots import load_robot
from dadu.skills.outcome import Code


@pytest.fixture
def rig(graph, start_node, tmp_path):
    plane = Plane.room(5, 4, [(3.2, 0, 3.6, 1.5)])
    plane.occupancy().save(tmp_path / "room.yaml")
    graph.robot = StandIn(load_robot("stretch"), plane, Pose2(1.2, 2.6, 0.4), noise=0.005)
    graph.driver = Driver(graph, graph.robot)
    graph.maps = graph.collect(OccupancyGrid, "/map", qos.LATCHED)
    graph.corrections = graph.collect(TFMessage, "/tf", qos.TF)
    start_node("navigation", map=tmp_path / "room.yaml", depth=False)
    graph.client = ActionClient(graph.node, NavigateToPose, "/navigate_to_pose")
    graph.until(lambda: graph.client.server_is_ready() and localised(graph))
    return graph


def localised(graph):
    return any(t.header.frame_id == "map" for m in graph.corrections for t in m.transforms)


def send(rig, pose, feedback=lambda message: None, frame="map"):
    goal = NavigateToPose.Goal(pose=PoseStamped(header=Header(frame_id=frame), pose=planar_pose(pose)))
    future = rig.client.send_goal_async(goal, feedback_callback=feedback)
    rig.until(future.done)
    return future.result()


def end(rig, handle):
    future = handle.get_result_async()
    rig.until(future.done)
    return future.result()


def test_drives_cancels_and_refuses_with_typed_codes(rig):
    assert rig.maps[0].info.width == 108
    heard, goal = [], Pose2(2.0, 2.0, -0.5)
    ended = end(rig, send(rig, goal, heard.append))
    assert (ended.status, ended.result.error_code) == (GoalStatus.STATUS_SUCCEEDED, 0)
    assert math.dist(rig.robot.pose[:2], goal[:2]) < 0.04 and not rig.robot.collided
    assert heard and heard[0].feedback.distance_remaining >= 0

    handle, start = send(rig, Pose2(4.3, 3.2, 0.0)), rig.robot.pose
    rig.until(lambda: math.dist(rig.robot.pose[:2], start[:2]) > 0.1)
    handle.cancel_goal_async()
    ended = end(rig, handle)
    assert (ended.status, ended.result.error_code) == (GoalStatus.STATUS_CANCELED, Code.CANCELLED)
    rig.spin(0.5)
    still = rig.robot.pose
    rig.spin(0.5)
    assert rig.robot.pose == still

    ended = end(rig, send(rig, Pose2(3.4, 0.7, 0.0)))
    assert (ended.status, ended.result.error_code) == (GoalStatus.STATUS_ABORTED, Code.EXECUTION_FAILED)
    assert ended.result.error_msg.startswith("path_blocked: ")


def test_goals_are_driven_to_in_their_frame_or_refused(rig):
    before = rig.robot.pose
    ended = end(rig, send(rig, Pose2(0.3, 0.0, 0.0), frame="base_link"))
    assert ended.result.error_code == 0
    assert math.dist(rig.robot.pose[:2], before.apply((0.3, 0.0))) < 0.06
    still = rig.robot.pose
    for pose, frame in ((Pose2(1.0, 1.0, 0.0), "mars"), (Pose2(1.0, 1.0, 0.0), ""), (Pose2(math.nan, 1.0, 0.0), "map")):
        ended = end(rig, send(rig, pose, frame=frame))
        assert (ended.status, ended.result.error_code) == (GoalStatus.STATUS_ABORTED, Code.UNKNOWN_TARGET), frame
    assert rig.robot.pose == still


def test_poses_are_driven_to_in_order_and_a_bad_one_keeps_the_robot_where_it_is(rig):
    through = ActionClient(rig.node, NavigateThroughPoses, "/navigate_through_poses")
    rig.until(through.server_is_ready)

    def poses(*places, frame="map"):
        stamped = [PoseStamped(header=Header(frame_id=frame), pose=planar_pose(p)) for p in places]
        future = through.send_goal_async(NavigateThroughPoses.Goal(poses=stamped), feedback_callback=heard.append)
        rig.until(future.done)
        return end(rig, future.result())

    heard, begun = [], len(rig.robot.path)
    way = Pose2(1.6, 2.6, 0.4), Pose2(1.6, 2.2, -1.0)
    assert poses(*way).result.error_code == 0
    nearest = [min(math.dist(p[:2], place[:2]) for p in rig.robot.path[begun:]) for place in way]
    assert max(nearest) < 0.04 and math.dist(rig.robot.pose[:2], way[1][:2]) < 0.04
    assert {m.feedback.number_of_poses_remaining for m in heard} == {1, 2}
    still = rig.robot.pose
    assert poses(way[0], Pose2(math.nan, 0.0, 0.0)).result.error_code == Code.UNKNOWN_TARGET
    assert poses().result.error_code == Code.UNKNOWN_TARGET and rig.robot.pose == still


def test_a_newer_goal_replaces_the_old_one_and_explore_knows_its_rooms(rig):
    first = send(rig, Pose2(4.3, 3.2, 0.0))
    rig.spin(0.5)
    explore = ActionClient(rig.node, Explore, "/explore")
    rig.until(explore.server_is_ready)
    future = explore.send_goal_async(Explore.Goal(room="attic"))
    rig.until(future.done)
    ended = end(rig, future.result())
    assert ended.result.outcome.code == Code.UNKNOWN_TARGET
    for pose, frame in ((Pose2(1.0, 1.0, 0.0), "mars"), (Pose2(math.nan, 1.0, 0.0), "map")):
        assert end(rig, send(rig, pose, frame=frame)).result.error_code == Code.UNKNOWN_TARGET
    assert first.status == GoalStatus.STATUS_EXECUTING, "what is not possible leaves the drive in progress alone"
    end(rig, send(rig, rig.robot.pose))
    assert end(rig, first).result.error_code == Code.CANCELLED


def test_bad_messages_are_said_and_the_robot_drives_after_them(rig):
    health = rig.collect(DiagnosticArray, "/diagnostics", 10)
    header = Header(stamp=rig.node.get_clock().now().to_msg(), frame_id="odom")
    names = list(rig.robot.joints)
    zero = TransformStamped(header=header, child_frame_id="base_link")
    zero.transform.rotation.w = 0.0

    def send_bad():
        rig.driver.tf.publish(TFMessage(transforms=[zero]))
        fresh = Header(stamp=rig.node.get_clock().now().to_msg(), frame_id="laser")
        rig.driver.scans.publish(LaserScan(header=fresh, ranges=[1.0] * 9, angle_increment=math.nan, range_max=10.0))
        rig.driver.joints.publish(JointState(name=names, position=[math.nan] * len(names)))
        rig.driver.joints.publish(JointState(name=names, position=[0.1]))
        rig.spin(0.1)

    def complaint():
        return " ".join(s.message for m in health for s in m.status if s.name == "navigation")
    rig.until(lambda: all(word in complaint() for word in ("no pose", "points nowhere")), every=send_bad)
    ended = end(rig, send(rig, Pose2(2.0, 2.0, -0.5)))
    assert ended.result.error_code == 0, ended.result.error_msg
    assert math.dist(rig.robot.pose[:2], (2.0, 2.0)) < 0.05 and not rig.robot.collided


def test_a_joint_that_stays_without_a_number_ends_a_drive_with_the_reason(rig):
    handle, lost = send(rig, Pose2(4.3, 3.2, 0.0)), load_robot("stretch").arm_joints[0]
    rig.until(lambda: rig.robot.pose != rig.driver.start)
    rig.robot.joints = {name: math.nan if name == lost else value for name, value in rig.robot.joints.items()}
    ended = end(rig, handle)
    assert ended.result.error_code == Code.UNREACHABLE_BACKEND and lost in ended.result.error_msg


@pytest.fixture
def managed(rig):
    """Its lifecycle's state and transitions."""
    from lifecycle_msgs.srv import ChangeState, GetState
    change, state = (rig.node.create_client(kind, f"/navigation/{name}")
                     for kind, name in ((ChangeState, "change_state"), (GetState, "get_state")))
    rig.until(lambda: change.service_is_ready() and state.service_is_ready())

    def ask(client, request):
        future = client.call_async(request)
        rig.until(future.done)
        return future.result()

    rig.state = lambda: ask(state, GetState.Request()).current_state.label
    def transition(label):
        request = ChangeState.Request()
        request.transition.label = label
        return ask(change, request).success

    rig.transition = transition
    return rig


def test_a_lifecycle_manager_takes_it_down_and_brings_it_up(managed):
    assert managed.state() == "active", "with nobody's help"
    assert not managed.transition("configure"), "there is no such transition from there, and the node lives on"
    handle, start = send(managed, Pose2(4.3, 3.2, 0.0)), managed.robot.pose
    managed.until(lambda: math.dist(managed.robot.pose[:2], start[:2]) > 0.1)
    assert managed.transition("deactivate") and managed.state() == "inactive"
    assert end(managed, handle).result.error_code == Code.UNREACHABLE_BACKEND
    managed.spin(0.5)
    still = managed.robot.pose
    refused = end(managed, send(managed, Pose2(2.0, 2.0, 0.0)))
    assert refused.result.error_code == Code.UNREACHABLE_BACKEND and "not active" in refused.result.error_msg
    assert managed.robot.pose == still
    for label, then in (("cleanup", "unconfigured"), ("configure", "inactive"), ("activate", "active")):
        assert managed.transition(label) and managed.state() == then
    assert end(managed, send(managed, managed.robot.pose)).result.error_code == 0
