"""The recorder as a process: records what appears, ends cleanly on SIGINT, loses little on SIGKILL."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

rclpy = pytest.importorskip("rclpy")
pytest.importorskip("dadu_interfaces")

from dadu_interfaces.action import Pick  # noqa: E402
from dadu_interfaces.msg import PlanStep  # noqa: E402
from dadu_nodes.support import qos  # noqa: E402
from dadu_nodes.support.convert.images import image_message  # noqa: E402
from rclpy.action import ActionClient, ActionServer  # noqa: E402
from rclpy.executors import SingleThreadedExecutor  # noqa: E402
from rosbags.highlevel import AnyReader  # noqa: E402
from sensor_msgs.msg import Image  # noqa: E402
from std_msgs.msg import Header, String  # noqa: E402

from dadu.operator.bag import bags  # noqa: E402
from dadu.operator.bag_repair import repair_all  # noqa: E402
from dadu.operator.pictures import decompress  # noqa: E402


@pytest.fixture
def graph():
    """A node, spun on demand, in a domain of its own."""
    os.environ["ROS_DOMAIN_ID"] = str(100 + os.getpid() % 100)
    rclpy.init()
    node = rclpy.create_node("publisher_under_test")
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    yield node, executor
    node.destroy_node()
    rclpy.shutdown()


@pytest.fixture
def recorder(tmp_path):
    """Starts recorders in `tmp_path`; none survives the test."""
    started = []

    def start():
        started.append(subprocess.Popen([sys.executable, "-m", "dadu_nodes.recorder"],
                                        env={**os.environ, "DADU_RUN_DIR": str(tmp_path)}))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def spin(executor, seconds, every=None):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        executor.spin_once(timeout_sec=0.05)
        if every is not None:
            every()


def wait_for_subscribers(executor, *publishers):
    end = time.monotonic() + 15
    while time.monotonic() < end and not all(p.get_subscription_count() for p in publishers):
        executor.spin_once(timeout_sec=0.05)
    assert all(p.get_subscription_count() for p in publishers), "the recorder did not subscribe"


def content(path):
    with AnyReader([path]) as reader:
        found = {}
        for connection, _, raw in reader.messages():
            found.setdefault(connection.topic, []).append(reader.deserialize(raw, connection.msgtype))
        return found


def test_records_late_latched_pictures_and_actions(graph, recorder, tmp_path):
    node, executor = graph
    latched = node.create_publisher(String, "/latched", qos.LATCHED)
    latched.publish(String(data="from before"))
    process = recorder()
    camera = node.create_publisher(Image, "/camera/depth/image_raw", qos.CAMERA)
    steps = node.create_publisher(PlanStep, "/plan_trace", qos.STATE)
    wait_for_subscribers(executor, latched, camera, steps)
    depth = np.full((48, 64), 1.25, np.float32)
    camera.publish(image_message(depth, "32FC1", Header(frame_id="camera")))
    steps.publish(PlanStep(step=3, reasoning="because"))

    def execute(handle):
        handle.publish_feedback(Pick.Feedback(phase="approach"))
        handle.succeed()
        return Pick.Result()

    server = ActionServer(node, Pick, "/pick", execute)
    client = ActionClient(node, Pick, "/pick")
    spin(executor, 1.5)
    client.send_goal_async(Pick.Goal(object="milk_0"))
    spin(executor, 0.7)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) == 0
    found = content(tmp_path / "bag")
    assert found["/latched"][0].data == "from before"
    assert found["/plan_trace"][0].step == 3
    assert found["/pick/_action/feedback"][0].feedback.phase == "approach"
    assert found["/pick/_action/status"][-1].status_list[0].status == 4
    assert (decompress(found["/camera/depth/image_raw/compressed"][0].data) == 1250).all()
    server.destroy()


def test_a_killed_recorder_leaves_a_bag_that_the_next_one_repairs(graph, recorder, tmp_path):
    node, executor = graph
    publisher = node.create_publisher(String, "/talk", qos.STATE)
    process = recorder()
    wait_for_subscribers(executor, publisher)
    spin(executor, 3.0, every=lambda: publisher.publish(String(data="x")))
    process.kill()
    process.wait()
    assert bags(tmp_path) == []
    again = recorder()
    spin(executor, 3.0)
    again.send_signal(signal.SIGTERM)
    assert again.wait(timeout=5) == 0
    assert [p.name for p in bags(tmp_path)] == ["bag", "bag_1"] and repair_all(tmp_path) == []
    assert len(content(tmp_path / "bag")["/talk"]) > 10
