"""The flat seen by the simulated camera: what memory makes of it against the truth."""

import mujoco
import numpy as np
import pytest

from dadu.core.geometry import Pose2, rotation_z, transform
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.memory.memory import Memory
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.robots import load_robot
from dadu.sim.mujoco.simulation import Simulation
from dadu.world.graph import Kind, Relation

VIEWS = [(6.4, 3.9, 1.57), (7.2, 5.8, 1.57), (8.4, 5.6, 0), (7.2, 4.0, 1.57), (8.0, 2.0, -1.57), (4.4, 1.2, -1.57),
         (2.1, 1.3, -1.57), (3.0, 2.3, 1.57), (1.5, 4.8, -1.57)]


class Tour:
    def __init__(self):
        self.house = load_house("flat")
        self.sim = Simulation(self.house, load_robot("stretch"), seed=2)
        self.detector = InstanceDetector(self.sim.instance_names,
                                         dict(zip(self.sim.instance_names, self.sim.instance_categories)))
        self.sim.advance(0.2)
        self.stamp = 0.0
        self.seen = set()

    def picture(self, view):
        self.sim.body.place(self.sim.data, Pose2(*view), self.sim.description.home)
        mujoco.mj_forward(self.sim.model, self.sim.data)
        return self.sim.render()

    def look(self, memory, view, picture=None, error=None):
        """One picture, its camera pose off by `error` (4, 4) about the camera."""
        from dataclasses import replace
        picture = picture or self.picture(view)
        self.stamp += 0.2
        eye = transform(np.eye(3), picture.T_map_camera[:3, 3])
        T = picture.T_map_camera if error is None else eye @ error @ np.linalg.inv(eye) @ picture.T_map_camera
        frame = perceive(replace(picture, T_map_camera=T, stamp=self.stamp), self.detector)
        self.seen |= {d.instance for d in frame.detections if d.instance in self.sim.placements}
        memory.see(frame, Pose2(*view))


@pytest.fixture(scope="module")
def tour():
    tour = Tour()
    yield tour
    tour.sim.close()


@pytest.mark.parametrize(("metres", "radians", "accuracy"), [(0.0, 0.0, 0.015), (0.03, 0.02, 0.05)])
def test_a_tour_makes_one_entity_of_every_thing_seen(tour, metres, radians, accuracy):
    memory, rng = Memory(build_graph(tour.house)), np.random.default_rng(0)
    tour.seen.clear()
    for view in VIEWS:
        picture = tour.picture(view)
        for _ in range(4):
            error = transform(rotation_z(rng.normal(0, radians)), (*rng.normal(0, metres, 2), 0))
            tour.look(memory, view, picture, error)
    truth = tour.sim.ground_truth().bodies
    objects = memory.graph.of(Kind.OBJECT)
    assert sorted(e.category for e in objects) == sorted(truth[name].category for name in tour.seen)
    assert len(objects) >= 15 and not memory.lost
    errors = [min(np.linalg.norm(e.position - b.box.centre) for b in truth.values() if b.category == e.category)
              for e in objects]
    assert np.median(errors) < accuracy
    assert all(memory.graph.room_of(e.id) for e in objects)


def test_what_is_in_a_closed_fridge_is_not_seen_and_when_opened_it_is(tour):
    memory = Memory(build_graph(tour.house))
    view = (1.9, 1.7, 3.14)
    tour.look(memory, view)
    assert memory.graph["fridge_0"].closed and not memory.graph.contents("fridge_0")
    tour.sim.disturb("open", "", "fridge_0")
    for _ in range(2):  # one picture is a hint
        tour.look(memory, view)
    fridge = memory.graph["fridge_0"]
    assert fridge.parts[0].open and fridge.states["is_open"]
    assert {e.category for e in memory.graph.contents("fridge_0")} >= {"milk_carton", "juice_carton"}
    tour.sim.disturb("close", "", "fridge_0")
    for _ in range(5):
        tour.look(memory, view)
    assert memory.graph["fridge_0"].closed
    assert {e.category for e in memory.graph.contents("fridge_0")} >= {"milk_carton", "juice_carton"}


def test_closed_furniture_hides_what_is_in_it_from_everywhere(tour):
    memory = Memory(build_graph(tour.house))
    for piece in tour.house.furniture:
        x, y, yaw = piece.pose
        if memory.graph[piece.name].parts:
            for away, aside in ((0.9, -0.5), (0.9, 0.0), (1.3, 0.5), (1.8, 0.0)):
                front = Pose2(x, y, yaw) * Pose2(away, aside, np.pi + np.arctan2(aside, away))
                tour.look(memory, front)
    assert not [e.id for e in memory.graph.of(Kind.OBJECT)
                if (edge := memory.graph.support(e.id)) and edge.relation is Relation.IN]


def test_an_open_door_by_itself_is_no_second_fridge(tour):
    memory = Memory(build_graph(tour.house))
    tour.sim.disturb("open", "", "fridge_0")
    for view in ((1.9, 1.7, 3.14), (1.3, 1.2, 2.6), (1.0, 2.6, -2.0), (1.2, 0.9, 2.4), (1.6, 1.5, 2.2)):
        tour.look(memory, view)
    tour.sim.disturb("close", "", "fridge_0")
    assert [e.id for e in memory.graph.of(Kind.FURNITURE) if e.category == "fridge"] == ["fridge_0"]
    assert len(memory.graph.of(Kind.FURNITURE)) == len(tour.house.furniture)


def test_a_thing_that_somebody_moves_is_the_same_thing(tour):
    memory = Memory(build_graph(tour.house))
    counter, table = (2.1, 1.3, -1.57), (3.0, 2.3, 1.57)
    tour.look(memory, counter)
    mug = next(e for e in memory.graph.of(Kind.OBJECT) if e.category == "mug")
    tour.sim.disturb("move", "mug_0", "side_table_0")
    tour.sim.advance(0.5)
    for _ in range(4):
        tour.look(memory, counter)
    assert mug.id in memory.lost
    tour.look(memory, table)
    assert memory.graph.support(mug.id).object == "side_table_0" and not memory.lost
