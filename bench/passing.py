# ruff: noqa: T201 - a bench prints
"""Two Stretches that want through one door at once, or a Stretch and a person in a door or a corridor, by contact
physics: each robot by its own laser and wheels, without a word to the other.
Run: python bench/passing.py [robots|door|corridor [SEED...]]

Per seed: whether all robots arrive, when, how near they came, and in how many looks MuJoCo had them touch, or one of
them the house. Robots: between footprints, a look every 50 ms. With a person: between bodies, a look every 10 ms; and
when the robot would arrive alone.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from itertools import cycle

import mujoco
import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.navigation.costmap import Costmap
from dadu.navigation.footprint import Footprint
from dadu.navigation.go_to import Drive, go_to
from dadu.robots import load_robot
from dadu.sim.mujoco.scene.figure import FIGURE, stand
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.odometry import Odometry, OdometrySettings
from dadu.sim.settings import CameraSettings, SimulationSettings
from dadu.skills.call import SkillCall
from dadu.skills.generator import SkillRunner
from dadu.skills.scene import Scene
from dadu.stacks.person import SimulatedPerson
from dadu.stacks.site import drawn_site
from dadu.stacks.stack import LocalisedRobot

TICK, LONGEST, STEP = 0.05, 180.0, 0.01
DRIVES = ((Pose2(2.2, 1.9, 0.0), Pose2(4.6, 3.6, math.pi / 2)), (Pose2(4.8, 1.9, math.pi), Pose2(1.7, 2.1, math.pi)))
"""start and goal of each: from the kitchen to the hall, and from the hall to the kitchen"""
PEOPLE = {"door": ("flat", DRIVES[0], Pose2(4.5, 2.4, math.pi), ("kitchen", "hall")),
          "corridor": ("apartment", (Pose2(11.4, 4.9, math.pi), Pose2(1.0, 4.9, math.pi)), Pose2(2.6, 4.6, 0.0),
                       ("kids_room", "kitchen"))}
"""house, the robot's start and goal, where the person begins, and between which rooms they walk, for ever"""


class Meeting:
    """Robots in a house, each with a goal."""

    def __init__(self, house: str, drives: Sequence[tuple[Pose2, Pose2]], seed: int, person: bool = False) -> None:
        self.random = np.random.default_rng(seed)
        stretch = load_robot("stretch")
        starts = [Pose2(*(np.array(start) + self.random.uniform(-0.1, 0.1, 3))) for start, _ in drives]
        self.simulation = Simulation(load_house(house, starts[0]), [stretch] * len(drives), -1, SimulationSettings(
            camera=CameraSettings(rate=0.0), person=person))
        self.bodies = [robot.body for robot in self.simulation.robots]
        self.robots, self.runners = [], []
        for rank, (sim_robot, start) in enumerate(zip(self.simulation.robots, starts)):
            sim_robot.body.place(self.simulation.data, start, stretch.home)
            site = drawn_site(load_house(house, start), stretch)
            self.robots.append(LocalisedRobot(sim_robot, Odometry(OdometrySettings(), seed + rank), site.localiser))
            drive = Drive(Costmap(site.map, stretch), rank=rank)
            self.runners.append(SkillRunner(go_to(stretch, Scene(map=site.map), drives[rank][1], drive, look=())))

    def run(self, look: Callable[[], None], step: float = TICK) -> str:
        """How the drives end; `look` is called after every `step` [s]."""
        while self.simulation.time < LONGEST and any(runner.result is None for runner in self.runners):
            for robot, runner in zip(self.robots, self.runners):
                command = runner.tick(robot.observe())
                if command is not None:
                    robot.act(command)
            for _ in range(round(TICK / step)):
                self.simulation.advance(step)
                look()
        ends = ", ".join("late" if runner.result is None else runner.result.code.name for runner in self.runners)
        return f"{ends} after {self.simulation.time:.1f} s"


def two_robots(seed: int) -> str:
    meeting = Meeting("flat", DRIVES, seed)
    simulation, bodies = meeting.simulation, meeting.bodies
    outline, nearest, touching, scraping = Footprint(bodies[0].description.footprint, 0.02), math.inf, 0, 0
    floor_geom = simulation.model.geom("floor").id

    def look() -> None:
        nonlocal nearest, touching, scraping
        pair = np.array([[body.owns(geom) for body in bodies] for geom in simulation.data.contact.geom.ravel()])
        pair = pair.reshape(-1, 2, 2)
        with_other = pair.any(axis=1).all(axis=1)
        floor = np.isin(simulation.data.contact.geom, floor_geom).any(axis=1)
        touching += bool(with_other.any())
        scraping += bool((pair.any(axis=(1, 2)) & ~with_other & ~floor & ~pair.any(axis=2).all(axis=1)).any())
        a, b = (body.base_pose(simulation.data) for body in bodies)
        nearest = min(nearest, *(gap(outline, one, other) for one, other in ((a, b), (b, a))))
    ends = meeting.run(look)
    return f"{ends}; nearest {nearest:.2f} m, touching each other {touching} ticks, the house {scraping}"


def with_person(case: str, seed: int) -> str:
    house, drive, stands, rooms = PEOPLE[case]
    alone = Meeting(house, [drive], seed).run(lambda: None)
    meeting = Meeting(house, [drive], seed, person=True)
    simulation, body = meeting.simulation, meeting.bodies[0]
    model, data = simulation.model, simulation.data
    figure = np.flatnonzero(model.geom_bodyid == model.body(FIGURE).id)
    solid = [geom for geom in body.geoms if model.geom_contype[geom]]
    nearest, touching, scraping, ticks = math.inf, 0, 0, 0
    delay = meeting.random.uniform(0.0, 5.0)
    stand(model, data, stands)
    person = SimulatedPerson(simulation, habit=cycle([SkillCall("go_to", (room,)) for room in rooms]))
    simulation.inhabitant = lambda dt: person.advance(dt) if simulation.time > delay else None

    def look() -> None:
        nonlocal nearest, touching, scraping, ticks
        pairs = [pair for pair in data.contact.geom.tolist() if any(map(body.owns, pair))]
        touching += any(geom in figure for pair in pairs for geom in pair)
        scraping += any(geom != model.geom("floor").id and not body.owns(geom) and geom not in figure
                        for pair in pairs for geom in pair)
        ticks += 1
        if ticks % 5 == 0 and math.dist(body.base_pose(data)[:2], person.pose[:2]) < nearest + 1.5:
            nearest = min(nearest, *(mujoco.mj_geomDistance(model, data, a, b, nearest if nearest < 9 else 9.0, None)
                                     for a in solid for b in figure))
    ends = meeting.run(look, STEP)
    walks = [result for _, result in person.results]
    return (f"{ends}, alone {alone}; nearest {nearest:.2f} m, touching each other {touching} of {ticks} looks, the "
            f"house {scraping}; the person's walks: {sum(r.ok for r in walks)} of {len(walks)} done")


def gap(outline: Footprint, one: Pose2, other: Pose2) -> float:
    """Of the outline of `other` to the rectangle of `one` [m]."""
    low, high = outline.polygon.min(axis=0), outline.polygon.max(axis=0)
    points = one.inverse().apply(outline.at(np.array(other)))
    return float(np.hypot(*np.maximum(np.maximum(low - points, points - high), 0).T).min())


if __name__ == "__main__":
    case, *seeds = sys.argv[1:] or ["robots"]
    for seed in map(int, seeds or ["0"]):
        begun = time.process_time()
        said = two_robots(seed) if case == "robots" else with_person(case, seed)
        print(f"{case}, seed {seed}: {said} ({time.process_time() - begun:.0f} s of processor time)", flush=True)
