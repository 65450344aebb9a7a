"""The whole graph with `sim:=false`, as on a real UR3 on its base: a body of ours stands behind strict stand-ins of its
arm's and its gripper's controllers, its base, its camera and its laser."""

import math
from pathlib import Path

import pytest
from real_robot import drive, embodied_client, embodied_graph, objections

from dadu.core.geometry import Pose2

pytestmark = [pytest.mark.thorough]
HOUSE = Path(__file__).with_name("studio.house.yaml")
SPOT = Pose2(2.7, 1.7, math.pi / 2)


@pytest.fixture(scope="module")
def running(start_graph, domain, tmp_path_factory):
    with embodied_graph(start_graph, domain, tmp_path_factory.mktemp("home"), "ur3", HOUSE) as graph:
        yield graph


@pytest.fixture
def client(graph, running):
    with embodied_client(graph, HOUSE) as client:
        yield client


def test_it_drives_where_it_is_sent(client):
    result = drive(client.graph, SPOT)
    assert result.error_code == 0, result.error_msg
    client.until_told()
    there = client.truth.robot
    assert math.hypot(there.x - SPOT.x, there.y - SPOT.y) < 0.06 and abs(there.yaw - SPOT.yaw) < 0.06
    assert not objections(client)


def test_what_it_was_asked_for_is_in_its_hand(client):
    reply = client.do("pick up the bowl")
    assert reply.success, reply.summary
    client.until_told()
    assert client.truth.bodies["bowl_0"].held
    assert not objections(client)
