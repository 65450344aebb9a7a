"""The whole graph with the symbolic planner: tasks, disturbances, deaths, interruptions."""

import pytest
from action_msgs.msg import GoalStatus
from dadu_interfaces.msg import Outcome
from dadu_nodes.support import qos
from std_msgs.msg import Bool


@pytest.fixture(scope="module")
def running(start_graph):
    return start_graph(record="false")


def other_side(client):
    """(words, id) of the furniture that the soup can is not on."""
    on_counter = client.holds(is_on_top=[["soup_can_0"], ["counter_0"]])
    return ("dining table", "dining_table_0") if on_counter else ("counter", "counter_0")


@pytest.mark.thorough
def test_an_instruction_is_carried_out(client):
    words, id = other_side(client)
    reply = client.do(f"put the soup can on the {words}")
    assert reply.success, reply.summary
    assert client.holds(is_on_top=[["soup_can_0"], [id]])


def test_a_task_is_done_although_nodes_are_killed(client, running):
    words, id = other_side(client)
    before = running.children()
    handle = client.begin(f"put the soup can on the {words}")
    client.until_step("pick")
    running.kill("grasp", "memory")
    reply = client.end(handle).result
    assert reply.success, reply.summary
    assert client.holds(is_on_top=[["soup_can_0"], [id]])
    after = running.children()
    assert all(after[name].pid != before[name].pid for name in ("grasp", "memory"))


@pytest.mark.thorough
def test_a_task_is_done_although_the_object_is_knocked_from_the_hand(client):
    words, id = other_side(client)
    handle = client.begin(f"put the soup can on the {words}")
    client.graph.until(lambda: Outcome.SUCCEEDED in client.outcomes("pick"), 500.0)
    client.disturb("drop", "soup_can_0")
    reply = client.end(handle).result
    assert reply.success, reply.summary
    assert client.holds(is_on_top=[["soup_can_0"], [id]])
    assert Outcome.OBJECT_LOST in [s.outcome.code for s in client.steps if s.finished]
    assert client.outcomes("pick").count(Outcome.SUCCEEDED) >= 2
    assert [s.step for s in client.steps if s.finished] == list(range(1, reply.steps + 1))
    assert reply.path_length > 0.3


def test_cancelling_leaves_the_robot_at_rest(client):
    handle = client.begin(f"go to the {client.elsewhere()}")
    client.until_step("go_to")
    handle.cancel_goal_async()
    reply = client.end(handle)
    assert reply.status == GoalStatus.STATUS_CANCELED
    assert reply.result.outcome.code == Outcome.CANCELLED
    client.until_at_rest()  # the simulation may be ahead of those who stop it
    assert client.stands_still(2.0)


def test_the_emergency_stop_holds_the_robot_until_it_is_released(client):
    stop = client.graph.node.create_publisher(Bool, "/e_stop", qos.STATE)
    client.graph.until(stop.get_subscription_count)
    room = client.elsewhere()
    handle = client.begin(f"go to the {room}")
    client.until_step("go_to")
    client.graph.until(lambda: Outcome.SAFETY_STOP in client.outcomes("go_to"),
                       every=lambda: stop.publish(Bool(data=True)))  # who has not found it yet misses the first
    client.until_at_rest()  # the simulation may be ahead of those who stop it
    assert client.stands_still(2.0)
    stop.publish(Bool(data=False))
    reply = client.end(handle).result
    assert reply.success, reply.summary
    assert client.elsewhere() != room


@pytest.mark.thorough
def test_a_goal_that_cannot_be_reached_is_said_to_be(client):
    room = client.elsewhere()
    client.disturb("block", position=(4.0, 1.7, 0.0))
    try:
        reply = client.do(f"go to the {room}")
    finally:
        client.disturb("unblock")
    assert not reply.success
    assert client.elsewhere() == room
    assert Outcome.EXECUTION_FAILED in client.outcomes("go_to")
    assert room in reply.summary


def test_an_unknown_object_is_refused_by_name(client):
    reply = client.do("put the unicorn on the dining table")
    assert not reply.success and reply.steps == 0
    assert reply.outcome.code == Outcome.UNKNOWN_TARGET
    assert "unicorn" in reply.summary


def test_ctrl_c_ends_every_process(running):
    status, left = running.stop()
    assert status in (0, 130) and not left
