"""What the Foxglove app gets to see: its own protocol against the real server; the layout that goes with it."""

import json
import re
import struct
from contextlib import ExitStack
from pathlib import Path

import pytest
from dadu_nodes.support import qos
from rclpy.serialization import deserialize_message
from std_msgs.msg import String
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from dadu.bringup.arguments import Arguments
from dadu.bringup.graph import nodes
from dadu.core.paths import shared

NODES = Path(__file__).parents[2] / "nodes"
_DATA = 1
"""first byte of a message's own frame"""


class App:
    """A client as the app is."""

    def __init__(self, url):
        self._open = ExitStack()
        self.socket = self._open.enter_context(connect(url, subprotocols=["foxglove.sdk.v1"], open_timeout=2))
        self.server, self.channels, self.heard, self.refusals = {}, {}, [], []

    def close(self):
        self._open.close()

    def take(self, seconds=0.05):
        """Takes in what has come."""
        try:
            frame = self.socket.recv(timeout=seconds)
        except TimeoutError:
            return
        if isinstance(frame, bytes):
            if frame[0] == _DATA:
                subscription, _ = struct.unpack_from("<IQ", frame, 1)
                self.heard.append((subscription, frame[13:]))
            return
        said = json.loads(frame)
        if said["op"] == "status":
            self.refusals.append(said["message"])
        if said["op"] == "serverInfo":
            self.server = said
        self.channels |= {channel["topic"]: channel for channel in said.get("channels", ())}

    def look(self, graph, topic, subscription):
        """Begins to look; returns the first message's subscription and bytes."""
        graph.until(lambda: topic in self.channels, every=self.take)
        self.socket.send(json.dumps({"op": "subscribe", "subscriptions": [
            {"id": subscription, "channelId": self.channels[topic]["id"]}]}))
        return graph.until(lambda: self.heard and self.heard[-1], every=self.take)


@pytest.mark.needs("foxglove")
def test_topics_are_shown_while_somebody_looks_and_nothing_can_be_sent(graph, start_node, free_port):
    node, ours = graph.node, "/robot1/said"
    latched = node.create_publisher(String, ours, qos.LATCHED)
    node.create_publisher(String, "/robot2/said", qos.LATCHED)
    latched.publish(String(data="before"))
    start_node("foxglove_bridge", namespace="robot1", port=free_port)
    app = graph.until(lambda: _app(f"ws://127.0.0.1:{free_port}"))
    graph.until(lambda: ours in app.channels, every=app.take)
    assert app.channels[ours]["schemaName"] == "std_msgs/msg/String" and app.channels[ours]["schema"] == "string data\n"
    assert app.channels[ours]["encoding"] == "cdr" and "/robot2/said" not in app.channels
    assert app.server["capabilities"] == []
    assert latched.get_subscription_count() == 0

    other = App(f"ws://127.0.0.1:{free_port}")
    for subscription, client in ((7, app), (9, other)):
        number, data = client.look(graph, ours, subscription)
        assert (number, deserialize_message(data, String).data) == (subscription, "before")
    latched.publish(String(data="now"))
    graph.until(lambda: deserialize_message(app.heard[-1][1], String).data == "now", every=app.take)

    other.close()
    app.socket.send(json.dumps({"op": "advertise", "channels": [
        {"id": 1, "topic": "/robot1/cmd_vel", "encoding": "json", "schemaName": ""}]}))
    graph.until(lambda: "clientPublish" in "".join(app.refusals), every=app.take)
    assert node.count_publishers("/robot1/cmd_vel") == 0
    app.close()
    graph.until(lambda: latched.get_subscription_count() == 0)


def _app(url):
    try:
        return App(url)
    except (OSError, TimeoutError, ConnectionClosed):
        return None  # not up yet


def test_it_is_a_node_of_the_graph_where_it_is_asked_for():
    assert "foxglove_bridge" in {node.name for node in nodes(Arguments(foxglove=True))}
    assert "foxglove_bridge" not in {node.name for node in nodes(Arguments())}


def test_the_layout_asks_for_topics_that_the_nodes_have():
    layout = json.loads(shared("config", "dadu.foxglove.json").read_text())
    text = json.dumps(layout["configById"])
    wanted = set(re.findall(r'"(/[a-z_/]+)"', text))
    sources = " ".join(path.read_text() for path in NODES.rglob("*.py"))
    assert len(wanted) >= 10 and {topic for topic in wanted if f'"{topic[1:]}"' not in sources} == set()
    shown = set(re.findall(r'"([A-Za-z0-9]+![a-z]+)"', json.dumps(layout["layout"])))
    assert shown == layout["configById"].keys()
