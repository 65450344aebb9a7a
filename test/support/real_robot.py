"""A graph with `sim:=false` over a body that stands in a real robot's place, as `embodied` makes them."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import yaml
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.convert.geometry import planar_pose
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateToPose
from running import Client
from std_msgs.msg import Header, String

from dadu.house.files import load_house
from dadu.house.rasterize import cross_section
from dadu.robots import load_robot
from dadu.skills.outcome import Code
from dadu.stacks.site import laser_height


@contextmanager
def embodied_graph(start_graph, domain, folder, robot, house):
    """Started as docs/howto/real-robot.md says, with what a robot's laser would have made of `house` for a map, and the
    house without its things for a file of rooms and furniture."""
    cross_section(load_house(house), laser_height(load_robot(robot)), 0.05).save(folder / "home.yaml")
    told = yaml.safe_load(house.read_text())
    del told["objects"]
    (folder / "home.house.yaml").write_text(yaml.safe_dump(told))
    body = [sys.executable, str(Path(__file__).with_name(f"{robot}_body.py")), str(house)]
    with subprocess.Popen(body, env={**os.environ, "ROS_DOMAIN_ID": domain}) as drivers:
        try:
            yield start_graph(folder / "home.house.yaml", sim="false", use_sim_time="true", robot=robot,
                              map=folder / "home.yaml", perception="", record="false")
        finally:
            drivers.kill()


@contextmanager
def embodied_client(graph, house):
    """Who gives such a graph tasks, and hears what its body and drivers say."""
    client = Client(graph, house, judge="/body")
    client.refused = graph.collect(String, "/body/refused", qos.STATE)
    yield client
    client.close()


def drive(graph, pose, patience=30.0):
    """The result of a goal of /navigate_to_pose. Who comes before the drivers and localisation were heard, is told to
    try again soon, and does, for so long [s]."""
    navigation = ActionClient(graph.node, NavigateToPose, "/navigate_to_pose")
    graph.until(navigation.server_is_ready)
    goal = PoseStamped(header=Header(frame_id="map"), pose=planar_pose(pose))
    end = time.monotonic() + patience
    while True:
        sent = navigation.send_goal_async(NavigateToPose.Goal(pose=goal))
        graph.until(sent.done)
        ended = sent.result().get_result_async()
        graph.until(ended.done, 500.0)
        result = ended.result().result
        if result.error_code != Code.UNREACHABLE_BACKEND or time.monotonic() > end:
            return result
        graph.spin(1.0)


def objections(client):
    """What the drivers were asked for that they do not do."""
    return set(filter(None, client.refused[-1].data.split("; ")))
