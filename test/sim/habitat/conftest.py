"""A small house, its dataset, and Habitat's stand-in."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dadu.robots import load_robot
from dadu.sim.habitat.dataset import export_dataset
from dadu.sim.habitat.simulation import HabitatSimulation
from dadu.sim.house import parse_house
from dadu.sim.simulation_settings import CameraSettings, SimulationSettings

sys.path.insert(0, str(Path(__file__).parent))
from hut import HOUSE, STAND_IN


@pytest.fixture(scope="session")
def hut():
    return parse_house(HOUSE, "hut")


@pytest.fixture(scope="session")
def dataset(hut, tmp_path_factory):
    return export_dataset(hut, tmp_path_factory.mktemp("hut"))


@pytest.fixture
def habitat(hut):
    """The backend over the stand-in, with small pictures."""
    settings = SimulationSettings(camera=CameraSettings(width=64, height=48, rate=0))
    simulation = HabitatSimulation(hut, load_robot("stretch"), -1, settings, path=(STAND_IN,))
    yield simulation
    simulation.close()
