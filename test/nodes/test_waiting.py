"""What is waited for is looked at now and then, and at once when something tells."""

from dadu_nodes.support.waiting import wait_until
from rclpy.task import Future


def test_an_event_is_heard_long_before_the_next_look(graph):
    event = Future()
    waiting = graph.executor.create_task(wait_until(graph.node, event.done, 600.0, event))
    graph.spin(0.1)
    assert not waiting.done()
    event.set_result(None)
    graph.until(waiting.done)


def test_what_nobody_tells_of_is_seen_at_the_next_look(graph):
    seen = []
    waiting = graph.executor.create_task(wait_until(graph.node, lambda: len(seen) > 0, 0.05))
    graph.spin(0.1)
    assert not waiting.done()
    seen.append(True)
    graph.until(waiting.done)
