"""The planner's node and the camera: subscribed only for a policy that sees, which is shown where the robot is now."""

import threading

import numpy as np
import pytest
from planner_client import result, send
from stand_in_server import StandInServer, action

STEPS = [action("go_to", target="lemon_0"), action("pick", object="lemon_0"), action("go_to", target="desk_0"),
         action("place", relation="on", receptacle="desk_0"), action("done")]
SIGHT = {"visible": True, "side": "far", "description": "yellow oval fruit"}


def shown(body):
    return any(isinstance(m["content"], list) for m in body["messages"])


@pytest.fixture
def server():
    steps = iter(STEPS)
    made = StandInServer(lambda body: SIGHT if shown(body) else next(steps))
    yield made
    made.close()


@pytest.fixture
def camera(graph):
    """Publishes pictures at 10 Hz from a thread of its own, as rclpy publishers allow."""
    from dadu_nodes.support import qos
    from dadu_nodes.support.convert.images import image_message
    from sensor_msgs.msg import Image
    from std_msgs.msg import Header

    publisher = graph.node.create_publisher(Image, "/camera/color/image_raw", qos.CAMERA)
    over = threading.Event()

    def film():
        pixels = np.full((48, 64, 3), (200, 100, 0), np.uint8)
        while not over.wait(0.1):
            stamp = graph.node.get_clock().now().to_msg()
            publisher.publish(image_message(pixels, "rgb8", Header(stamp=stamp, frame_id="base_link")))

    thread = threading.Thread(target=film)
    thread.start()
    yield publisher
    over.set()
    thread.join()


def test_a_policy_that_sees_is_shown_the_picture_and_the_costs_are_told(graph, start_node, skills, client, camera,
                                                                        server):
    from dadu_nodes.support import qos
    from diagnostic_msgs.msg import KeyValue

    sought = graph.collect(KeyValue, "/perception/look_for", qos.STATE)
    skills()
    start_node("planner", policy="vllm", llm_url=server.url, verify="grammar",
               **{"llm.vision": "true", "llm.parameters": 8.0})
    handle, _ = send(graph, client, "put the lemon on the desk")
    reply = result(graph, handle).result
    assert reply.success, reply.summary
    assert [shown(r) for r in server.requests] == [False, True, False, False, False, False]
    assert [(s.key, s.value) for s in sought] == [("lemon", "yellow oval fruit")], "perception is told"
    assert reply.model_calls == len(server.requests)
    assert reply.flops == 2 * 8e9 * (reply.tokens_in + reply.tokens_out)


def test_nobody_else_subscribes_the_camera(graph, start_node, client, camera):
    start_node("planner")
    graph.until(client.server_is_ready)
    graph.spin(0.5)
    assert camera.get_subscription_count() == 0
