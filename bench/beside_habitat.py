"""Pictures a second of the same home, ours and habitat-sim's, where that is installed."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.sim.habitat.client import HabitatUnavailable
from dadu.sim.habitat.simulation import HabitatSimulation
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.settings import SimulationSettings

PICTURES = 30


def beside_habitat(house: House, robot: RobotDescription, settings: SimulationSettings | None = None,
                   path: tuple[str, ...] = ()) -> str:
    """A line with frames per second of both, or why habitat-sim's are not known. `path`: as in `HabitatClient`.

    In wall time: habitat-sim is a process of its own and may draw on a GPU. Both take turns, from the same places.
    """
    try:
        theirs = HabitatSimulation(house, robot, settings=settings, path=path)
    except HabitatUnavailable as error:
        return f"habitat-sim: not measured: {error}"
    ours = Simulation(house, robot, settings=settings)
    try:
        frames = {"ours": _taker(ours, house), "habitat-sim": _taker(theirs, house)}
        seconds: dict[str, list[float]] = {name: [] for name in frames}
        for i in range(PICTURES):
            for name, take in frames.items():
                start = time.perf_counter()
                take(2 * np.pi * i / PICTURES)
                seconds[name].append(time.perf_counter() - start)
    finally:
        theirs.close()
        ours.close()
    return "RGB-D and segmentation, wall time: " + ", ".join(
        f"{name} {1 / np.median(taken):.1f} frames/s" for name, taken in seconds.items())


def _taker(sim: Simulation | HabitatSimulation, house: House) -> Callable[[float], object]:
    """Takes a picture from where the robot stands at first, turned by an angle [rad]."""
    def take(yaw: float) -> object:
        sim.body.place(sim.data, Pose2(*house.robot.pose[:2], yaw), sim.description.home)
        return sim.render()
    return take
