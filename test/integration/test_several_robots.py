"""Two robots in one home: both graphs on one simulator, each told what to do, at the same time."""

from pathlib import Path

import pytest
from running import Client

pytestmark = [pytest.mark.thorough]
HOUSE = Path(__file__).with_name("studio.house.yaml")


@pytest.fixture(scope="module")
def running(start_graph):
    return start_graph(robots="stretch,stretch", privilege="pose", record="false")


@pytest.fixture
def robots(graph, running):
    clients = [Client(graph, HOUSE, f"/robot_{i}", world="") for i in (0, 1)]
    yield clients
    for client in clients:
        client.close()


def test_both_are_at_work_at_once_and_each_does_what_it_was_told(robots):
    first, second = robots
    tasks = [first.begin("put the soup can on the dining table"), second.begin("go to the hall")]
    went, brought = second.end(tasks[1]), first.end(tasks[0])
    assert went.result.success, went.result.summary
    assert brought.result.success, brought.result.summary
    assert first.holds(is_on_top=[["soup_can_0"], ["dining_table_0"]])
    assert second.truth.robot.x > 4.0 > first.truth.robot.x
    began = [min(step.header.stamp.sec + step.header.stamp.nanosec * 1e-9 for step in client.steps)
             for client in robots]
    ended = [max(step.header.stamp.sec + step.header.stamp.nanosec * 1e-9 for step in client.steps)
             for client in robots]
    assert max(began) < min(ended), "not one after the other"
