"""The bridge as a process: driver interfaces over ROS, and a world that survives SIGKILL."""

from statistics import median

import numpy as np
import pytest
from action_msgs.msg import GoalStatus
from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_interfaces.msg import GroundTruth
from dadu_interfaces.srv import SimDisturb, SimReset
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.transforms import TransformListener
from geometry_msgs.msg import Twist as TwistMsg
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Image, JointState, LaserScan

from dadu.core.robot import JointTrajectory, Twist
from dadu.core.transforms import TransformError
from dadu.incoming.pictures import stored
from dadu.robots import load_robot

FAST = {"rtf": 3.0, "seed": -1, "engine.resting": 1}
OPEN = load_robot("stretch").aperture_max
ARM = "/arm_controller/follow_joint_trajectory"

EVERY = QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE)
"""keeps what comes while the test itself is not given a processor"""


@pytest.fixture
def bridge_process(start_node):
    return start_node("sim_bridge", **FAST)


@pytest.fixture
def bridge(graph, bridge_process):
    graph.joints = graph.collect(JointState, "/joint_states", qos.SENSOR)
    graph.clock = graph.collect(Clock, "/clock", qos.STATE)
    graph.until(lambda: graph.joints)
    return graph


def wait(graph, future):
    graph.until(future.done)
    return future.result()


def send(graph, kind, name, goal):
    client = ActionClient(graph.node, kind, name)
    graph.until(client.server_is_ready)
    return wait(graph, client.send_goal_async(goal))


def arm_goal(positions, duration):
    return FollowJointTrajectory.Goal(trajectory=encode.trajectory(JointTrajectory.single_goal(positions, duration)))


def joint(graph, name):
    message = graph.joints[-1]
    return message.position[message.name.index(name)]


def position(tree):
    """Along odom's x [m]."""
    try:
        return tree.lookup("odom", "base_link")[0, 3]
    except TransformError:
        return 0.0


def pose_of(tree, frame):
    try:
        return tree.lookup("odom", frame)
    except TransformError:
        return None


def test_sensors_and_frames(bridge):
    tree = TransformListener(bridge.node).tree
    scans = bridge.collect(LaserScan, "/scan", qos.SENSOR)
    pictures = {name: bridge.collect(Image, f"/camera/{name}/image_raw", EVERY)
                for name in ("color", "depth", "instances")}
    truths = bridge.collect(GroundTruth, "/sim/ground_truth", qos.STATE)
    bridge.until(lambda: scans and truths and all(len(heard) >= 10 for heard in pictures.values()))
    color, depth, instances = (pictures[name] for name in ("color", "depth", "instances"))
    assert {m.encoding for m in color} == {"rgb8"} and {m.encoding for m in depth + instances} == {"16UC1"}
    stamps = [seconds(m.header.stamp) for m in color]
    gaps = [b - a for a, b in zip(stamps, stamps[1:])]
    assert median(gaps) == pytest.approx(0.2, abs=0.03), "but for what a busy listener has missed"
    assert 500 < stored(depth[-1]).max() < 8001 and len(scans[-1].ranges) == 360
    assert len(truths[-1].instance_names) > stored(instances[-1]).max() > 0
    bridge.until(lambda: pose_of(tree, color[-1].header.frame_id) is not None)  # of what stands still is told but once
    camera = pose_of(tree, color[-1].header.frame_id)
    assert camera[2, 3] == pytest.approx(1.32, abs=0.05) and camera[2, 0] < -0.7


def test_somebody_walks_about(graph, start_node):
    scans = graph.collect(LaserScan, "/scan", EVERY)
    start_node("sim_bridge", person="walks", **FAST)
    graph.until(lambda: len(scans) > 1 and np.ptp([scan.ranges for scan in scans], axis=0).max() > 1.0)


def test_arm_goals_succeed_are_replaced_cancelled_and_refused_and_the_gripper_moves(bridge):
    first = send(bridge, FollowJointTrajectory, ARM, arm_goal({"joint_lift": 1.0}, 20.0))
    second = send(bridge, FollowJointTrajectory, ARM, arm_goal({"joint_lift": 0.5, "joint_head_pan": 0.5}, 2.0))
    replaced, done = wait(bridge, first.get_result_async()), wait(bridge, second.get_result_async())
    assert replaced.result.error_code == FollowJointTrajectory.Result.INVALID_GOAL
    assert done.result.error_code == FollowJointTrajectory.Result.SUCCESSFUL
    bridge.until(lambda: joint(bridge, "joint_lift") == pytest.approx(0.5, abs=0.01))

    third = send(bridge, FollowJointTrajectory, ARM, arm_goal({"joint_lift": 1.0}, 10.0))
    bridge.until(lambda: joint(bridge, "joint_lift") > 0.55)
    wait(bridge, third.cancel_goal_async())
    assert wait(bridge, third.get_result_async()).status == GoalStatus.STATUS_CANCELED
    bridge.spin(0.5)
    rest = joint(bridge, "joint_lift")
    bridge.spin(0.3)
    assert rest < 0.95 and joint(bridge, "joint_lift") == pytest.approx(rest, abs=2e-3)
    assert not send(bridge, FollowJointTrajectory, ARM, arm_goal({"joint_elbow": 0.1}, 1.0)).accepted

    for position, effort in ((10.0, 0.0), (0.1, 0.0), (-0.01, 15.0)):
        goal = GripperCommand.Goal()
        goal.command.position, goal.command.max_effort = position, effort
        handle = send(bridge, GripperCommand, "/gripper_controller/gripper_cmd", goal)
        result = wait(bridge, handle.get_result_async()).result
        assert result.reached_goal != (position > OPEN), "as wide as they go, but no wider"
        assert result.position == pytest.approx(min(max(0.0, position), OPEN), abs=0.006)
    assert result.effort == pytest.approx(15.0, abs=1.6)  # nine tenths count as squeezing


def test_the_base_stops_when_nobody_speaks_and_the_node_ends_when_asked(bridge, bridge_process):
    tree = TransformListener(bridge.node).tree
    publisher = bridge.node.create_publisher(TwistMsg, "/cmd_vel", qos.COMMAND)
    bridge.until(lambda: position(tree) > 0.2, every=lambda: publisher.publish(encode.twist(Twist(0.2, 0.0))))
    seen = []

    def stands():
        """Has not moved for a second by the simulation's clock, however late the last commands came."""
        now, place = seconds(bridge.clock[-1].clock), position(tree)
        if not seen or abs(place - seen[-1][1]) > 1e-3:
            seen.append((now, place))
        return now - seen[-1][0] > 1.0
    bridge.until(stands)
    bridge_process.terminate()
    assert bridge_process.wait(timeout=100) in (0, -15)


def test_sensors_are_silenced_and_the_clock_is_set_ahead_on_request(bridge):
    scans = bridge.collect(LaserScan, "/scan", qos.SENSOR)

    def disturb(kind, object="", target=""):
        return bridge.ask(SimDisturb, "/sim/disturb", kind=kind, object=object, target=target)

    bridge.until(lambda: scans)
    assert disturb("silence", "laser").success
    bridge.spin(0.2)
    scans.clear()
    now = seconds(bridge.clock[-1].clock)
    bridge.until(lambda: seconds(bridge.clock[-1].clock) > now + 1.0)
    assert scans == []
    assert disturb("hear", "laser").success
    bridge.until(lambda: scans)
    assert disturb("set_ahead", target="500.0").success
    bridge.until(lambda: seconds(scans[-1].header.stamp) > now + 501.0)
    bridge.until(lambda: seconds(bridge.clock[-1].clock) > now + 501.0)
    assert "there are camera" in disturb("silence", "nose").message
    for wrong in ("soon", "-3", "nan"):
        assert not disturb("set_ahead", target=wrong).success


def test_services_change_the_world_which_survives_a_kill(bridge, bridge_process, start_node, tmp_path):
    truths = bridge.collect(GroundTruth, "/sim/ground_truth", qos.STATE)

    def door():
        return truths[-1].part_values[truths[-1].part_names.index("fridge_0/door")] if truths else 0.0

    def disturb(kind, target):
        return bridge.ask(SimDisturb, "/sim/disturb", kind=kind, target=target)

    assert disturb("open", "fridge_0").success
    bridge.until(lambda: door() > 1.0)
    refused = disturb("open", "sofa_0")
    assert not refused.success and "fridge_0/door" in refused.message
    now = bridge.clock[-1].clock
    assert bridge.ask(SimReset, "/sim/reset", seed=-1).success
    bridge.until(lambda: door() < 0.1)
    assert seconds(bridge.clock[-1].clock) > seconds(now)
    assert not bridge.ask(SimReset, "/sim/reset", house="castle").success

    assert disturb("open", "fridge_0").success
    written = set()
    bridge.until(lambda: written.update(file.stat().st_mtime_ns for file in tmp_path.glob("sim_state.npz"))
                 or len(written) > 2)
    bridge_process.kill()
    bridge_process.wait()
    bridge.spin(0.5)
    last = max(seconds(message.clock) for message in bridge.clock)
    truths.clear()
    bridge.clock.clear()
    start_node("sim_bridge", **FAST)
    bridge.until(lambda: truths and bridge.clock)
    assert seconds(bridge.clock[0].clock) > last
    assert door() > 1.0
