# ruff: noqa: T201 - a bench prints
"""Imports ProcTHOR houses, checks them as `dadu house check` does, lets the scripted expert do a task in each in the
oracle. Run: python bench/others_homes.py FILE [FIRST [LAST [ROBOT]]]. Seconds are of the processor."""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from dadu.core.robot import RobotDescription
from dadu.homes.working_places import WorkingPlaces
from dadu.house.files import SUFFIX, save_house
from dadu.house.format import House
from dadu.imports.procthor.run import import_houses
from dadu.imports.report import ImportReport
from dadu.robots import load_robot
from dadu.sim.mujoco.scene.house_mjcf import build_spec
from dadu.tasks.generate import homes

FEW = 0.02
"""share of its objects that a house may lose"""
TRIES = 6


def main(file: str, first: str = "0", last: str = "0", robot: str = "stretch") -> None:
    """Houses `first` to `last` of a file; one line each, then the totals."""
    body, passed, reports = load_robot(robot), Counter(), []
    times: dict[str, list[float]] = {"import": [], "check and compile": []}
    start = time.process_time()
    for house, report in import_houses(Path(file), index=range(int(first), int(last) + 1), robot=body):
        times["import"].append(time.process_time() - start)
        reports.append(report)
        faults = ["no house"] if house is None else _faults(house, body, times)
        lost = report.lost.get("objects", 0.0)
        task = "" if house is None else _task(house)
        passed.update(houses=1, sound=not faults, few=lost <= FEW, both=not faults and lost <= FEW, task=bool(task))
        print(f"{report.source}: {'; '.join(faults) or 'sound'}; {lost:.1%} lost; {task or 'no task'}", flush=True)
        start = time.process_time()
    print(*ImportReport.of_all(reports, file).sentences(), sep="\n")
    print(f"{passed['houses']} houses: {passed['sound']} pass the check, {passed['few']} lose at most {FEW:.0%} of "
          f"their objects, {passed['both']} both; in {passed['task']} the expert does a generated task")
    for what, seconds in times.items():
        print(f"{what}: median {np.median(seconds):.1f} s, worst {max(seconds):.1f} s")


def _faults(house: House, body: RobotDescription, times: dict[str, list[float]]) -> list[str]:
    start = time.process_time()
    faults = list(WorkingPlaces(house, body).unusable())
    build_spec(house).compile()
    times["check and compile"].append(time.process_time() - start)
    return faults


def _task(house: House) -> str:
    """An instruction that the expert carries out; empty where none of some is feasible."""
    rng, things = np.random.default_rng(0), homes.loose(house)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{house.house}{SUFFIX}"
        save_house(house, path)
        for _ in range(TRIES if things else 0):
            thing = things[int(rng.integers(len(things)))]
            targets = sorted({e.category for e in homes.surfaces(house)} - {house.piece(thing.receptacle).category})
            if not targets:
                return ""
            target = str(rng.choice(targets))
            instruction = f"Move the {homes.words(thing.category)} to the {homes.words(target)}."
            goal = {"propositions": [{"is_on_top": [[thing.name], homes.all_of(house, target)]}]}
            episode = {"id": "task", "instruction": instruction, "house": {"name": str(path)}, "goal": goal}
            if homes.feasible(episode, {}):
                return instruction
    return ""


if __name__ == "__main__":
    main(*sys.argv[1:])
