"""The whole graph where a Nav2, or who passes for one, drives."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from dadu_interfaces.msg import Outcome
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.convert.geometry import planar_pose
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateThroughPoses
from nav_msgs.msg import OccupancyGrid
from std_msgs.msg import Bool, Header

from dadu.core.geometry import Pose2

pytestmark = [pytest.mark.thorough]
HOUSE = Path(__file__).with_name("studio.house.yaml")
NAV2 = Path(__file__).parents[1] / "support" / "stand_in_nav2.py"


@pytest.fixture(scope="module")
def running(start_graph, domain):
    with subprocess.Popen([sys.executable, str(NAV2), str(HOUSE), "stretch"],
                          env={**os.environ, "ROS_DOMAIN_ID": domain}) as nav2:
        try:
            yield start_graph(record="false", navigation="nav2")
        finally:
            nav2.kill()


def test_an_instruction_is_carried_out_while_nav2_drives(client):
    reply = client.do("put the soup can on the dining table")
    assert reply.success, reply.summary
    assert client.holds(is_on_top=[["soup_can_0"], ["dining_table_0"]])
    assert client.outcomes("go_to") and set(client.outcomes("go_to")) == {Outcome.SUCCEEDED}
    assert reply.path_length > 0.3


def test_what_nav2_cannot_reach_comes_back_typed(client):
    """Its costmap has the map alone, and so a base in its way ends without progress."""
    room = client.elsewhere()
    client.disturb("block", position=(4.0, 1.7, 0.0))
    try:
        reply = client.do(f"go to the {room}")
    finally:
        client.disturb("unblock")
    assert not reply.success and client.elsewhere() == room
    assert set(client.outcomes("go_to")) <= {Outcome.EXECUTION_FAILED, Outcome.TIMED_OUT}
    assert any("Nav2" in s.outcome.message for s in client.steps if s.finished)


def test_the_emergency_stop_holds_a_drive_that_nav2_was_sent_by_somebody_else(client):
    stop = client.graph.node.create_publisher(Bool, "/e_stop", qos.STATE)
    through = ActionClient(client.graph.node, NavigateThroughPoses, "/navigate_through_poses")
    costmap = client.graph.collect(OccupancyGrid, "/local_costmap/costmap", qos.LATCHED)
    client.graph.until(lambda: stop.get_subscription_count() and through.server_is_ready() and costmap)
    away = Pose2(5.3, 1.7, 0.0) if client.elsewhere() == "hall" else Pose2(2.0, 1.7, 0.0)
    pose = PoseStamped(header=Header(frame_id="map"), pose=planar_pose(away))
    sent = through.send_goal_async(NavigateThroughPoses.Goal(poses=[pose]))
    client.graph.until(sent.done)
    start = client.truth.robot
    client.graph.until(lambda: abs(client.truth.robot.x - start.x) + abs(client.truth.robot.y - start.y) > 0.2)
    stop.publish(Bool(data=True))
    client.until_at_rest()
    assert client.stands_still(2.0)
    stop.publish(Bool(data=False))
    ended = sent.result().cancel_goal_async()
    client.graph.until(ended.done)
