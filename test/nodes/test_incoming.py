"""Whatever comes in on a topic, no node dies of it or says nonsense: each subscription of each node hears, of every
moment, a message as it should be and then a mangled one, and the node does with them what it does at its timers.

A few moments here; `make test-all` takes two thousand. A case is repeated by its number: it is the seed.
"""

import random

import pytest
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.listening.team import TeamMessages
from dadu_nodes.support.polled import PolledSubscriptions
from good_messages import STUDIO, good
from rclpy.publisher import Publisher
from rclpy.serialization import serialize_message

from ..inputs.mangled_messages import later, mangled, nonsense, torn

TEAM = {"namespace": "robot_0", "team": '["robot_0=stretch","robot_1=stretch"]'}
NODES = {
    "navigation": {"depth": True}, "perception": {"detector": "ground_truth"}, "memory": TEAM, "override": {},
    "grasp": {}, "planner": {"ask": True, **TEAM}, "nav2_adapter": {}, "stretch_adapter": {}, "console": {"port": 0},
    "controller_adapter": {"robot": "ur3"}, "sim_bridge": {"house": STUDIO},
}  # fmt: skip
FEW, MANY, PARTS = 15, 2000, 2
_PERIOD = 0.1
"""[s] between two moments"""


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
    """Errors of our own, by what they say: those that a node goes on after; and numbers that are none, sent on."""
    found = {}
    monkeypatch.setattr(Intake, "own_error",
                        lambda intake, where, error: found.setdefault(f"{where}: {error!r}"[:200], error))
    publish = Publisher.publish

    def look(self, message):
        for place in nonsense(message) if not isinstance(message, bytes) else ():
            found.setdefault(f"{self.topic_name} says {place}", message)
        publish(self, message)
    monkeypatch.setattr(Publisher, "publish", look)
    return found


@pytest.mark.parametrize("name", NODES)
def test_a_few_messages_of_each_topic(name, make_node, polled, errors):
    feed(make_node(name, **NODES[name]), polled, range(FEW))
    assert not errors, "\n".join(errors)


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", NODES)
def test_many_messages_of_each_topic(name, part, make_node, polled, errors):
    feed(make_node(name, **NODES[name]), polled, range(FEW + part, MANY, PARTS))
    assert not errors, "\n".join(errors)


def feed(node, polled, seeds):
    if hasattr(node, "view"):  # the console hears most only while somebody looks
        node.view()
        node._do_work()
    member = node._team.join("a") if isinstance(getattr(node, "_team", None), TeamMessages) else None
    direct = [(s.msg_type, s.topic_name, s.callback) for s in node.subscriptions if s.callback.__name__ != "_unused"]
    topics = [*((topic, lambda message, take=callback: take(message, 0), raw, good(kind, topic))
                for kind, topic, callback, raw in polled),
              *((topic, callback, False, good(kind, topic)) for kind, topic, callback in direct)]
    for seed in seeds:
        for _, take, raw, right in topics:
            message = later(right, seed * _PERIOD)
            take(serialize_message(message) if raw else message)
        for topic, take, raw, right in topics:
            rng = random.Random(f"{topic} {seed}")
            message = mangled(later(right, seed * _PERIOD), rng)
            if raw:
                message = serialize_message(message)
                message = torn(message, rng) if rng.random() < 0.2 else message
            take(message)
        for timer in tuple(node.timers):
            timer.callback()
        if hasattr(node, "view"):
            node.view(), node.sight(-1.0), node.plan()
        if member is not None:
            member.overtaken(), member.catch_up(), member.begun()
    assert node.intake.counts() or not polled, "nothing was found amiss"
