"""The recorder as a process: records what appears, ends cleanly on SIGINT, loses little on SIGKILL."""

import re
import signal
import time

import numpy as np
from dadu_interfaces.action import Pick
from dadu_interfaces.msg import PlanStep
from dadu_nodes.recorder import DERIVED
from dadu_nodes.simulator.publishers import image_message
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.listening.topics import SMALL, requested
from dadu_nodes.support.polled import PolledSubscriptions
from geometry_msgs.msg import TransformStamped
from rclpy.action import ActionServer
from rosbags.highlevel import AnyReader
from sensor_msgs.msg import Image
from std_msgs.msg import Header, String
from tf2_msgs.msg import TFMessage

from dadu.incoming.pictures import decoded
from dadu.operator.bags.bag import bags
from dadu.operator.bags.bag_repair import repair_all


def content(path):
    with AnyReader([path]) as reader:
        found = {}
        for connection, _, raw in reader.messages():
            found.setdefault(connection.topic, []).append(reader.deserialize(raw, connection.msgtype))
        return found


def test_records_late_latched_pictures_and_actions(graph, start_node, tmp_path):
    latched = graph.node.create_publisher(String, "/latched", qos.LATCHED)
    latched.publish(String(data="from before"))
    process = start_node("recorder")
    camera = graph.node.create_publisher(Image, "/camera/depth/image_raw", qos.CAMERA)
    steps = graph.node.create_publisher(PlanStep, "/plan_trace", qos.STATE)
    graph.until(lambda: all(p.get_subscription_count() for p in (latched, camera, steps)))
    depth = np.full((48, 64), 1.25, np.float32)
    picture = image_message(depth, "32FC1", Header(frame_id="camera"))
    steps.publish(PlanStep(step=3, reasoning="because"))

    def execute(handle):
        handle.publish_feedback(Pick.Feedback(phase="approach"))
        handle.succeed()
        return Pick.Result()

    server = ActionServer(graph.node, Pick, "/pick", execute)
    client = ActionClient(graph.node, Pick, "/pick")
    topics = [f"/pick/_action/{name}" for name in ("feedback", "status")]
    graph.until(lambda: client.server_is_ready() and all(graph.node.count_subscribers(topic) == 2 for topic in topics))
    graph.until(client.send_goal_async(Pick.Goal(object="milk_0")).done)
    graph.spin(1.0, every=lambda: camera.publish(picture))
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=100) == 0
    found = content(tmp_path / "bag")
    assert found["/latched"][0].data == "from before"
    assert found["/plan_trace"][0].step == 3
    assert found["/pick/_action/feedback"][0].feedback.phase == "approach"
    assert found["/pick/_action/status"][-1].status_list[0].status == 4
    assert (decoded(bytes(found["/camera/depth/image_raw/compressed"][0].data)) == 1250).all()
    server.destroy()


def test_a_recorder_that_is_held_up_for_seconds_loses_no_transform(graph):
    publisher = graph.node.create_publisher(TFMessage, "/held_up/tf", qos.TF)
    heard, topics = [], PolledSubscriptions(graph.node)
    offers = graph.node.get_publishers_info_by_topic("/held_up/tf")
    topics.add(TFMessage, "/held_up/tf", lambda data, _: heard.append(data), requested(offers, SMALL), raw=True)
    graph.until(publisher.get_subscription_count)
    for i in range(1200):
        publisher.publish(TFMessage(transforms=[TransformStamped(child_frame_id=str(i))]))
        time.sleep(0.001)  # the publisher's own queue is shorter
    graph.until(lambda: topics.poll() or len(heard) >= 1200)
    assert len(heard) == 1200
    topics.close()


def test_a_killed_recorder_leaves_a_bag_that_reads_and_the_next_one_begins_another(graph, start_node, tmp_path):
    publisher = graph.node.create_publisher(String, "/talk", qos.STATE)
    process = start_node("recorder")
    graph.until(publisher.get_subscription_count)

    def until_recorded(name, times):
        """Until what is published has grown this bag so often: now and then, at its checkpoints."""
        sizes = {0}
        graph.until(lambda: len(sizes) > times, every=lambda: (
            publisher.publish(String(data="x")),
            sizes.add(sum(file.stat().st_size for file in (tmp_path / name).glob("*.mcap")))))

    until_recorded("bag", times=2)
    process.kill()
    process.wait()
    assert [p.name for p in bags(tmp_path)] == ["bag"] and content(tmp_path / "bag")["/talk"]  # up to a checkpoint
    again = start_node("recorder")
    until_recorded("bag_1", times=1)
    again.send_signal(signal.SIGTERM)
    assert again.wait(timeout=100) == 0
    assert [p.name for p in bags(tmp_path)] == ["bag", "bag_1"] and repair_all(tmp_path) == []
    assert len(content(tmp_path / "bag")["/talk"]) > 10


def test_what_is_drawn_from_the_rest_is_not_recorded():
    for topic in ("/perception/points", "/robot1/perception/points", "/global_costmap/costmap", "/world_graph/markers"):
        assert re.search(DERIVED, topic), topic
    for topic in ("/perception/detections", "/world_graph", "/map", "/camera/depth/image_raw", "/scan"):
        assert not re.search(DERIVED, topic), topic
