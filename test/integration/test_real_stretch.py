"""The whole graph with `sim:=false`, as on a real Stretch: a body of ours stands behind its driver's strict stand-in,
its camera and its laser. The robot is told a map and where the furniture is, and sees by what it has learned."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from dadu_interfaces.msg import WorldGraph
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.convert.geometry import planar_pose
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateToPose
from running import Client
from std_msgs.msg import Header, String

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.rasterize import cross_section
from dadu.robots import load_robot
from dadu.stacks.site import laser_height

pytestmark = pytest.mark.timeout(900)
HOUSE = Path(__file__).with_name("studio.house.yaml")
BODY = Path(__file__).parents[1] / "support" / "stretch_body.py"
TOLD = {"studio", "kitchen", "hall", "counter_0", "dining_table_0", "robot"}
SPOT = Pose2(3.1, 1.7, math.pi / 2)
HELD_UP = {"goals above 5 Hz", "a mode switch waits for the goal under way"}
"""what messages come to that a busy machine holds up; the adapter tries again"""


@pytest.fixture(scope="module")
def running(start_graph, domain, tmp_path_factory):
    """Started as docs/robots.md says, with what a robot's laser would have made of the house for a map."""
    folder = tmp_path_factory.mktemp("home")
    cross_section(load_house(HOUSE), laser_height(load_robot("stretch")), 0.05).save(folder / "home.yaml")
    told = yaml.safe_load(HOUSE.read_text())
    del told["objects"]
    (folder / "home.house.yaml").write_text(yaml.safe_dump(told))
    with subprocess.Popen([sys.executable, str(BODY), str(HOUSE)], env={**os.environ, "ROS_DOMAIN_ID": domain}) as body:
        try:
            yield start_graph(folder / "home.house.yaml", sim="false", use_sim_time="true", robot="stretch",
                              map=folder / "home.yaml", perception="", record="false")
        finally:
            body.kill()


@pytest.fixture
def client(graph, running):
    client = Client(graph, HOUSE, judge="/body")
    client.refused = graph.collect(String, "/body/refused", qos.STATE)
    yield client
    client.close()


def objections(client):
    """What the driver was asked for that it does not do."""
    return set(filter(None, client.refused[-1].data.split("; "))) - HELD_UP


def drive(graph, pose):
    """The result of a goal of /navigate_to_pose."""
    navigation = ActionClient(graph.node, NavigateToPose, "/navigate_to_pose")
    graph.until(navigation.server_is_ready)
    goal = PoseStamped(header=Header(frame_id="map"), pose=planar_pose(pose))
    sent = navigation.send_goal_async(NavigateToPose.Goal(pose=goal))
    graph.until(sent.done)
    ended = sent.result().get_result_async()
    graph.until(ended.done, 500.0)
    return ended.result().result


def test_it_finds_itself_on_its_map_and_drives(client, running):
    graph = client.graph
    known = graph.collect(WorldGraph, "/world_graph", qos.LATCHED)
    graph.until(lambda: known)
    assert {entity.id for entity in known[0].entities} <= TOLD | {"bowl_0", "soup_can_0"}, "nothing of a flat's"
    result = drive(graph, SPOT)
    assert result.error_code == 0, result.error_msg
    there = client.truth.robot
    assert math.hypot(there.x - SPOT.x, there.y - SPOT.y) < 0.06 and abs(there.yaw - SPOT.yaw) < 0.06
    assert not objections(client)


def test_what_it_was_asked_for_is_in_its_hand(client):
    reply = client.do("pick up the bowl")
    assert reply.success, reply.summary
    client.graph.spin(0.5)
    assert client.truth.bodies["bowl_0"].held
    assert not objections(client)


@pytest.mark.thorough
def test_what_it_holds_it_puts_down(client):
    reply = client.do("put the bowl on the counter")
    assert reply.success, reply.summary
    assert client.holds(is_on_top=[["bowl_0"], ["counter_0"]])
    assert not objections(client)
