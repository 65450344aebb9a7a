"""Robots beside each other: names are within a namespace, frames have a prefix."""

import ast
from pathlib import Path

import pytest
from dadu_interfaces.msg import OperatorState
from dadu_nodes.support import qos
from dadu_nodes.support.frames import FrameNames
from dadu_nodes.support.transforms import TransformListener, map_pose
from geometry_msgs.msg import Pose, TransformStamped
from nav_msgs.msg import Odometry
from std_msgs.msg import Bool, Header
from tf2_msgs.msg import TFMessage

from dadu.bringup.arguments import Arguments, from_text
from dadu.bringup.command import instruction_command, ros_arguments
from dadu.bringup.graph import nodes
from dadu.bringup.naming import ros_words
from dadu.core.errors import ConfigError
from dadu.core.received_pose import PoseRefused
from dadu.core.transforms import TransformError

NODES = Path(__file__).parents[2] / "nodes"
SHARED = {"/tf", "/tf_static", "/clock"}
"""names that begin with a slash everywhere in ROS; remapped where need be. `override` has one more, "/e_stop", which
stops all robots, and a team has two"""
ENTITIES = {"create_publisher", "create_subscription", "create_client", "create_service", "ActionClient",
            "ActionServer", "ActionCaller", "Serving", "SensorSubscription", "GoalServer", "serve", "add"}


def test_no_node_has_a_name_outside_its_namespace():
    found = set()
    for path in NODES.rglob("*.py"):
        if path.name.startswith("chaos"):
            continue  # starts a graph of its own, outside of any namespace
        for call in (n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            words = [a.values[0] if isinstance(a, ast.JoinedStr) else a for a in call.args]
            if name in ENTITIES and len(words) > 1:
                found |= {str(w.value) for w in words if isinstance(w, ast.Constant) and str(w.value).startswith("/")}
    assert found == SHARED


def test_a_namespace_and_a_prefix_reach_every_node():
    for node in nodes(Arguments(namespace="robot1", frame_prefix="robot1_", navigation="nav2")):
        words = ros_arguments(node)
        assert "__ns:=/robot1" in words and 'frame_prefix:="robot1_"' in words
        assert node.remappings["/clock"] == "clock" and "/tf" not in node.remappings
    alone = nodes(Arguments(namespace="/house/robot1", sim=False, perception="yolo", robot="ur3"))
    for node in alone:
        assert node.remappings["/tf"] == "tf" and "__ns:=/house/robot1" in ros_arguments(node)
    assert next(n for n in alone if n.name == "grasp").remappings["joint_states"] == "controller_adapter/joint_states"
    assert instruction_command("go", "robot1")[-2:] == ["--namespace", "robot1"]


@pytest.mark.parametrize("wrong", ["robot 1", "1robot", "robot1/", "röbot", "a//b"])
def test_what_is_no_namespace_is_refused(wrong):
    with pytest.raises(ConfigError, match="namespace"):
        from_text({"namespace": wrong})
    with pytest.raises(ConfigError, match="no namespace"):
        ros_words(wrong, {})


def test_frames_are_ours_here_and_prefixed_outside(graph):
    node = graph.node
    node.declare_parameter("frame_prefix", "robot1_")
    listener = TransformListener(node)
    sender = node.create_publisher(TFMessage, "/tf", qos.TF)

    def link(parent, child, x):
        sent = TransformStamped(header=Header(frame_id=parent), child_frame_id=child)
        sent.transform.translation.x, sent.transform.rotation.w = x, 1.0
        return sent
    graph.until(sender.get_subscription_count)
    sender.publish(TFMessage(transforms=[link("map", "base_link", 7.0), link("robot2_map", "robot2_base_link", 8.0)]))
    sender.publish(listener.frames.sent(TFMessage(transforms=[link("map", "base_link", 1.0)])))

    def at():
        try:
            return listener.tree.lookup("map", "base_link")[0, 3]
        except TransformError:
            return None
    assert graph.until(at) == 1.0, "ours, though another's was there before"

    pose = Pose()
    pose.orientation.w = 1.0
    assert map_pose(listener, Header(frame_id="robot1_base_link"), pose).x == 1.0
    for foreign in ("base_link", "robot2_base_link", "map", ""):
        with pytest.raises(PoseRefused):
            map_pose(listener, Header(frame_id=foreign), pose)
    odometry = FrameNames("robot1_").sent(Odometry(header=Header(frame_id="odom"), child_frame_id="base_link"))
    assert (odometry.header.frame_id, odometry.child_frame_id) == ("robot1_odom", "robot1_base_link")
    assert FrameNames().here("/laser") == "laser" and FrameNames().sent(Header(frame_id="map")).frame_id == "map"


def test_a_robot_s_own_stop_is_not_heard_in_another_namespace_and_the_one_for_all_by_everybody(graph, start_node):
    heard = {}
    for robot in ("robot1", "robot2"):
        start_node("override", namespace=robot)
        heard[robot] = graph.collect(OperatorState, f"/{robot}/operator/state", qos.LATCHED)
    own, all_of_them = (graph.node.create_publisher(Bool, name, qos.STATE) for name in ("/robot1/e_stop", "/e_stop"))
    graph.until(lambda: all(heard.values()) and own.get_subscription_count() and
                all_of_them.get_subscription_count() == 2)

    def stopped():
        return {robot for robot, states in heard.items() if states[-1].state == OperatorState.STOPPED}
    own.publish(Bool(data=True))
    graph.until(lambda: stopped() == {"robot1"})
    graph.spin(0.3)
    assert stopped() == {"robot1"}
    all_of_them.publish(Bool(data=True))
    graph.until(lambda: stopped() == {"robot1", "robot2"})
    all_of_them.publish(Bool(data=False))
    graph.until(lambda: stopped() == {"robot1"})
    graph.spin(0.3)
    assert stopped() == {"robot1"}, "its own is still pressed"
    own.publish(Bool(data=False))
    graph.until(lambda: not stopped())
