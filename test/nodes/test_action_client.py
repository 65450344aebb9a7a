"""The client of an action: what it may rely on once its server is ready, and that it hears everything."""

from types import SimpleNamespace

import pytest
import rclpy.action
from dadu_interfaces.action import Pick
from dadu_nodes.support.actions import action_caller
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.waiting import sleep
from rclpy.action import ActionServer, CancelResponse
from rclpy.executors import SingleThreadedExecutor
from rclpy.time import Time

PHASES = ["approach", "grasp", "lift", "retreat"]


@pytest.fixture
def server(graph):
    """The executor of a server that tells its phases and is done; it works while that is spun."""
    def execute(handle):
        for phase in PHASES:
            handle.publish_feedback(Pick.Feedback(phase=phase))
        handle.succeed()
        return Pick.Result()

    node, executor = rclpy.create_node("server"), SingleThreadedExecutor()
    serving = ActionServer(node, Pick, "/pick", execute)
    executor.add_node(node)
    yield executor
    executor.shutdown()
    serving.destroy()
    node.destroy_node()


def test_a_server_is_ready_once_it_has_answered(graph, server):
    plain = rclpy.action.ActionClient(graph.node, Pick, "/pick")
    client = ActionClient(graph.node, Pick, "/pick")
    graph.until(plain.server_is_ready)
    graph.spin(0.5, every=lambda: client.server_is_ready())
    assert not client.server_is_ready()
    graph.until(client.server_is_ready, every=lambda: server.spin_once(timeout_sec=0.0))


def test_all_that_was_said_before_the_end_is_heard_however_late(graph, server):
    client, heard = ActionClient(graph.node, Pick, "/pick"), []
    graph.until(client.server_is_ready, every=lambda: server.spin_once(timeout_sec=0.0))
    sent = client.send_goal_async(Pick.Goal(), feedback_callback=lambda message: heard.append(message.feedback.phase))
    graph.until(sent.done, every=lambda: server.spin_once(timeout_sec=0.0))
    ended = sent.result().get_result_async()
    for _ in range(20):  # it ends, and answers, while nobody listens
        server.spin_once(timeout_sec=0.05)
    graph.until(ended.done)
    assert heard == PHASES


def test_a_goal_that_is_taken_too_late_is_cancelled(graph, monkeypatch):
    """A server that answers after it was given up would carry it out unwatched."""
    monkeypatch.setattr(action_caller, "ANSWER", 0.2)
    node, executor, ended = rclpy.create_node("server"), SingleThreadedExecutor(), []

    async def execute(handle):
        while not handle.is_cancel_requested:
            await sleep(node, 0.02)
        handle.canceled()
        ended.append(True)
        return Pick.Result()
    serving = ActionServer(node, Pick, "/pick", execute, cancel_callback=lambda _: CancelResponse.ACCEPT)
    executor.add_node(node)
    caller = action_caller.ActionCaller(graph.node, Pick, "/pick")
    graph.until(caller._client.server_is_ready, every=lambda: executor.spin_once(timeout_sec=0.0))
    answer = graph.executor.create_task(caller.call, Pick.Goal(), lambda: False, 100.0)
    graph.until(answer.done)
    assert answer.result() is None and not ended
    graph.until(lambda: ended, every=lambda: executor.spin_once(timeout_sec=0.0))
    executor.shutdown()
    serving.destroy()
    node.destroy_node()


def test_orphans_are_what_was_under_way_at_the_beginning_not_when_the_server_is_found(monkeypatch):
    asked, ready = [], iter([False, True])
    client = SimpleNamespace(server_is_ready=lambda: next(ready), cancel_all=lambda until: asked.append(until) or True)
    monkeypatch.setattr(action_caller, "ActionClient", lambda *_: client)
    times = iter([0, 5, 9])
    clock = SimpleNamespace(now=lambda: Time(seconds=next(times)))
    caller = action_caller.ActionCaller(SimpleNamespace(get_clock=lambda: clock), None, "drive")
    assert [caller.cancel_orphans() for _ in range(3)] == [False, False, True]
    assert asked == [Time(seconds=5)], "nobody had told the time at first; who sent a goal since then keeps it"
