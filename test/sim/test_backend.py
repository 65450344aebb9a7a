"""One contract for every simulator."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hut import HOUSE, WORLDS

from dadu.core.robot import Command, JointTrajectory, Twist
from dadu.house.files import parse_house
from dadu.robots import load_robot
from dadu.sim.backend import Backend, DisturbanceError
from dadu.sim.habitat.simulation import HabitatSimulation
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.settings import CameraSettings, LaserSettings, SimulationSettings

SETTINGS = SimulationSettings(camera=CameraSettings(width=64, height=48, rate=0), laser=LaserSettings(rate=0))
MAKERS = [pytest.param(Simulation, id="mujoco"),
          *(pytest.param(partial(HabitatSimulation, **world.values[0]), id=f"habitat-{world.id}", marks=world.marks)
            for world in WORLDS)]


@pytest.fixture(scope="module", params=MAKERS)
def backend(request):
    made = request.param(parse_house(HOUSE, "hut"), load_robot("stretch"), -1, SETTINGS)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def at_the_start(backend):
    backend.reset(-1)


def test_is_a_backend(backend):
    assert isinstance(backend, Backend)
    assert backend.instance_names == ("table_0", "fridge_0", "desk_0", "soup_can_0", "milk_0")
    assert len(backend.instance_categories) == len(backend.instance_names)


def test_time_goes_on_and_never_back(backend):
    start = backend.time
    backend.advance(0.5)
    assert backend.time == pytest.approx(start + 0.5, abs=0.03)
    before = backend.time
    backend.reset(-1)
    assert backend.time >= before


def test_starts_as_the_house_says(backend):
    state = backend.ground_truth()
    assert np.allclose(state.robot, backend.house.robot.pose, atol=1e-6)
    assert set(state.bodies) == {"soup_can_0", "milk_0"} and state.parts["fridge_0/door"] == pytest.approx(0, abs=1e-3)
    assert backend.robot.observe().base_pose == pytest.approx(state.robot, abs=1e-6)


def test_a_twist_drives_and_silence_stops(backend):
    x, y, yaw = backend.ground_truth().robot
    for _ in range(10):
        backend.robot.act(Command(base=Twist(0.2, 0.0)))
        backend.advance(0.1)
    there = backend.ground_truth().robot
    way = math.dist(there[:2], (x, y))
    assert 0.12 < way < 0.22
    assert math.atan2(there.y - y, there.x - x) == pytest.approx(yaw, abs=0.05)
    backend.advance(1.5)
    rest = backend.ground_truth().robot
    backend.advance(0.5)
    assert math.dist(backend.ground_truth().robot[:2], rest[:2]) < 1e-3


def test_joints_go_where_they_are_told(backend):
    backend.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": 0.7, "joint_head_pan": 0.5}, 2.0)))
    backend.advance(4.0)
    joints = backend.robot.observe().joints
    assert joints["joint_lift"] == pytest.approx(0.7, abs=0.01)
    assert joints["joint_head_pan"] == pytest.approx(0.5, abs=0.02)


def test_things_can_be_moved_and_parts_set(backend):
    assert "soup_can_0" in backend.disturb("move", "soup_can_0", "desk_0")
    backend.advance(0.5)
    at = backend.ground_truth().bodies["soup_can_0"].box.centre
    assert abs(at[0] - 6.5) < 0.5 and abs(at[1] - 1.5) < 0.8 and 0.6 < at[2] < 1.0
    backend.disturb("open", "fridge_0")
    assert backend.ground_truth().parts["fridge_0/door"] > 1.0
    backend.disturb("close", "fridge_0")
    assert backend.ground_truth().parts["fridge_0/door"] < 0.1


def test_what_is_not_there_is_refused_by_name(backend):
    for kind, what, where in (("move", "unicorn", "desk_0"), ("move", "milk_0", "moon"), ("fly", "milk_0", ""),
                              ("open", "desk_0", "")):
        with pytest.raises(DisturbanceError):
            backend.disturb(kind, what, where)


def test_the_same_commands_give_the_same_world(backend):
    ends = []
    for _ in range(2):
        backend.reset(-1)
        for _ in range(5):
            backend.robot.act(Command(base=Twist(0.2, 0.3)))
            backend.advance(0.1)
        ends.append(backend.ground_truth())
    assert ends[0].robot == pytest.approx(ends[1].robot, abs=1e-9)
    for name, body in ends[0].bodies.items():
        assert np.allclose(body.box.centre, ends[1].bodies[name].box.centre, atol=1e-9)


def test_a_reset_undoes_everything(backend):
    start = backend.ground_truth()
    backend.disturb("move", "soup_can_0", "desk_0")
    backend.disturb("open", "fridge_0")
    backend.reset(-1)
    now = backend.ground_truth()
    assert now.parts == pytest.approx(start.parts, abs=1e-6)
    assert np.allclose(now.bodies["soup_can_0"].box.centre, start.bodies["soup_can_0"].box.centre, atol=1e-6)
