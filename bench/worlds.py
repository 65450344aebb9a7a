# ruff: noqa: T201 - a bench prints
"""How often whole instructions succeed, by contact physics: one robot in one world, seed after seed.

Run: python bench/worlds.py [--robot stretch] [--house flat] [--seeds 0-9] [--instruction "..."] [--rough]

Simulator, perception, memory, planner and skills run in one process and in lock step; what the robot knows at the
start is the layout. Success is what the simulator's ground truth says of the goal that `dadu plan` reads into the
instruction, whatever the robot's own memory says; a success that only the robot believes in shows as ``false``. Ctrl-C
ends the run, and what was measured until then is told.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass

from rough import Rough
from timeline import Timeline

from dadu.core.errors import DaduError
from dadu.goals.monitor import GoalMonitor
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.house.files import load_house
from dadu.house.format import House
from dadu.house.layout import build_graph
from dadu.operator.demo import INSTRUCTION
from dadu.planner.step import Step
from dadu.stacks.offline import plan_offline
from dadu.stacks.stack import Stack
from dadu.world.state import TrueWorld

INSTRUCTIONS = {
    # Where the demo's apple is on its table already, something else is brought there.
    "small_flat": "take the milk out of the fridge and put it on the dining table, then bring the mug there too",
    "apartment": "take the milk out of the fridge and put it on the dining table, then bring the mug there too",
}
"""by house: opens a container, takes something out and moves two things; elsewhere the demo's"""
LOOK = 0.5
"""simulated time between states that are judged [s]"""
SETTLE = 1.0
"""[s] after the last skill, before the last state is judged"""


@dataclass(frozen=True)
class Ended:
    """One seed's run."""

    verdict: str
    """ok, false (only the robot believes it), failed, or crashed"""
    simulated: float
    """[s]"""
    wall: float
    steps: int
    failures: tuple[str, ...]
    """``skill CODE detail`` of the skills that failed on the way"""
    why: str
    """of a failure, by ground truth"""

    def __str__(self) -> str:
        told = [f"{self.verdict}, {self.simulated:.0f} s simulated, {self.wall:.0f} s, {self.steps} skills",
                ", ".join(self.failures), self.why]
        return "; ".join(filter(None, told))


class Watch:
    """Shows the goal every true state."""

    def __init__(self, stack: Stack, goal: SuiteGoal, house: House) -> None:
        self._stack, self._layout = stack, build_graph(house)
        self._monitor, self._looked = GoalMonitor(goal.held_to_the_end()), float("-inf")

    def tick(self) -> None:
        if self._stack.now() >= self._looked + LOOK:
            self.look()

    def look(self) -> None:
        self._looked = self._stack.now()
        self._monitor.update(TrueWorld(self._layout, self._stack.simulation.ground_truth()))

    def verdict(self):
        self.look()
        return self._monitor.verdict()


def run(house: House, robot: str, seed: int, instruction: str, goal: SuiteGoal, verbose: bool,
        rough: bool) -> Ended:
    """One instruction from its beginning to ground truth's verdict."""
    wall, failures = time.monotonic(), []
    stack = Stack(house, seed=seed, robot=robot)
    watch, timeline = Watch(stack, goal, house), Timeline(stack)

    def tick() -> None:
        watch.tick()
        timeline.tick()
    stack.on_tick = tick
    if rough:
        stack.simulation.robot = Rough(stack.simulation.robot, stack.advance, seed)

    def follow(step: Step) -> None:
        if step.result is None:
            return
        told = f"{step.call} {step.result.code.name} {step.result.detail}".strip()
        if verbose:
            print(f"  {stack.now():6.1f} s  {told}  {step.result.message}\n            {timeline.told()}", flush=True)
        if not step.result.ok:
            failures.append(told)
    try:
        report = stack.do(instruction, trace=follow)
        simulated = stack.now()
        stack.advance(SETTLE)
        verdict = watch.verdict()
        name = "ok" if verdict.success else "false" if report.success else "failed"
        why = "" if verdict.success else f"{verdict.explanation} The robot says: {report.summary}"
        return Ended(name, simulated, time.monotonic() - wall, len(report.steps), tuple(failures), why)
    except DaduError as error:
        return Ended("crashed", stack.now(), time.monotonic() - wall, 0, tuple(failures), str(error))
    finally:
        stack.close()


def table(ended: dict[int, Ended]) -> str:
    """What came of all seeds."""
    done = [run for run in ended.values() if run.verdict == "ok"]
    counts = Counter(failure for run in ended.values() for failure in run.failures)
    lines = [f"{len(done)} of {len(ended)} succeeded"]
    if done:
        times, steps = [run.simulated for run in done], [run.steps for run in done]
        lines[0] += f", {min(times):.0f} to {max(times):.0f} s simulated, {min(steps)} to {max(steps)} skills"
    return "\n".join([*lines, *(f"{count:4} x {failure}" for failure, count in counts.most_common())])


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--robot", default="stretch")
    words.add_argument("--house", default="flat")
    words.add_argument("--seeds", default="0-9", help="A-B, or several numbers with commas")
    words.add_argument("--instruction", help="default: one that suits the world")
    words.add_argument("--rough", action="store_true", help="poses estimated, readings late, thinking takes its time")
    words.add_argument("--verbose", action="store_true", help="every skill as it ends, and where its time went")
    given = words.parse_args()
    first, dash, last = given.seeds.partition("-")
    seeds = range(int(first), int(last) + 1) if dash else [int(seed) for seed in given.seeds.split(",")]
    instruction = given.instruction or INSTRUCTIONS.get(given.house, INSTRUCTION)
    house = load_house(given.house)
    asked = plan_offline(instruction, house, "all")
    if asked["goal"] is None:
        raise SystemExit(f"refused: {asked['refused']}")
    goal = parse_goal(asked["goal"], "the instruction's goal")
    print(f"{given.robot} in {given.house}: {instruction}\ngoal: {', '.join(map(str, goal.propositions))}", flush=True)
    ended: dict[int, Ended] = {}
    try:
        for seed in seeds:
            ended[seed] = one = run(house, given.robot, seed, instruction, goal, given.verbose, given.rough)
            print(f"seed {seed}: {one}", flush=True)
    except KeyboardInterrupt:
        print("interrupted")
    print(table(ended))


if __name__ == "__main__":
    main()
