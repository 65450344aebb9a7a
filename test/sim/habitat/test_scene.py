"""Scene datasets that somebody else made: loaded as they are, found things by, and driven in."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dadu.house.files import load_house
from dadu.robots import load_robot
from dadu.sim.habitat.scene import SceneFile, describe_scene, scene_of
from dadu.sim.habitat.simulation import HabitatSimulation
from dadu.sim.settings import CameraSettings, SimulationSettings
from dadu.world.occupancy import FREE, OccupancyMap


@pytest.fixture(scope="module")
def foreign(dataset, tmp_path_factory):
    """Our hut as others would publish it: the same thing twice, with the same semantic id."""
    root = dataset.config.parent
    scene = json.loads((root / "scenes" / "hut.scene_instance.json").read_text())
    can = next(o for o in scene["object_instances"] if o["template_name"].endswith("soup_can_0.object_config"))
    second = {**can, "translation": [6.5, 0.8, -1.5]}
    (root / "scenes" / "apt_0.scene_instance.json").write_text(json.dumps(
        {**scene, "object_instances": [*scene["object_instances"], second]}))
    return SceneFile(dataset=str(dataset.config), scene="apt_0")


def test_a_scene_is_described_for_the_graph(foreign, tmp_path, world):
    house_file = describe_scene(foreign, tmp_path, **world)
    house = load_house(house_file)
    assert scene_of(house_file) == foreign
    assert house.furniture == () and len(house.rooms) == 1
    map = OccupancyMap.load(house_file.with_name(f"{house.house}.map.yaml"))
    assert map.at(house.robot.pose[:2]) == FREE
    assert map.at((2.0, 1.2)) == FREE and map.at((2.0, 2.5)) != FREE and map.at((0.4, 0.6)) != FREE


def test_its_things_are_told_apart(foreign, tmp_path, world):
    house_file = describe_scene(foreign, tmp_path, **world)
    settings = SimulationSettings(camera=CameraSettings(width=32, height=24, rate=0))
    simulation = HabitatSimulation(load_house(house_file), load_robot("stretch"), -1, settings,
                                   scene=scene_of(house_file), **world)
    try:
        bodies = simulation.ground_truth().bodies
        assert {"soup_can_0_0", "soup_can_0_1"} <= set(bodies)
        assert np.allclose(bodies["soup_can_0_1"].box.centre, (6.5, 1.5, 0.8), atol=2e-3)
        assert len(set(simulation.instance_names)) == len(simulation.instance_names)
        simulation.advance(1.0)
        assert simulation.ground_truth().bodies["soup_can_0_1"].box.bottom == pytest.approx(0.74, abs=0.01)
    finally:
        simulation.close()


def test_a_house_of_our_own_is_no_scene():
    assert scene_of("flat") is None
