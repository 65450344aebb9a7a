"""Events of the middleware wake no node, and are told all the same."""

from dadu_nodes.support.listening.events import keep_quiet, tell_events
from rclpy.event_handler import EventHandler, SubscriptionEventCallbacks
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from std_msgs.msg import String


class QuietNode(Node):
    def add_waitable(self, waitable):
        keep_quiet(waitable)
        super().add_waitable(waitable)


def test_a_publisher_that_offers_too_little_is_told_of_when_it_is_looked_for(graph):
    node, told = QuietNode("quiet", context=graph.node.context), []
    reliable = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE)
    node.create_subscription(String, "/weak", lambda message: None, reliable,
                             event_callbacks=SubscriptionEventCallbacks(incompatible_qos=told.append))
    executor = SingleThreadedExecutor(context=graph.node.context)
    assert sum(isinstance(w, EventHandler) for w in node.waitables) >= 2
    assert not any(executor.can_execute(w) for w in node.waitables if isinstance(w, EventHandler))
    tell_events(node)
    assert not told
    graph.node.create_publisher(String, "/weak", QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT))
    graph.until(lambda: told, every=lambda: tell_events(node))
    assert told[0].total_count == 1
    tell_events(node)
    assert len(told) == 1, "once"
    node.destroy_node()
