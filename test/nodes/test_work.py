"""Nodes tell a simulator what they have worked off; with a clock of their own they tell nobody."""

import pytest
import rclpy
from dadu_nodes.support.sim_clock import SimClock
from dadu_nodes.support.work import WorkListener, WorkReporter
from rclpy.parameter import Parameter

from dadu.sim.time_sync import Work, WorkReport

TOPIC = "/sim/worked_off"


@pytest.fixture
def worker(graph, request):
    node = rclpy.create_node("grasp", parameter_overrides=[Parameter("use_sim_time", value=request.param)])
    node.sim_clock = SimClock(node)
    node.now = lambda: node.get_clock().now().nanoseconds * 1e-9
    yield node
    node.sim_clock.close()
    node.destroy_node()


@pytest.mark.parametrize("worker", [True], indirect=True)
def test_reports_arrive_in_order_and_end_with_the_node(graph, worker):
    listener, work = WorkListener(graph.node), WorkReporter(worker, Work.TICK)
    graph.until(lambda: graph.node.count_publishers(TOPIC) and worker.count_subscribers(TOPIC))
    heard = []
    for time in (1.5, 1.55):
        work.until(time)
    work.rest()
    graph.until(lambda: heard.extend(listener.reports()) or len(heard) >= 3)
    assert heard == [WorkReport("grasp", Work.TICK, pytest.approx(1.5)),
                     WorkReport("grasp", Work.TICK, pytest.approx(1.55)), WorkReport("grasp", Work.TICK, None)]
    worker.sim_clock.close()
    work.rest()  # a task that is ended by the node's end says so, too
    assert listener.reports() == []


@pytest.mark.parametrize("worker", [False], indirect=True)
def test_nobody_is_told_where_time_waits_for_nobody(graph, worker):
    WorkReporter(worker, Work.TICK).until(1.5)
    assert worker.count_publishers(TOPIC) == 0
