"""Sensors are heard whatever their drivers offer, and whichever of both comes first."""

import pytest
import rclpy
from dadu_nodes.support import qos
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.listening.events import keep_quiet, tell_events
from dadu_nodes.support.listening.offered import SensorSubscription
from dadu_nodes.support.polled import PolledSubscriptions
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import LaserScan, PointCloud2

BEST_EFFORT = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)


def test_best_effort_and_reliable_drivers_before_and_after_the_listener(shared_graph):
    graph, heard = shared_graph, {}
    polled = PolledSubscriptions(graph.node)
    publishers = {}
    for name, profile in (("loose", BEST_EFFORT), ("strict", qos.SENSOR)):
        for first in (True, False):
            topic = f"/{name}_{'early' if first else 'late'}"
            if first:
                publishers[topic] = graph.node.create_publisher(LaserScan, topic, profile)
                graph.until(lambda topic=topic: graph.node.get_publishers_info_by_topic(topic))
            heard[topic, "awake"], heard[topic, "polled"] = [], []
            SensorSubscription(graph.node, LaserScan, topic, heard[topic, "awake"].append, qos.SENSOR)
            polled.add(LaserScan, topic, lambda m, _, topic=topic: heard[topic, "polled"].append(m), qos.SENSOR)
            if not first:
                publishers[topic] = graph.node.create_publisher(LaserScan, topic, profile)

    def publish():
        for publisher in publishers.values():
            publisher.publish(LaserScan())
        polled.poll()

    graph.until(lambda: all(heard.values()), every=publish)
    kept = [s.qos_profile.reliability for s in graph.node.subscriptions if s.topic_name.startswith("/strict")]
    assert set(kept) == {ReliabilityPolicy.RELIABLE}, "what is reliable stays so"


def test_what_is_latched_by_one_and_not_by_another_is_heard_of_both(shared_graph):
    graph, heard = shared_graph, set()
    latched = graph.node.create_publisher(LaserScan, "/fixed", qos.LATCHED)
    latched.publish(LaserScan(scan_time=1.0))
    volatile = graph.node.create_publisher(LaserScan, "/fixed", QoSProfile(depth=5))
    polled = PolledSubscriptions(graph.node)
    polled.add(LaserScan, "/fixed", lambda message, _: heard.add(message.scan_time), qos.LATCHED)
    for waitable in graph.node.waitables:  # as nodes of ours do
        keep_quiet(waitable)

    def publish():
        volatile.publish(LaserScan(scan_time=2.0))
        tell_events(graph.node)
        polled.poll()
    graph.until(lambda: heard == {1.0, 2.0}, every=publish)
    polled.close()


def test_a_last_look_after_the_shutdown_of_ros_takes_what_is_there(monkeypatch):
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node("late", context=context)
    polled = PolledSubscriptions(node)
    polled.add(LaserScan, "/nothing", lambda *_: None, qos.SENSOR)
    context.shutdown()
    monkeypatch.setattr("dadu_nodes.support.polled.DISCOVERY", -1.0)  # a look at what is offered is due
    polled.poll()
    node.destroy_node()


@pytest.fixture
def driver(shared_graph):
    """A node of its own participant, as on another machine."""
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=shared_graph.node.context.get_domain_id())
    node = rclpy.create_node("velodyne", context=context)
    yield node
    node.destroy_node()
    rclpy.try_shutdown(context=context)


def test_a_topic_that_others_publish_as_something_else_is_said_to_be_that(shared_graph, driver):
    node = shared_graph.node
    intake = Intake.of(node)
    node.create_subscription(LaserScan, "/rays", lambda _: None, qos.SENSOR)
    assert intake.why("/rays") == "" == intake.why("/nobody")
    clouds = driver.create_publisher(PointCloud2, "/rays", 5)
    shared_graph.until(lambda: "velodyne" in intake.why("/rays"))
    assert intake.why("/rays") == (
        " (/rays is sensor_msgs/msg/PointCloud2 of velodyne, not sensor_msgs/msg/LaserScan)")
    driver.destroy_publisher(clouds)
    driver.create_publisher(LaserScan, "/rays", 5)
    shared_graph.until(lambda: not intake.why("/rays"))
