"""Habitat in its own process, over a stand-in of the calls that the adapter makes and over habitat-sim where it is."""

from __future__ import annotations

import signal
import time

import numpy as np
import pytest
from hut import OUR_STAND_IN

from dadu.core.geometry import transform
from dadu.core.robot import Command, GripperCommand, JointTrajectory, Twist
from dadu.house.placement import place_objects
from dadu.robots import load_robot
from dadu.robots.kinematics import Kinematics
from dadu.sim.habitat.client import HabitatUnavailable
from dadu.sim.habitat.simulation import HabitatSimulation


def test_things_come_to_rest_where_the_house_puts_them(habitat, hut):
    habitat.advance(0.5)
    bodies = habitat.ground_truth().bodies
    for name, placement in place_objects(hut).items():
        assert np.allclose(bodies[name].box.centre, placement.position, atol=2e-3), name


def test_the_picture_agrees_with_the_world(habitat):
    """Points seen of the can, put into map by the picture's own depth and pose, lie on the can."""
    can = habitat.ground_truth().bodies["soup_can_0"].box
    _look_at(habitat, can.centre)
    frame = habitat.render()
    index = 1 + habitat.instance_names.index("soup_can_0")
    rows, columns = np.nonzero(frame.instances == index)
    assert len(rows) > 4
    pixels = np.stack([columns, rows, np.ones(len(rows))])
    points = (np.linalg.inv(frame.K) @ pixels * frame.depth[rows, columns]).T
    points = points @ frame.T_map_camera[:3, :3].T + frame.T_map_camera[:3, 3]
    assert all(can.holds(p, 0.01) for p in points)
    assert frame.rgb[rows, columns].any()


def _look_at(habitat, point):
    """Turns base and head so that the can is in the picture."""
    x, y, _ = habitat.robot.observe().base_pose
    yaw = np.arctan2(point[1] - y, point[0] - x)
    joints = dict(habitat.description.home) | {"joint_head_pan": 0.0, "joint_head_tilt": -0.45}
    habitat.body.place(habitat.data, (x, y, yaw), joints)


def test_the_laser_meets_the_walls(habitat):
    scan = habitat.scan()
    x, y, yaw = habitat.robot.observe().base_pose
    T = transform(np.eye(3), (0, 0, 0))
    T[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    T[:2, 3] = x, y
    angles = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
    ends = np.stack([scan.ranges * np.cos(angles), scan.ranges * np.sin(angles), np.zeros_like(angles),
                     np.ones_like(angles)])
    ends = (T @ scan.T_base_laser @ ends)[:2].T
    assert np.isfinite(scan.ranges).all()
    assert (ends[:, 1] > -0.1).all() and (ends[:, 1] < 3.1).all() and (ends[:, 0] > -0.1).all()


def test_walls_stop_the_base(habitat):
    habitat.body.place(habitat.data, (2.0, 0.6, -np.pi / 2), habitat.description.home)
    for _ in range(25):
        habitat.robot.act(Command(base=Twist(0.4)))
        habitat.advance(0.1)
    y = habitat.robot.observe().base_pose.y
    assert 0.15 < y < 0.35


def test_what_the_fingers_close_on_sticks_and_falls_when_they_open(habitat):
    tool = Kinematics(habitat.description).tool(habitat.robot.observe().joints)
    T_map_tool = habitat.robot.observe().base_pose.matrix() @ tool
    habitat.robot.act(Command(gripper=GripperCommand(0.1)))
    habitat.advance(1.1)
    habitat.things.put("soup_can_0", transform(np.eye(3), T_map_tool[:3, 3]), "kinematic")
    habitat.robot.act(Command(gripper=GripperCommand(-0.03)))
    habitat.advance(1.0)
    observation = habitat.robot.observe()
    assert habitat.ground_truth().bodies["soup_can_0"].held
    assert observation.aperture > 0.03 and observation.grip_effort > 10
    habitat.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": 0.4}, 1.0)))
    habitat.advance(2.0)
    lifted = habitat.ground_truth().bodies["soup_can_0"].box.centre
    assert lifted[2] == pytest.approx(T_map_tool[2, 3] + 0.1, abs=0.02)
    habitat.robot.act(Command(gripper=GripperCommand(0.12)))
    habitat.advance(1.5)
    after = habitat.ground_truth().bodies["soup_can_0"]
    assert not after.held and after.box.bottom < 0.05


def test_a_drawn_door_follows_the_hand(habitat):
    from dadu.sim.habitat.grip import find_grip
    handle = find_grip(habitat.things, _at_handle(habitat), 0.01)
    assert handle is not None and handle.name == "fridge_0/door"
    start = handle.pose()
    moved = start.copy()
    moved[:3, 3] += (0.15, 0.0, 0.0)  # out of the front
    handle.carry(moved)
    assert 0.1 < habitat.ground_truth().parts["fridge_0/door"] < 1.0


def _at_handle(habitat):
    from dadu.house.furniture.entity import furniture_entity
    part = furniture_entity(habitat.house.piece("fridge_0")).parts[0]
    return transform(np.eye(3), part.handle)


def test_a_python_without_habitat_is_named(hut, tmp_path):
    (tmp_path / "habitat_sim.py").write_text("raise ImportError('not built')")
    with pytest.raises(HabitatUnavailable, match="DADU_HABITAT_PYTHON"):
        HabitatSimulation(hut, load_robot("stretch"), path=(str(tmp_path),))


def test_a_signal_to_the_whole_group_leaves_it_to_the_node(habitat):
    for number in (signal.SIGINT, signal.SIGTERM):
        habitat._client._process.send_signal(number)
    time.sleep(0.2)
    habitat.advance(0.1)


def test_a_dead_process_is_reported(hut):
    simulation = HabitatSimulation(hut, load_robot("stretch"), **OUR_STAND_IN)
    simulation._client._process.kill()
    with pytest.raises(HabitatUnavailable):
        for _ in range(10):
            simulation.advance(0.1)
    simulation.close()
