# ruff: noqa: T201 - a bench prints
"""Speed of the simulator on this machine: physics, pictures, scans. Run: python bench/sim.py [HOUSE]"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from dadu.robot import Command, Twist
from dadu.robots import load_robot
from dadu.sim.house import load_house
from dadu.sim.simulation import Simulation
from dadu.sim.simulation_settings import CameraSettings, LaserSettings, SimulationSettings


def per_second(run: Callable[[], None], seconds: float = 2.0) -> float:
    """Calls of `run` in a second."""
    run()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        run()
        count += 1
    return count / (time.perf_counter() - start)


def main(house: str = "flat") -> None:
    """Prints a line for each measurement."""
    blind = SimulationSettings(camera=CameraSettings(rate=0), laser=LaserSettings(rate=0))
    start = time.perf_counter()
    sim = Simulation(load_house(house), load_robot("stretch"), settings=blind)
    print(f"build {time.perf_counter() - start:.2f} s: {sim.model.nv} degrees of freedom, {sim.model.ngeom} geoms")

    def drive() -> None:
        sim.robot.act(Command(base=Twist(0.0, 0.5)))
        sim.advance(0.1)

    steps = 0.1 / sim.model.opt.timestep
    print(f"physics, everything asleep: {per_second(lambda: sim.advance(0.1)) * steps:.0f} steps/s")
    print(f"physics, turning on the spot: {per_second(drive) * steps:.0f} steps/s")
    print(f"picture (colour, depth, instances at 640x480): {per_second(sim.render):.1f}/s")
    print(f"scan of {sim.settings.laser.rays} rays: {per_second(sim.scan):.0f}/s")
    print(f"ground truth: {per_second(sim.ground_truth):.0f}/s")
    sim.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
