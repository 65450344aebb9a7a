"""The whole graph as it is started by default: it sees by what it has learned, and hears nothing that is privileged."""

import pytest

PRIVILEGED = ("/camera/instances/image_raw", "/sim/ground_truth")


@pytest.fixture(scope="module")
def running(start_graph):
    return start_graph(perception="", record="false")


def test_a_task_is_done_with_learned_eyes_alone(client):
    reply = client.do("put the bowl on the counter")
    assert reply.success, reply.summary
    assert client.holds(is_on_top=[["bowl_0"], ["counter_0"]])
    listeners = {topic: {info.node_name for info in client.graph.node.get_subscriptions_info_by_topic(topic)}
                 for topic in PRIVILEGED}
    assert listeners == {PRIVILEGED[0]: set(), PRIVILEGED[1]: {client.graph.node.get_name()}}
