"""The console as a process: shows the graph's state, and hands on what is asked of it."""

import contextlib
import json
import socket
import threading
import urllib.request
from types import SimpleNamespace

import numpy as np
import pytest
from dadu_interfaces.action import ExecuteTask
from dadu_interfaces.msg import DetectionArray, Outcome, PlanStep, SkillCall, WorldGraph
from dadu_interfaces.srv import EditMemory
from dadu_nodes.simulator.publishers import image_message
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.waiting import sleep
from geometry_msgs.msg import Twist
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from sensor_msgs.msg import CompressedImage, Image
from std_msgs.msg import Bool, Empty, Header, String

from dadu.core.privilege_report import PRIVILEGE_TOPIC
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.operator.run.pictures import encode_jpeg
from dadu.world.detection import Detection, DetectionFrame


class Client:
    """Asks in a thread, while the test's node spins."""

    def __init__(self, graph, url):
        self.graph, self.url = graph, url

    def ask(self, path, body=None):
        """Status and body."""
        answers = []

        def fetch():
            data = json.dumps(body).encode() if body is not None else None
            headers = {"Content-Type": "application/json", "X-DaDu-Console": "1"}
            with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers), timeout=100) as answer:
                answers.append((answer.status, answer.read()))

        threading.Thread(target=fetch, daemon=True).start()
        return self.graph.until(lambda: answers)[0]

    def view(self):
        return json.loads(self.ask("/view")[1])


@pytest.fixture
def client(graph, start_node, free_port):
    start_node("console", port=free_port, house="flat")

    def listens():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", free_port), 1.0):
            return True

    graph.until(listens)
    return Client(graph, f"http://127.0.0.1:{free_port}")


@pytest.fixture
def planner(client):
    """Stands in for it: carries out what it is asked to, one task, as the test says."""
    tasks, ends = [], threading.Event()

    async def execute(handle):
        tasks.append(handle.request.instruction)
        while not ends.is_set() and not handle.is_cancel_requested:
            await sleep(client.graph.node, 0.05)
        if handle.is_cancel_requested:
            handle.canceled()
            return ExecuteTask.Result(summary="left off", outcome=Outcome(code=Outcome.CANCELLED))
        handle.abort()
        asks = Outcome(code=Outcome.UNKNOWN_TARGET, detail="asked_back")
        return ExecuteTask.Result(summary="which cup?", outcome=asks)

    server = ActionServer(client.graph.node, ExecuteTask, "/execute_task", execute,
                          cancel_callback=lambda _: CancelResponse.ACCEPT,
                          goal_callback=lambda _: GoalResponse.ACCEPT)
    yield SimpleNamespace(tasks=tasks, ends=ends)
    server.destroy()


def test_shows_what_is_known_and_corrects_it(client):
    graph, node = client.graph, client.graph.node
    edits = []

    def edit(request, response):
        edits.append(json.loads(request.edit))
        response.accepted, response.message = False, "nothing called that"
        return response

    node.create_service(EditMemory, "/memory/edit", edit)
    node.create_publisher(WorldGraph, "/world_graph", qos.LATCHED).publish(
        encode.graph(build_graph(load_house("flat"), "all"), 1, 0.0))
    node.create_publisher(String, PRIVILEGE_TOPIC, qos.LATCHED).publish(String(data="eyes: own"))
    graph.until(lambda: client.view()["things"] and client.view()["ledger"] == "eyes: own")
    assert b"fridge" in client.ask("/plan.svg")[1] and b"fp-door" in client.ask("/plan.svg")[1]
    milk = next(thing for thing in client.view()["things"] if thing["id"] == "milk_0")
    assert milk["where"] == "in fridge_0, kitchen" and client.view()["held"] == ""
    assert client.ask("/correction", {"action": "called", "id": "milk_0", "name": "dad's"})[0] == 202
    graph.until(lambda: client.view()["notice"]["text"] == "Memory refuses: nothing called that")
    (put,) = edits
    assert put["put"]["id"] == "milk_0" and put["put"]["aliases"][-1] == "dad's"


def test_follows_a_task_whoever_gave_it(client, planner):
    graph, node = client.graph, client.graph.node
    trace = node.create_publisher(PlanStep, "/plan_trace", qos.STATE)
    graph.until(trace.get_subscription_count)

    def given():  # not before the console has found the planner
        told = client.view()["notice"]["number"]
        assert client.ask("/instruction", {"text": "bring a cup"})[0] == 202
        return graph.until(lambda: planner.tasks or client.view()["notice"]["number"] > told) and planner.tasks
    graph.until(given)
    graph.until(lambda: client.view()["task"]["status"] == "running")
    assert client.view()["task"]["instruction"] == "bring a cup"
    go, wait = SkillCall(skill="go_to", arguments=["kitchen"]), SkillCall(skill="wait")
    trace.publish(PlanStep(task_id="t", step=1, instruction="bring a cup", call=go, plan=[go, wait]))
    graph.until(lambda: [s["call"] for s in client.view()["task"]["steps"]] == ["go_to(kitchen)"])
    assert client.view()["task"]["coming"] == ["wait()"]
    planner.ends.set()
    graph.until(lambda: client.view()["task"]["question"] == "which cup?")
    assert client.view()["task"]["outcome"] == "UNKNOWN_TARGET" and not client.view()["task"]["coming"]

    planner.ends.clear()
    another = ActionClient(node, ExecuteTask, "/execute_task")
    graph.until(another.server_is_ready)
    another.send_goal_async(ExecuteTask.Goal(instruction="another's"))
    graph.until(lambda: client.view()["task"]["status"] == "running")
    assert client.view()["task"]["question"] == "" and client.ask("/cancel", {})[0] == 202
    graph.until(lambda: client.view()["task"]["status"] == "cancelled")
    assert client.view()["task"]["message"] == "left off"


def test_stops_and_drives(client):
    graph, node = client.graph, client.graph.node
    stops, twists = graph.collect(Bool, "/e_stop", qos.STATE), graph.collect(Twist, "/cmd_vel_teleop", qos.COMMAND)
    released = graph.collect(Empty, "/operator/release", qos.STATE)
    graph.until(lambda: all(node.count_publishers(t) for t in ("/e_stop", "/cmd_vel_teleop", "/operator/release")))
    assert client.ask("/e_stop", {"pressed": True})[0] == 202
    graph.until(lambda: len(stops) > 1)  # said again until the override answers
    assert all(s.data for s in stops)
    graph.until(lambda: twists, every=lambda: client.ask("/drive", {"forward": -0.5, "turn": 1.0}))
    assert twists[0].linear.x == pytest.approx(-0.1) and twists[0].angular.z == pytest.approx(0.6)
    graph.until(lambda: released, every=lambda: client.ask("/release", {}))


def test_subscribes_the_camera_only_while_somebody_looks(client):
    graph = client.graph
    camera = graph.node.create_publisher(Image, "/camera/color/image_raw", qos.CAMERA)
    detections = graph.node.create_publisher(DetectionArray, "/perception/detections", qos.STATE)
    graph.spin(1.0)
    assert camera.get_subscription_count() == 0 and detections.get_subscription_count() == 0
    client.ask("/view")
    graph.until(lambda: camera.get_subscription_count() and detections.get_subscription_count())
    header = Header(frame_id="camera")
    header.stamp.sec = 7
    picture = image_message(np.full((48, 64, 3), 90, np.uint8), "rgb8", header)
    graph.until(lambda: client.ask("/sight")[0] == 200, every=lambda: camera.publish(picture))
    seen = encode.detections(DetectionFrame(7.0, np.eye(4), np.eye(3), 64, 48, np.zeros((6, 8), np.float32),
                                        (Detection("cup", 0.9, (16, 12, 32, 24), 9, np.zeros((1, 3), np.float32),
                                                   np.zeros(3), np.ones(3)),), "learned"))
    graph.until(lambda: json.loads(client.ask("/sight")[1])["boxes"],
                every=lambda: (camera.publish(picture), detections.publish(seen)))
    sight = json.loads(client.ask("/sight")[1])
    assert sight["detector"] == "learned" and sight["stamp"] == 7.0
    assert (sight["boxes"][0]["x"], sight["boxes"][0]["width"]) == (0.25, 0.5)
    graph.until(lambda: camera.get_subscription_count() == 0)


def test_the_picture_from_outside_is_asked_of_the_simulator_only_while_the_page_shows_it(client):
    graph = client.graph
    outside = graph.node.create_publisher(CompressedImage, "/sim/outside/compressed", qos.NEWEST)
    graph.until(lambda: client.view()["outside"])
    assert outside.get_subscription_count() == 0
    graph.until(outside.get_subscription_count, every=lambda: client.ask("/sight?outside=true"))
    broken = CompressedImage(data=b"no picture")
    whole = CompressedImage(data=encode_jpeg(np.full((6, 8, 3), 90, np.uint8)))
    whole.header.stamp.sec = 7
    graph.until(lambda: client.ask("/sight?outside=true")[0] == 200,
                every=lambda: (outside.publish(broken), outside.publish(whole)))
    assert json.loads(client.ask("/sight?outside=true")[1])["stamp"] == 7.0
    assert client.ask("/sight?outside=true&after=7.0")[0] == 204
    graph.until(lambda: outside.get_subscription_count() == 0, every=client.view)
