"""The console as a process: shows the graph's state, and hands on what is asked of it."""

import json
import re
import threading
import urllib.request

import numpy as np
import pytest
from dadu_interfaces.action import ExecuteTask
from dadu_interfaces.msg import PlanStep, SkillCall, WorldGraph
from dadu_nodes.support import qos
from dadu_nodes.support.convert.graph import graph_message
from dadu_nodes.support.convert.images import image_message
from rclpy.action import ActionServer
from sensor_msgs.msg import Image
from std_msgs.msg import Bool, Header

from dadu.house.files import load_house
from dadu.house.layout import build_graph


class Client:
    """Asks in a thread, while the test's node spins."""

    def __init__(self, graph, url):
        self.graph, self.url = graph, url

    def ask(self, path, body=None):
        answers = []

        def fetch():
            data = json.dumps(body).encode() if body is not None else None
            headers = {"Content-Type": "application/json", "X-DaDu-Console": "1"}
            with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers), timeout=10) as answer:
                answers.append((answer.status, answer.read()))

        threading.Thread(target=fetch, daemon=True).start()
        return self.graph.until(lambda: answers)[0]

    def view(self):
        return json.loads(self.ask("/view")[1])


@pytest.fixture
def client(graph, start_node, capfd):
    start_node("console", port=0)
    printed = []

    def address():
        printed.append(capfd.readouterr().err)
        return re.search(r"http://\S+", "".join(printed))

    return Client(graph, graph.until(address).group())


def test_shows_and_hands_on(client):
    graph, node = client.graph, client.graph.node
    asked = []

    def execute(handle):
        asked.append(handle.request.instruction)
        handle.succeed()
        return ExecuteTask.Result(success=True, summary="all done")

    server = ActionServer(node, ExecuteTask, "/execute_task", execute)
    stops = graph.collect(Bool, "/e_stop", qos.STATE)
    node.create_publisher(WorldGraph, "/world_graph", qos.LATCHED).publish(
        graph_message(build_graph(load_house("flat"), "all"), 1, 0.0))
    trace = node.create_publisher(PlanStep, "/plan_trace", qos.STATE)
    graph.until(lambda: client.view()["objects"])
    assert b"fridge" in client.ask("/plan.svg")[1]
    assert {"id": "milk_0", "where": "in fridge_0, kitchen", "confidence": 1.0} in client.view()["objects"]

    graph.until(trace.get_subscription_count)
    trace.publish(PlanStep(task_id="t", step=1, instruction="go", call=SkillCall(skill="go_to", arguments=["kitchen"])))
    graph.until(lambda: [s["call"] for s in client.view()["steps"]] == ["go_to(kitchen)"])

    assert client.ask("/instruction", {"text": "bring the milk"})[0] == 202
    graph.until(lambda: asked == ["bring the milk"])
    graph.until(lambda: client.view()["status"] == "all done")
    assert client.ask("/e_stop", {"pressed": True})[0] == 202
    graph.until(lambda: len(stops) > 1)  # said again until the override answers
    assert all(s.data for s in stops)
    server.destroy()


def test_subscribes_the_camera_only_while_somebody_looks(client):
    graph = client.graph
    camera = graph.node.create_publisher(Image, "/camera/color/image_raw", qos.CAMERA)
    graph.spin(1.0)
    assert camera.get_subscription_count() == 0
    client.ask("/view")
    graph.until(camera.get_subscription_count)
    picture = image_message(np.full((48, 64, 3), 90, np.uint8), "rgb8", Header(frame_id="camera"))
    graph.until(lambda: client.ask("/camera.jpg")[0] == 200, every=lambda: camera.publish(picture))
    graph.until(lambda: camera.get_subscription_count() == 0, timeout=12)
