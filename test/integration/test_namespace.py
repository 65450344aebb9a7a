"""The whole graph of a robot beside others: in a namespace, with frames of its own."""

from pathlib import Path

import pytest
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateToPose
from running import Client
from sensor_msgs.msg import Image
from tf2_msgs.msg import TFMessage

pytestmark = [pytest.mark.thorough]
HOUSE = Path(__file__).with_name("studio.house.yaml")
OUTSIDE = {"/tf", "/tf_static", "/parameter_events", "/rosout"}
"""what robots share where their frames have a prefix, and what is ROS's own"""


@pytest.fixture(scope="module")
def running(start_graph):
    return start_graph(record="true", namespace="robot1", frame_prefix="robot1_")


@pytest.fixture
def client(graph, running):
    client = Client(graph, HOUSE, "/robot1")
    yield client
    client.close()


def test_a_task_is_done_and_nothing_is_heard_or_said_elsewhere(client):
    reply = client.do("put the soup can on the dining table")
    assert reply.success, reply.summary
    assert client.holds(is_on_top=[["soup_can_0"], ["dining_table_0"]])
    topics = {name for name, _ in client.graph.node.get_topic_names_and_types()}
    services = {name for name, _ in client.graph.node.get_service_names_and_types() if not name.startswith("/tester/")}
    assert {name for name in topics | services if not name.startswith("/robot1/")} <= OUTSIDE


def test_all_frames_have_the_prefix_and_goals_are_given_in_them(client):
    moving, pictures = [client.graph.collect(*heard) for heard in (
        (TFMessage, "/tf", qos.TF), (Image, "/robot1/camera/color/image_raw", qos.CAMERA))]
    client.graph.until(lambda: pictures and any(
        t.header.frame_id == "robot1_map" for message in moving for t in message.transforms))
    named = {name for m in moving for t in m.transforms for name in (t.header.frame_id, t.child_frame_id)}
    assert {"robot1_map", "robot1_odom", "robot1_base_link"} <= named
    assert all(name.startswith("robot1_") for name in named | {pictures[0].header.frame_id})

    drive = ActionClient(client.graph.node, NavigateToPose, "/robot1/navigate_to_pose")
    client.graph.until(drive.server_is_ready)
    for frame, code in (("robot1_base_link", 0), ("base_link", 31)):
        goal = NavigateToPose.Goal(pose=PoseStamped())
        goal.pose.header.frame_id, goal.pose.pose.orientation.w = frame, 1.0
        sent = drive.send_goal_async(goal)
        client.graph.until(sent.done)
        ended = sent.result().get_result_async()
        client.graph.until(ended.done)
        assert ended.result().result.error_code == code, ended.result().result.error_msg
