"""A small house, its dataset, and the backend."""

from __future__ import annotations

import pytest
from hut import HOUSE, WORLDS

from dadu.house.files import parse_house
from dadu.robots import load_robot
from dadu.sim.habitat.dataset import export_dataset
from dadu.sim.habitat.simulation import HabitatSimulation
from dadu.sim.settings import CameraSettings, SimulationSettings


@pytest.fixture(scope="session")
def hut():
    return parse_house(HOUSE, "hut")


@pytest.fixture(scope="session")
def dataset(hut, tmp_path_factory):
    return export_dataset(hut, tmp_path_factory.mktemp("hut"))


@pytest.fixture(scope="module", params=WORLDS)
def world(request):
    """Which habitat-sim: the stand-in, or the real one."""
    return request.param


@pytest.fixture(scope="module")
def running(hut, world):
    """The backend with small pictures; habitat-sim takes its time to start."""
    settings = SimulationSettings(camera=CameraSettings(width=64, height=48, rate=0))
    simulation = HabitatSimulation(hut, load_robot("stretch"), -1, settings, **world)
    yield simulation
    simulation.close()


@pytest.fixture
def habitat(running):
    """The backend, as at the start."""
    running.reset(-1)
    return running
