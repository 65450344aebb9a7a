"""The bridge with simulator:=habitat, over a stand-in of habitat-sim in a process of its own."""

import sys

import numpy as np
import pytest
import yaml
from dadu_interfaces.msg import GroundTruth
from dadu_nodes.support import qos
from dadu_nodes.support.convert.encode import encode
from geometry_msgs.msg import Twist as TwistMsg
from hut import HOUSE, STAND_IN
from sensor_msgs.msg import Image, JointState, LaserScan

from dadu.core.robot import Twist
from dadu.incoming.pictures import stored
from dadu.sim.habitat.client import PYTHON


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A small house as a file, and habitat-sim's stand-in where Python finds it."""
    monkeypatch.setenv("PYTHONPATH", STAND_IN)
    monkeypatch.setenv(PYTHON, sys.executable)
    path = tmp_path / "hut.house.yaml"
    path.write_text(yaml.safe_dump(HOUSE))
    return str(path)


def test_the_graph_sees_habitat_as_any_robot(house, graph, start_node):
    start_node("sim_bridge", rtf=0.0, seed=-1, simulator="habitat", house=house, **{
        "simulation.camera.width": 64, "simulation.camera.height": 48, "simulation.laser.rays": 36})
    joints = graph.collect(JointState, "/joint_states", qos.SENSOR)
    truth = graph.collect(GroundTruth, "/sim/ground_truth", qos.STATE)
    pictures = graph.collect(Image, "/camera/depth/image_raw", qos.CAMERA)
    scans = graph.collect(LaserScan, "/scan", qos.SENSOR)
    graph.until(lambda: joints and truth and pictures and scans)
    assert "joint_lift" in joints[-1].name
    assert {o.name for o in truth[-1].objects} == {"soup_can_0", "milk_0"}
    assert np.isfinite(scans[-1].ranges).any() and stored(pictures[-1]).shape == (48, 64)
    drive = graph.node.create_publisher(TwistMsg, "/cmd_vel", qos.COMMAND)
    start = truth[-1].robot.x
    graph.until(lambda: truth[-1].robot.x - start > 0.15, timeout=40,
                every=lambda: drive.publish(encode.twist(Twist(0.3))))
