# ruff: noqa: T201 - a bench prints
"""Doors and drawers, opened and closed by contact physics from where the robot says to stand for it.

Run: python bench/doors.py [--robot stretch] [--houses flat small_flat] [--only fridge_0 ...] [--angles 0.6 1.0 1.4]
[--do open close] [--out FILE]

A trial stands the robot 1.3 m before the front, asks where to stand, puts the robot there with a small error of its
own seed, and opens the shut part, or closes it from an angle (of a drawer: the same share of its range); up to three
tries, each asked anew, as a planner does it. Open: 60 % and more, closed: 10 % or less, by the true state. Privileged:
instances, pose, and how far the part stands. Printed are the outcome, tries, simulated seconds, and the processor time
of where to stand.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.manipulation.articulate import articulate
from dadu.navigation.standing.base_placement import place_base
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.robots import load_robot
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.settings import CameraSettings, SimulationSettings
from dadu.skills.generator import run
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.scene import Scene
from dadu.world.graph import CLOSED, OPEN, Articulation, Relation

TRIES = 3
SETTINGS = SimulationSettings(camera=CameraSettings(rate=1.0))
"""pictures are most of the work, and few are looked at"""
ERROR = 0.008, 0.008, 0.01
"""of a drive, one sigma [m, m, rad]"""
FULL = 1.48
"""[rad]: the angles are shares of this of a hinge, and of the range of a drawer"""


class Bench:
    """A robot that is put where it shall stand, in lock step."""

    def __init__(self, house: str, robot: str) -> None:
        self.robot, self.house = load_robot(robot), load_house(house)
        self.sim = Simulation(self.house, self.robot, -1, SETTINGS)
        categories = dict(zip(self.sim.instance_names, self.sim.instance_categories, strict=True))
        self._detector, self._stamp = InstanceDetector(self.sim.instance_names, categories), -1.0
        self.scene = Scene(graph=build_graph(self.house, "all"), map=rasterize(self.house, height=self.robot.height))

    def stand(self, pose: Pose2) -> None:
        self.sim.body.place(self.sim.data, pose, self.robot.home)
        self.sim.robot.reset()
        self._advance(0.5)

    def articulate(self, piece: str, part: str, opening: bool) -> SkillResult:
        skill = articulate(self.robot, self.scene, piece, part, opening)
        return run(skill, self.sim.robot, self._advance, timeout=200.0)

    def set_part(self, piece: str, name: str, value: float) -> None:
        """In the simulation, with what is in a drawer, and in the graph."""
        joint, entity = self.sim.data.joint(f"{piece}/{name}"), self.scene.graph[piece]
        moved = next(part for part in entity.parts if part.name == name)
        if moved.kind == "slide":
            for thing in self.scene.graph.contents(piece, Relation.IN):
                self.sim.data.joint(thing.id).qpos[:3] += (value - joint.qpos[0]) * np.array(moved.axis)
        joint.qpos[0] = value
        parts = tuple(replace(part, value=value) if part is moved else part for part in entity.parts)
        self.scene.graph.change(piece, parts=parts)

    def part(self, piece: str, name: str) -> float:
        """True value."""
        return float(self.sim.data.joint(f"{piece}/{name}").qpos[0])

    def _advance(self, dt: float) -> None:
        self.sim.advance(dt)
        camera = self.sim.robot.observe().camera
        if camera is not None and camera.stamp != self._stamp:
            self._stamp = camera.stamp
            self.scene.frame = perceive(camera, self._detector)


def trial(robot: str, house: str, piece: str, part: Articulation, opening: bool, value: float) -> dict[str, Any]:
    """What became of it."""
    bench = Bench(house=house, robot=robot)
    try:
        bench.set_part(piece, part.name, value)
        outward = float(np.arctan2(part.normal[1], part.normal[0]))
        before = np.array(part.handle[:2]) + 1.3 * np.array(part.normal[:2])
        here = Pose2(float(before[0]), float(before[1]), outward + np.pi - bench.robot.arm_direction)
        rng = np.random.default_rng(zlib.crc32(f"{house}/{piece}/{part.name}/{value:.2f}".encode()))
        done: dict[str, Any] = {
            "robot": robot, "house": house, "piece": piece, "part": part.name, "value": round(value, 2),
            "do": "open" if opening else "close", "ok": False, "tries": [], "seconds": 0.0, "standing_ms": []}
        tried: list[Pose2] = []
        for _ in range(TRIES):
            start = time.process_time()
            stance = place_base(bench.scene, bench.robot, piece, done["do"], part=part.name, start=here, avoid=tried)
            done["standing_ms"].append(round(1000 * (time.process_time() - start), 1))
            if not isinstance(stance, Pose2):
                done["tries"].append(f"{stance.code.name} {stance.detail}".strip())
                break
            tried.append(stance)
            bench.stand(Pose2(*(np.array(stance) + ERROR * rng.standard_normal(3))))
            began = bench.sim.robot.observe().stamp
            result = bench.articulate(piece, part.name, opening)
            seen = bench.sim.robot.observe()
            done["seconds"] = round(done["seconds"] + seen.stamp - began, 1)
            here, now = seen.base_pose, bench.part(piece, part.name)
            done["ok"] = now >= OPEN * part.range if opening else now <= CLOSED * part.range
            done["tries"].append(f"{result.code.name} {result.detail} {100 * now / part.range:.0f}%")
            if done["ok"] or result.code is Code.NOT_INTERACTIVE:
                break
            bench.set_part(piece, part.name, now)
        return done
    finally:
        bench.sim.close()


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--robot", default="stretch")
    words.add_argument("--houses", nargs="+", default=["flat", "small_flat", "apartment"])
    words.add_argument("--only", nargs="+", help="pieces; default: all")
    words.add_argument("--angles", type=float, nargs="+", default=[0.6, 1.0, 1.4], help="to close from [rad]")
    words.add_argument("--do", nargs="+", default=["open", "close"])
    words.add_argument("--out", type=Path)
    given = words.parse_args()
    kept: list[dict[str, Any]] = []
    for house in given.houses:
        bench = Bench(house=house, robot=given.robot)
        parts = [(entity.id, part) for entity in bench.scene.graph for part in entity.parts
                 if not given.only or entity.id in given.only]
        bench.sim.close()
        for piece, part in parts:
            share = part.range / FULL if part.kind == "slide" else 1.0
            values = [("close", min(angle * share, part.range)) for angle in given.angles]
            for do, value in [("open", 0.0), *values]:
                if do in given.do:
                    kept.append(trial(given.robot, house, piece, part, do == "open", value))
                    print(json.dumps(kept[-1]), flush=True)
                    if given.out:
                        with given.out.open("a") as file:
                            file.write(json.dumps(kept[-1]) + "\n")
    told = defaultdict(list)
    for one in kept:
        told[one["do"]].append(one)
    for do, all_ in told.items():
        standing = [ms for one in all_ for ms in one["standing_ms"]]
        print(f"{do}: {sum(one['ok'] and len(one['tries']) == 1 for one in all_)} at once, "
              f"{sum(one['ok'] for one in all_)} in three tries, of {len(all_)}; "
              f"where to stand {np.median(standing):.0f} / {np.percentile(standing, 95):.0f} ms (median, 95 %)")


if __name__ == "__main__":
    main()
