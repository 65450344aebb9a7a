"""Which simulator a name means."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.house.files import load_house
from dadu.house.format import House
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.simulation import Simulation, camera_class
from dadu.sim.settings import SimulationSettings

Simulator = Literal["mujoco", "habitat"]


def make_simulation(simulator: Simulator, house: str | Path, robots: Sequence[RobotDescription], seed: int,
                    settings: SimulationSettings) -> DrivenBackend:
    """The house of that name or file, with the robots in it, ready for an `Engine`.

    Errors: ConfigError; RenderingUnavailable; HabitatUnavailable, saying how to get it.
    """
    if simulator == "habitat":
        from dadu.sim.habitat.scene import scene_of  # only when wanted: it brings mesh libraries along
        from dadu.sim.habitat.simulation import HabitatSimulation
        return HabitatSimulation(load_house(house), _alone(robots), seed, settings, scene=scene_of(house))
    return simulate_house(simulator, load_house(house), robots, seed, settings)


def simulate_house(simulator: Simulator, house: House, robots: Sequence[RobotDescription], seed: int,
                   settings: SimulationSettings) -> DrivenBackend:
    """One of our own houses, as `make_simulation`."""
    if simulator == "habitat":
        from dadu.sim.habitat.simulation import HabitatSimulation
        return HabitatSimulation(house, _alone(robots), seed, settings)
    camera_class()  # a machine that cannot draw says so before anything starts
    return Simulation(house, robots, seed, settings)


def _alone(robots: Sequence[RobotDescription]) -> RobotDescription:
    if len(robots) != 1:
        raise ConfigError(f"{len(robots)} robots in one home need simulator:=mujoco; Habitat has one")
    return robots[0]
