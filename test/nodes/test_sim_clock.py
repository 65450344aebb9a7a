"""Simulated time is followed without waking the node; timers on it still fire when they are due."""

import threading
import time

import pytest
import rclpy
from builtin_interfaces.msg import Time
from dadu_nodes.support.sim_clock import SimClock
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock


class CountingExecutor(SingleThreadedExecutor):
    """Counts how often it had something to do."""

    callbacks = 0

    def wait_for_ready_callbacks(self, *args, **kwargs):
        found = super().wait_for_ready_callbacks(*args, **kwargs)
        self.callbacks += 1
        return found


@pytest.fixture
def idle(graph):
    """A node on simulated time with a timer, spun in a thread of its own: node, executor, clock, and when the timer
    fired [s]."""
    node = rclpy.create_node("idle", parameter_overrides=[Parameter("use_sim_time", value=True)])
    clock, fired, executor = SimClock(node), [], CountingExecutor()
    node.create_timer(0.5, lambda: fired.append(node.get_clock().now().nanoseconds * 1e-9))
    executor.add_node(node)
    thread = threading.Thread(target=_spin, args=(executor,))
    thread.start()
    yield node, executor, clock, fired
    clock.close()
    executor.shutdown()
    thread.join()
    node.destroy_node()


def _spin(executor):
    try:
        executor.spin()
    except ExternalShutdownException:
        pass


def test_the_clock_is_followed_and_only_timers_wake_the_node(graph, idle):
    node, executor, _, fired = idle
    publisher = graph.node.create_publisher(Clock, "/clock", 1)
    graph.until(lambda: publisher.get_subscription_count())
    for i in range(1, 101):
        publisher.publish(Clock(clock=Time(sec=i // 50, nanosec=i % 50 * 20_000_000)))
        graph.until(lambda now=i * 20_000_000: node.get_clock().now().nanoseconds == now)
        graph.until(lambda due=i // 25: len(fired) == due)
    assert all(abs(at - due) < 0.1 for at, due in zip(fired, (0.5, 1.0, 1.5, 2.0)))
    assert executor.callbacks < 20, "a clock message wakes nobody else"


def test_the_clock_of_a_node_that_is_not_at_work_is_set_twice_a_second(graph, idle):
    node, _, clock, _ = idle
    clock.at_work(False)
    publisher, seen = graph.node.create_publisher(Clock, "/clock", 1), set()
    graph.until(lambda: publisher.get_subscription_count())
    start = time.monotonic()
    for i in range(1, 101):
        publisher.publish(Clock(clock=Time(sec=i // 50, nanosec=i % 50 * 20_000_000)))
        time.sleep(0.01)
        seen.add(node.get_clock().now().nanoseconds)
    assert 1 < len(seen) < 3 * (time.monotonic() - start) + 3
    publisher.publish(Clock(clock=Time(sec=3)))
    graph.until(lambda: clock.refresh() or node.get_clock().now().nanoseconds == 3_000_000_000)
    clock.at_work(True)
    publisher.publish(Clock(clock=Time(sec=4)))
    graph.until(lambda: node.get_clock().now().nanoseconds == 4_000_000_000)


def test_a_time_that_is_told_again_is_a_pause(graph, idle):
    node, _, clock, _ = idle
    publisher = graph.node.create_publisher(Clock, "/clock", 1)
    graph.until(lambda: publisher.get_subscription_count())
    publisher.publish(Clock(clock=Time(sec=3)))
    graph.until(lambda: node.get_clock().now().nanoseconds == 3 * 10**9)
    assert not clock.paused

    def said_again():
        publisher.publish(Clock(clock=Time(sec=3)))
        return clock.paused

    graph.until(said_again)
