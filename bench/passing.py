# ruff: noqa: T201 - a bench prints
"""Two Stretches that want through one door at once, by contact physics: each by its own laser and wheels, without a
word to the other. Run: python bench/passing.py [SEED...]

Per seed: whether both arrive, when, how near their footprints came, and in how many ticks of 50 ms MuJoCo had the two
touch, or one of them the house.
"""

from __future__ import annotations

import math
import sys
import time

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.navigation.costmap import Costmap
from dadu.navigation.footprint import Footprint
from dadu.navigation.go_to import Drive, go_to
from dadu.robots import load_robot
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.odometry import Odometry, OdometrySettings
from dadu.sim.settings import CameraSettings, SimulationSettings
from dadu.skills.generator import SkillRunner
from dadu.skills.scene import Scene
from dadu.stacks.localised_robot import LocalisedRobot
from dadu.stacks.site import drawn_site

TICK, LONGEST = 0.05, 180.0
DRIVES = ((Pose2(2.2, 1.9, 0.0), Pose2(4.6, 3.6, math.pi / 2)), (Pose2(4.8, 1.9, math.pi), Pose2(1.7, 2.1, math.pi)))
"""start and goal of each: from the kitchen to the hall, and from the hall to the kitchen"""


def meeting(seed: int) -> str:
    stretch = load_robot("stretch")
    random = np.random.default_rng(seed)
    starts = [Pose2(*(np.array(start) + random.uniform(-0.1, 0.1, 3))) for start, _ in DRIVES]
    house = load_house("flat", starts[0])
    simulation = Simulation(house, [stretch, stretch], -1, SimulationSettings(camera=CameraSettings(rate=0.0)))
    bodies = [robot.body for robot in simulation.robots]
    robots, runners = [], []
    for rank, (sim_robot, start) in enumerate(zip(simulation.robots, starts)):
        sim_robot.body.place(simulation.data, start, stretch.home)
        site = drawn_site(load_house("flat", start), stretch)
        robots.append(LocalisedRobot(sim_robot, Odometry(OdometrySettings(), seed + rank), site.localiser))
        drive = Drive(Costmap(site.map, stretch), rank=rank)
        runners.append(SkillRunner(go_to(stretch, Scene(map=site.map), DRIVES[rank][1], drive, look=())))
    outline, nearest, touching, scraping, begun = Footprint(stretch.footprint, 0.02), math.inf, 0, 0, time.time()
    while simulation.time < LONGEST and any(runner.result is None for runner in runners):
        for robot, runner in zip(robots, runners):
            command = runner.tick(robot.observe())
            if command is not None:
                robot.act(command)
        simulation.advance(TICK)
        pair = np.array([[body.owns(geom) for body in bodies] for geom in simulation.data.contact.geom.ravel()])
        pair = pair.reshape(-1, 2, 2)
        with_other = pair.any(axis=1).all(axis=1)
        floor = np.isin(simulation.data.contact.geom, simulation.model.geom("floor").id).any(axis=1)
        touching += bool(with_other.any())
        scraping += bool((pair.any(axis=(1, 2)) & ~with_other & ~floor & ~pair.any(axis=2).all(axis=1)).any())
        a, b = (body.base_pose(simulation.data) for body in bodies)
        nearest = min(nearest, *(gap(outline, one, other) for one, other in ((a, b), (b, a))))
    ends = ", ".join("late" if runner.result is None else runner.result.code.name for runner in runners)
    return (f"seed {seed}: {ends} after {simulation.time:.1f} s (real-time factor "
            f"{simulation.time / (time.time() - begun):.2f}); nearest {nearest:.2f} m, "
            f"touching each other {touching} ticks, the house {scraping}")


def gap(outline: Footprint, one: Pose2, other: Pose2) -> float:
    """Of the outline of `other` to the rectangle of `one` [m]."""
    low, high = outline.polygon.min(axis=0), outline.polygon.max(axis=0)
    points = one.inverse().apply(outline.at(np.array(other)))
    return float(np.hypot(*np.maximum(np.maximum(low - points, points - high), 0).T).min())


if __name__ == "__main__":
    for seed in map(int, sys.argv[1:] or ["0"]):
        print(meeting(seed), flush=True)
