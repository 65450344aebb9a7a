"""Whatever comes in on a topic, no node dies of it: each subscription of each node is called with mangled messages.

A few of each type here; `make test-all` takes two thousand. A case is repeated by its number: it is the seed.
"""

import random

import pytest
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.polled import PolledSubscriptions
from good_messages import STUDIO, good
from rclpy.serialization import serialize_message

from ..inputs.mangled_messages import mangled, torn

NODES = {
    "navigation": {"depth": True}, "perception": {"detector": "ground_truth"}, "memory": {}, "override": {},
    "grasp": {}, "planner": {"ask": True}, "nav2_adapter": {}, "stretch_adapter": {}, "console": {"port": 0},
    "controller_adapter": {"robot": "ur3"}, "sim_bridge": {"house": STUDIO},
}  # fmt: skip
FEW, MANY = 50, 2000


@pytest.fixture
def polled(monkeypatch):
    """What takes messages in PolledSubscriptions: type, topic, callback, whether it takes bytes."""
    found = []
    add = PolledSubscriptions.add

    def remember(self, kind, topic, callback, qos, *, raw=False):
        add(self, kind, topic, callback, qos, raw=raw)
        found.append((kind, topic, self._subscriptions[-1][1], raw))
    monkeypatch.setattr(PolledSubscriptions, "add", remember)
    return found


@pytest.fixture
def errors(monkeypatch):
    """Errors of our own, by what they say: those that a node goes on after."""
    found = {}
    monkeypatch.setattr(Intake, "broke",
                        lambda intake, where, error: found.setdefault(f"{where}: {error!r}"[:200], error))
    return found


@pytest.mark.parametrize("name", NODES)
def test_a_few_messages_of_each_topic(name, make_node, polled, errors):
    feed(make_node(name, **NODES[name]), polled, range(FEW))
    assert not errors, "\n".join(errors)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NODES)
def test_many_messages_of_each_topic(name, make_node, polled, errors):
    feed(make_node(name, **NODES[name]), polled, range(FEW, MANY))
    assert not errors, "\n".join(errors)


def feed(node, polled, seeds):
    direct = [(s.msg_type, s.topic_name, s.callback) for s in node.subscriptions if s.callback.__name__ != "_unused"]
    for kind, topic, callback in direct:
        for seed in seeds:
            callback(mangled(good(kind, topic), random.Random(f"{topic} {seed}")))
    for kind, topic, callback, raw in polled:
        for seed in seeds:
            rng = random.Random(f"{topic} {seed}")
            message = mangled(good(kind, topic), rng)
            if raw:
                message = serialize_message(message)
                message = torn(message, rng) if rng.random() < 0.2 else message
            callback(message, 0)
    assert node.intake.counts() or not polled, "nothing was found amiss"
