"""The planner's node and the camera: subscribed only for a policy that sees, which is shown where the robot is now."""

import base64
import threading

import cv2
import numpy as np
import pytest
from lemon_pictures import picture
from planner_client import result, send
from stand_in_server import StandInServer, action

STEPS = [action("go_to", target="lemon_0"), action("pick", object="lemon_0"), action("go_to", target="desk_0"),
         action("place", relation="on", receptacle="desk_0"), action("done")]


def shown(body):
    return any(isinstance(m["content"], list) for m in body["messages"])


def seen(body):
    """What there is to say of the picture that was really sent: by its colour, as a model would have to."""
    question, properties = body["messages"][-1]["content"][-1]["text"], body["response_format"]["json_schema"]["schema"]
    if "done" in properties["properties"]:
        return {"done": True, "reason": "the picture says nothing else"}
    assert "lemon" in question
    url = body["messages"][-1]["content"][0]["image_url"]["url"]
    data = np.frombuffer(base64.b64decode(url.removeprefix("data:image/jpeg;base64,")), np.uint8)
    hue, saturation, value = cv2.split(cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2HSV))
    yellow = (abs(hue.astype(int) - 24) < 5) & (saturation > 170) & (value > 120)
    if yellow.sum() < 10:
        return {"visible": False, "side": "middle", "description": "nothing yellow"}
    column = np.argwhere(yellow)[:, 1].mean() / yellow.shape[1]
    side = "left" if column < 0.4 else "right" if column > 0.6 else "middle"
    return {"visible": True, "side": side, "description": "yellow oval fruit"}


@pytest.fixture
def server():
    steps = iter(STEPS)
    made = StandInServer(lambda body: next(steps) if not shown(body) else seen(body))
    yield made
    made.close()


@pytest.fixture(scope="module")
def lemon():
    """Rendered before anything of ROS is there."""
    return picture(0.3)


@pytest.fixture
def camera(lemon, graph):
    """Publishes what the simulator's camera sees at 5 Hz from a thread of its own, as rclpy publishers allow."""
    from dadu_nodes.simulator.publishers import image_message
    from dadu_nodes.support import qos
    from sensor_msgs.msg import Image
    from std_msgs.msg import Header

    publisher = graph.node.create_publisher(Image, "/camera/color/image_raw", qos.CAMERA)
    over, pixels = threading.Event(), lemon

    def film():
        while not over.wait(0.2):
            stamp = graph.node.get_clock().now().to_msg()
            publisher.publish(image_message(pixels, "rgb8", Header(stamp=stamp, frame_id="base_link")))

    thread = threading.Thread(target=film)
    thread.start()
    yield publisher
    over.set()
    thread.join()


def test_what_a_model_sees_of_the_target_is_told_and_used(graph, start_node, skills, client, camera, server):
    from dadu_nodes.support import qos
    from diagnostic_msgs.msg import KeyValue

    sought = graph.collect(KeyValue, "/perception/look_for", qos.STATE)
    skills()
    start_node("planner", policy="vllm", llm_url=server.url, verify="grammar",
               **{"llm.vision": "true", "llm.parameters": 8.0})
    handle, _ = send(graph, client, "put the lemon on the desk")
    reply = result(graph, handle).result
    assert reply.success, reply.summary
    assert [shown(r) for r in server.requests] == [False, True, False, False, False, False, True]
    assert "lemon_0 at the left side of" in server.requests[2]["messages"][-1]["content"]
    told = [("lemon", "yellow oval fruit"), ("", "")]  # and that it is over: what may come after the result
    graph.until(lambda: [(s.key, s.value) for s in sought] == told)
    assert reply.model_calls == len(server.requests)
    assert reply.flops == 2 * 8e9 * (reply.tokens_in + reply.tokens_out)


def test_what_is_not_in_the_picture_is_not_seen():
    for at, side in ((0.3, "left"), (-0.3, "right"), (None, "middle")):
        question = {"type": "text", "text": "lemon"}
        form = {"json_schema": {"schema": {"properties": {"side": {}}}}}
        jpeg = cv2.imencode(".jpg", cv2.cvtColor(picture(at), cv2.COLOR_RGB2BGR))[1].tobytes()
        url = {"image_url": {"url": "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()}}
        said = seen({"messages": [{"content": [url, question]}], "response_format": form})
        assert (said["visible"], said["side"]) == (at is not None, side)


def test_nobody_else_subscribes_the_camera(graph, start_node, client, camera):
    start_node("planner")
    graph.until(client.server_is_ready)
    graph.spin(0.5)
    assert camera.get_subscription_count() == 0
