# ruff: noqa: T201 - a bench prints
"""A Stretch in `flat` fetches something for a person whom it has seen, and hands it over, by contact physics.
Run: python bench/handover.py [takes|stands [SEED...]]

`stands`: the person does not take it. Per seed: what was asked for and where, what the robot says came of each
handover, how long they took, and who has the thing in truth. Privileged: instances and pose.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from dadu.house.files import load_house
from dadu.perception.sensor_config import SensorConfig
from dadu.planner.step import Step
from dadu.skills.call import SkillCall
from dadu.skills.generator import TICK
from dadu.stacks.stack import Stack

THINGS, ROOMS = ("lemon", "soup can", "milk", "red apple"), ("living_room", "bedroom", "dining_room", "hall")


def trial(seed: int, takes: bool) -> str:
    random = np.random.default_rng(seed)
    thing, room = (str(random.choice(among)) for among in (THINGS, ROOMS))
    stack = Stack(load_house("flat"), seed=seed, person=True,
                  eyes=SensorConfig(perception="ground_truth", privilege="instances,pose"))
    assert stack.person is not None
    stack.person.do(SkillCall("go_to", (room,)))
    while stack.person.busy:
        stack.advance(TICK)
    if not takes:
        stack.simulation.inhabitant = lambda dt: None
    stack.execute(SkillCall("explore", (room,)))
    handovers: list[tuple[str, float]] = []

    def trace(step: Step) -> None:
        if step.call.skill == "handover" and step.result is not None:
            handovers.append((step.result.detail or step.result.code.name, round(step.end - step.start, 1)))
    report = stack.do(f"give me the {thing}", trace=trace)
    bodies = stack.simulation.ground_truth().bodies
    has = [f"{name}: {body.holder or 'robot'}" for name, body in bodies.items() if body.holder or body.held]
    stack.close()
    return f"{thing}, {room}: {report.summary[:80]!r}; handovers {handovers}; in hands {has}"


if __name__ == "__main__":
    case, *seeds = sys.argv[1:] or ["takes"]
    for seed in map(int, seeds or ["0"]):
        begun = time.process_time()
        said = trial(seed, case == "takes")
        print(f"{case}, seed {seed}: {said} ({time.process_time() - begun:.0f} s of processor time)", flush=True)
