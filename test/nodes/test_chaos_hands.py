"""What ``dadu chaos`` does to messages between nodes: one link at a time, with what others hear left alone."""

import time

import pytest
from dadu_interfaces.msg import DetectionArray, WorldGraph
from dadu_nodes.commands.chaos_hands import GraphHands
from dadu_nodes.support import qos

from dadu.eval.chaos.links import LINKS, RelayLink

TO_MEMORY, TO_GRASP = RelayLink("/perception/detections", "memory"), RelayLink("/perception/detections", "grasp")
SENT = 40


class Spun:
    """In place of an executor."""

    def spin_once(self, timeout_sec):
        time.sleep(timeout_sec)


@pytest.fixture
def rig(graph):
    """Hands, and what comes out of two links."""
    graph.hands = GraphHands(graph.node, Spun(), None, seed=0)
    graph.heard = {link: graph.collect(DetectionArray, link.relayed, qos.STATE) for link in (TO_MEMORY, TO_GRASP)}
    graph.out = graph.node.create_publisher(DetectionArray, TO_MEMORY.topic, qos.STATE)
    graph.until(lambda: all(graph.heard.values()), every=lambda: graph.out.publish(DetectionArray()))
    graph.spin(0.5)
    return graph


@pytest.mark.parametrize(("copies", "fewest", "most"), [(0.5, 8, 32), (2.0, 2 * SENT, 2 * SENT)])
def test_one_listener_hears_less_or_more_and_the_other_all(rig, copies, fewest, most):
    for heard in rig.heard.values():
        heard.clear()
    rig.hands.relay(*TO_MEMORY, copies)
    for number in range(1, SENT + 1):
        rig.out.publish(DetectionArray(width=number))
        rig.until(lambda number=number: rig.heard[TO_GRASP] and rig.heard[TO_GRASP][-1].width == number)
    rig.until(lambda: len(rig.heard[TO_MEMORY]) >= fewest)
    rig.spin(0.3)
    assert [message.width for message in rig.heard[TO_GRASP]] == list(range(1, SENT + 1))
    assert fewest <= len(rig.heard[TO_MEMORY]) <= most
    rig.hands.relay(*TO_MEMORY, 1.0)
    rig.heard[TO_MEMORY].clear()
    rig.out.publish(DetectionArray(width=99))
    rig.until(lambda: [message.width for message in rig.heard[TO_MEMORY]] == [99])


def test_who_comes_late_gets_the_newest_world_graph_through_the_relay_too(rig):
    out = rig.node.create_publisher(WorldGraph, "/world_graph", qos.LATCHED)
    early = rig.collect(WorldGraph, RelayLink("/world_graph", "planner").relayed, qos.LATCHED)
    rig.until(lambda: early and early[-1].revision == 7, every=lambda: out.publish(WorldGraph(revision=7)))
    late = rig.collect(WorldGraph, RelayLink("/world_graph", "place").relayed, qos.LATCHED)
    rig.until(lambda: late and late[-1].revision == 7)
    assert len(set(LINKS)) == len(LINKS)
