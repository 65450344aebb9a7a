"""A simulation ruled from outside, without ROS: what is in it, what it refuses, that the rest goes on."""

import threading
import time

import numpy as np
import pytest
from small_worlds import BLIND, CAN, FRIDGE, ROOM, TABLE, simulation

from dadu.core.geometry import Pose2, rotation
from dadu.core.robot import Command, JointTrajectory
from dadu.robots import load_robot
from dadu.sim.control.codes import (
    Category,
    Feature,
    LoadCode,
    ResultCode,
    RunState,
    Scope,
    SpawnCode,
    StateCode,
    Unfulfilled,
)
from dadu.sim.control.entities import chosen
from dadu.sim.control.simulator import SimulatorControl
from dadu.sim.control.worlds import Resource, World, read_world
from dadu.sim.engine import Engine, Listener
from dadu.sim.mujoco.motion import Motion
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.pacing import PacingSettings
from dadu.sim.settings import EngineSettings

MUG = Resource(uri="catalogue:mug")
OWN = "{name: gadget, category: widget, shape: box, size: [0.05, 0.05, 0.1]}"


class Ruled:
    """A control whose engine's thread runs only in tests of time."""

    def __init__(self, folder):
        self.clock, self.changed = [], []
        sim = simulation(furniture=(TABLE, {**FRIDGE, "pose": [4.5, 2.0, 3.14]}))
        listener = Listener(self.clock.append, *(lambda *told: None,) * 4)
        self.engine = Engine(sim, EngineSettings(pacing=PacingSettings(rtf=8.0)), [listener], folder)
        self.control = SimulatorControl(self.engine, World(sim.house, Resource("file:///tiny")), -1,
                                        lambda house, robot: Simulation(house, robot, -1, BLIND), self.changed.append)

    @property
    def population(self):
        return self.control.population

    def place(self, name):
        return self.population.one(name).T_map[:3, 3]


@pytest.fixture
def ruled(tmp_path):
    made = Ruled(tmp_path)
    yield made
    made.engine.close()


def at(x, y, z=0.0, yaw=0.0):
    return Pose2(x, y, yaw).matrix(z)


def refusal(call, *args, **options):
    with pytest.raises(Unfulfilled) as refused:
        call(*args, **options)
    return refused.value.code


def test_entities_are_chosen_by_name_and_category(ruled):
    there = ruled.population.all().values()
    assert [e.name for e in chosen(there, "^can_[[:digit:]]$")] == ["can_0"]
    assert {e.name for e in chosen(there, "", (Category.STATIC_OBJECT,))} == {"table_0", "fridge_0"}
    assert refusal(chosen, there, "(") == ResultCode.OPERATION_FAILED
    assert ruled.place("can_0")[2] == pytest.approx(0.75, abs=0.01)
    assert refusal(ruled.population.one, "nobody") == ResultCode.NOT_FOUND


def test_what_is_spawned_stands_there_and_all_else_goes_on(ruled):
    with ruled.engine.exclusive() as before:
        before.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": 0.9}, 3.0)))
        before.advance(0.3)
        time_before, lift = before.time, before.robot.observe().joints["joint_lift"]
    name = ruled.population.spawn("cup_7", False, MUG, "", at(2.5, 0.8, 0.752))
    assert name == "cup_7" and ruled.changed[-1].instance_names[-1] == "cup_7"
    other = ruled.population.spawn("cup_7", True, Resource(text=OWN), "table_0", at(-0.1, -0.3, 0.75, 0.7))
    assert other not in ("cup_7", "") and ruled.population.one(other).description == "widget"
    with ruled.engine.exclusive() as sim:
        assert sim.time == time_before and sim.robot.observe().joints["joint_lift"] == pytest.approx(lift, abs=1e-6)
        sim.advance(4.0)
        assert sim.robot.observe().joints["joint_lift"] == pytest.approx(0.9, abs=0.01)  # the drive was not cut
    assert ruled.place("cup_7") == pytest.approx([2.5, 0.8, 0.75], abs=0.01)
    ruled.population.delete("cup_7")
    ruled.population.delete("can_0")
    assert set(ruled.population.all()) == {"robot", "table_0", "fridge_0", other}
    ruled.control.reset(Scope.SPAWNED)
    assert set(ruled.population.all()) == {"robot", "table_0", "fridge_0"}
    ruled.control.reset(0)
    assert set(ruled.population.all()) == {"robot", "table_0", "fridge_0", "can_0"}


@pytest.mark.parametrize(("name", "resource", "T", "code"), [
    ("a", Resource(), at(1, 1), SpawnCode.NO_RESOURCE), ("", MUG, at(1, 1), SpawnCode.NAME_INVALID),
    ("no name!", MUG, at(1, 1), SpawnCode.NAME_INVALID), ("can_0", MUG, at(1, 1), SpawnCode.NAME_NOT_UNIQUE),
    ("room", MUG, at(1, 1), SpawnCode.NAME_NOT_UNIQUE), ("a", MUG, at(100, 1), SpawnCode.INVALID_POSE),
    ("a", MUG, at(1, 1, -1.0), SpawnCode.INVALID_POSE),
    ("a", Resource("catalogue:dragon"), at(1, 1), ResultCode.NOT_FOUND),
    ("a", Resource("file:///robot.urdf"), at(1, 1), SpawnCode.UNSUPPORTED_FORMAT),
    ("a", Resource(text="<robot/>"), at(1, 1), SpawnCode.UNSUPPORTED_FORMAT),
    ("a", Resource(text="{category: widget}"), at(1, 1), SpawnCode.RESOURCE_PARSE_ERROR),
    ("a", Resource(text="{category: mug, on: table_0}"), at(1, 1), SpawnCode.RESOURCE_PARSE_ERROR),
    ("a", Resource(text="[1"), at(1, 1), SpawnCode.RESOURCE_PARSE_ERROR)])
def test_what_cannot_be_spawned_is_refused_by_its_code(ruled, name, resource, T, code):
    assert refusal(ruled.population.spawn, name, False, resource, "", T) == code
    assert set(ruled.population.all()) == {"robot", "table_0", "fridge_0", "can_0"}


def test_states_are_set_and_told_again(ruled):
    people = ruled.population
    turned = at(1.0, 3.0, 1.0)
    turned[:3, :3] = rotation((0.3, -0.2, 0.5, 0.7))
    speed = Motion(np.array([0.3, -0.2, 0.1]), np.array([0.5, 1.0, -0.7]))
    people.set_state("can_0", "", turned, speed)
    told = people.states(["can_0"])["can_0"]
    assert told.T_map == pytest.approx(turned) and told.velocity.linear == pytest.approx(speed.linear)
    assert told.velocity.angular == pytest.approx(speed.angular)
    assert told.acceleration.linear[2] == pytest.approx(-9.81, abs=1.0)  # it falls, and turns a little
    people.set_state("robot", "map", at(1.0, 2.0, yaw=1.0), None)
    people.set_state("can_0", "robot", at(0.5, 0.0), None)
    assert ruled.place("can_0")[:2] == pytest.approx([1 + 0.5 * np.cos(1), 2 + 0.5 * np.sin(1)], abs=1e-6)
    people.set_state("fridge_0", "", at(0.5, 3.0), None)
    assert ruled.place("fridge_0")[:2] == pytest.approx([0.5, 3.0])
    assert ruled.place("can_0")[0] == pytest.approx(1 + 0.5 * np.cos(1), abs=1e-6)  # a rebuilt world is the same moment
    assert refusal(people.set_state, "fridge_0", "", None, speed) == ResultCode.OPERATION_FAILED
    assert refusal(people.set_state, "robot", "", turned, None) == 101
    assert refusal(people.set_state, "can_0", "", at(np.nan, 0), None) == 101
    assert refusal(people.set_state, "can_0", "nowhere", at(1, 1), None) == ResultCode.NOT_FOUND
    ruled.control.reset(Scope.STATE)
    assert ruled.place("fridge_0")[:2] == pytest.approx([4.5, 2.0])
    assert ruled.place("can_0")[:2] == pytest.approx([2.5, 1.1], abs=0.01)


def test_time_stands_steps_and_begins_anew(ruled):
    control, step = ruled.control, ruled.engine.settings.step
    ruled.engine.start()
    assert control.state is RunState.PLAYING and refusal(control.set_state, 1) == StateCode.ALREADY_IN_TARGET_STATE
    assert refusal(control.step, 1) == ResultCode.OPERATION_FAILED
    until(lambda: ruled.clock and ruled.clock[-1] > 0.5)
    control.set_state(RunState.PAUSED)
    now = time_of(ruled)
    told = []
    assert control.step(5, told.append) == 5 and told == [1, 2, 3, 4, 5]
    assert time_of(ruled) == pytest.approx(now + 5 * step)
    assert control.step(10**12, stopped=lambda: time_of(ruled) > now + 1.0) < 10**12
    endless = threading.Thread(target=lambda: refusal(control.step, 10**12))
    endless.start()
    control.set_state(RunState.STOPPED)  # ends them, and puts time back
    endless.join()
    assert time_of(ruled) < 0.1 and control.state is RunState.STOPPED
    assert refusal(control.step, 1) == ResultCode.OPERATION_FAILED
    for unsettable in (RunState.LOADING_WORLD, RunState.NO_WORLD, 99):
        assert refusal(control.set_state, unsettable) == StateCode.INCORRECT_TRANSITION
    control.set_state(RunState.PLAYING)
    until(lambda: 0 < time_of(ruled))
    assert refusal(control.reset, 8) == ResultCode.FEATURE_UNSUPPORTED


def test_steps_that_are_asked_for_just_before_it_is_stopped_do_not_begin(ruled, monkeypatch):
    control, gate = ruled.control, ruled.engine.gate
    ruled.engine.start()
    control.set_state(RunState.PAUSED)
    steps = gate.steps
    monkeypatch.setattr(gate, "steps", lambda *asked: (control.set_state(RunState.STOPPED), steps(*asked))[1])
    assert refusal(control.step, 10**12) == ResultCode.OPERATION_FAILED


def test_another_world_is_loaded_stopped_or_this_one_goes_on(ruled):
    room = {"house": "other", "rooms": [ROOM], "robot": {"pose": [1, 1, 0]}}
    for resource, code in ((Resource(), LoadCode.NO_RESOURCE), (Resource("castle"), ResultCode.NOT_FOUND),
                           (Resource("file:///a.sdf"), LoadCode.UNSUPPORTED_FORMAT),
                           (Resource("ftp://x/y.yaml"), ResultCode.FEATURE_UNSUPPORTED),
                           (Resource(text="rooms: 3"), LoadCode.RESOURCE_PARSE_ERROR)):
        assert refusal(ruled.control.load, resource) == code
    assert ruled.control.state is RunState.PLAYING and "can_0" in ruled.population.all()
    ruled.control.load(Resource(text=str(room)))
    assert ruled.control.state is RunState.STOPPED and set(ruled.population.all()) == {"robot"}
    assert ruled.control.world.house.house == ruled.changed[-1].house.house == "other"


def test_a_world_is_read_again_from_where_it_says_that_it_comes_from():
    flat = read_world(Resource(uri="flat"))
    assert read_world(flat.resource).house == flat.house


def test_of_what_cannot_be_built_anew_less_is_claimed(ruled):
    assert set(ruled.control.features) == set(Feature)
    ruled.population.editable = False
    assert not {Feature.SPAWNING, Feature.ENTITY_STATE_SETTING} & set(ruled.control.features)
    assert load_robot("stretch").name in ruled.population.one("robot").description
    assert CAN["name"] in ruled.population.all()


def time_of(ruled):
    with ruled.engine.exclusive() as sim:
        return sim.time


def until(condition):
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
