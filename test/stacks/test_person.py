"""The simulated person under physics: does what the robot cannot, and is seen."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hut import HOUSE

from dadu.core.geometry import Pose2
from dadu.house.files import parse_house
from dadu.robots import load_robot
from dadu.sim.mujoco.scene.figure import FIGURE
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.settings import CameraSettings, LaserSettings, SimulationSettings
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail
from dadu.stacks.person import SimulatedPerson, rounds

SETTINGS = SimulationSettings(camera=CameraSettings(rate=0), laser=LaserSettings(rate=0), person=True)
THINGS = [{"name": "mug_0", "category": "mug", "on": "desk_0"}, *HOUSE["objects"]]


@pytest.fixture(scope="module")
def simulation():
    return Simulation(parse_house(HOUSE | {"objects": THINGS}, "hut"), load_robot("stretch"), -1, SETTINGS)


@pytest.fixture
def person(simulation):
    simulation.reset(-1)
    return SimulatedPerson(simulation)


def carry_out(simulation, person, *calls):
    for call in calls:
        person.do(SkillCall(call[0], call[1:]))
    for _ in range(1200):
        simulation.advance(0.05)
        person.advance(0.05)
        if not person.busy:
            return [result for _, result in person.results[-len(calls):]]
    raise AssertionError("the person does not come to an end")


def test_cleans_and_fills(simulation, person):
    results = carry_out(simulation, person, ("go_to", "mug_0"), ("clean", "mug_0"), ("fill", "mug_0"))
    assert [r.code for r in results] == [Code.SUCCEEDED] * 3
    states = simulation.ground_truth().bodies["mug_0"].states
    assert states["is_clean"] and states["is_filled"]


def test_takes_something_out_of_a_fridge_and_puts_it_on_a_table(simulation, person):
    results = carry_out(simulation, person, ("go_to", "fridge_0"), ("open", "fridge_0"), ("pick", "milk_0"),
                        ("go_to", "table_0"), ("place", "on", "table_0"))
    assert all(r.ok for r in results), results
    simulation.advance(1.0)
    truth = simulation.ground_truth()
    assert truth.parts["fridge_0/door"] > 1.0
    milk = truth.bodies["milk_0"].box
    assert milk.bottom == pytest.approx(0.74, abs=0.01) and abs(milk.R[2, 2]) > 0.99
    assert np.hypot(milk.centre[0] - 2.0, milk.centre[1] - 2.5) < 0.8


def test_walks_and_carries(simulation, person):
    person.do(SkillCall("go_to", ("mug_0",)))
    person.do(SkillCall("pick", ("mug_0",)))
    person.do(SkillCall("go_to", ("table_0",)))
    places = []
    for _ in range(400):
        simulation.advance(0.05)
        person.advance(0.05)
        places.append((*person.pose[:2], *simulation.ground_truth().bodies["mug_0"].box.centre))
    steps = np.linalg.norm(np.diff(np.array(places)[:, :2], axis=0), axis=1)
    assert steps.max() <= 1.01 * person.agent.speed * 0.05
    assert np.hypot(*np.subtract(places[-1][2:4], places[-1][:2])) < 0.5 and places[-1][4] > 0.9


def test_failures_are_the_skills_own(simulation, person):
    results = carry_out(simulation, person, ("go_to", "fridge_0"), ("pick", "milk_0"), ("slice", "mug_0"))
    assert [r.code for r in results] == [Code.SUCCEEDED, Code.CONTAINER_CLOSED, Code.TOO_FAR]


def test_what_the_robot_side_changed_is_noticed(simulation, person):
    simulation.disturb("move", "soup_can_0", "desk_0")
    simulation.advance(0.5)
    results = carry_out(simulation, person, ("go_to", "soup_can_0"), ("pick", "soup_can_0"))
    assert all(r.ok for r in results), results
    assert person.pose.x > 4.0  # in the den, where the desk is


def test_the_laser_sees_the_figure(simulation, person):
    before = simulation.scan().ranges.copy()
    at = simulation.robot.observe().base_pose
    i = simulation.model.body(FIGURE).mocapid[0]
    simulation.data.mocap_pos[i] = (at.x + 1.0, at.y, 0.0)
    assert (simulation.scan().ranges < before - 0.2).any()


def test_another_person_begins_where_the_figure_stands(simulation, person):
    carry_out(simulation, person, ("go_to", "den"))
    assert SimulatedPerson(simulation).pose == pytest.approx(person.pose)


def walk(simulation, seconds):
    """(N, 2) where the person was, every 50 ms, on the way from room to room."""
    person = SimulatedPerson(simulation, habit=rounds(simulation.house))
    simulation.inhabitant = person.advance
    places = []
    for _ in range(round(seconds / 0.05)):
        simulation.advance(0.05)
        places.append(person.pose[:2])
    simulation.inhabitant = lambda dt: None
    return person, np.array(places)


def test_goes_from_room_to_room_and_stops_before_a_robot(simulation):
    simulation.reset(-1)
    simulation.body.place(simulation.data, Pose2(0.4, 3.6, 0.0), simulation.description.home)
    person, free = walk(simulation, 30.0)
    assert [call for call, _ in person.results[:3]] == list(islice(rounds(simulation.house), 3))
    door = np.array((4.0, 1.5))
    assert np.linalg.norm(free - door, axis=1).min() < 0.3
    simulation.reset(-1)
    simulation.body.place(simulation.data, Pose2(*door, 0.0), simulation.description.home)
    person, barred = walk(simulation, 30.0)
    assert 0.6 < np.linalg.norm(barred - door, axis=1).min() < 1.4
    assert Detail.PATH_BLOCKED in [result.detail for _, result in person.results]
