# ruff: noqa: T201 - a bench prints
"""How often the skills succeed, by contact physics: fetch each object and put it on each receptacle, over seeds.

Run: python bench/skills.py [--robot stretch] [--house flat] [--seeds 0 1 2] [--objects milk_0 ...] [--to sofa_0 ...]

Every trial is a fresh world: open what the object is in, take it, carry it, put it down, close what was opened. A skill
is tried once, and the trial ends where one fails. Printed are the outcome of each, its simulated time, and at the end
success rates with the codes and details of failures. A success that the true state belies counts as ``false``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from dadu.house.files import load_house
from dadu.house.format import House
from dadu.skills.call import SkillCall
from dadu.stacks.stack import Stack


def calls(stack: Stack, name: str, receptacle: str) -> Iterator[tuple[SkillCall, str]]:
    """The skills of a trial, and what each drive is for."""
    edge = stack.graph().support(name)
    shut = edge.object if edge.relation.value == "in" and stack.graph()[edge.object].parts else ""
    if shut:
        yield SkillCall("go_to", (shut,)), "open"
        yield SkillCall("open", (shut,)), ""
    yield SkillCall("go_to", (name,)), "pick"
    yield SkillCall("pick", (name,)), ""
    yield SkillCall("go_to", (receptacle,)), "place"
    yield SkillCall("place", ("on", receptacle)), ""
    if shut:
        yield SkillCall("go_to", (shut,)), "close"
        yield SkillCall("close", (shut,)), ""


def true_of(stack: Stack, call: SkillCall, name: str) -> bool:
    """True if the world is as a success of `call` says."""
    state = stack.simulation.ground_truth()
    body, target = state.bodies[name], call.arguments[-1]
    if call.skill == "pick":
        return body.held
    if call.skill == "place":
        surfaces = stack.graph()[target].surfaces
        bottom = float(body.box.centre[2] - abs(body.box.R[2]) @ body.box.size / 2)
        return not body.held and any(abs(bottom - surface.height) < 0.08 for surface in surfaces)
    if call.skill in ("open", "close"):
        moved = [value for part, value in state.parts.items() if part.startswith(f"{target}/")]
        return max(moved) > 0.2 if call.skill == "open" else min(moved) < 0.05
    return True


def trial(house: House, robot: str, seed: int, name: str, receptacle: str) -> Iterator[tuple[str, str, float]]:
    """(skill, outcome, simulated seconds) of each skill until one fails."""
    stack = Stack(house, seed=seed, robot=robot, known="all")
    try:
        for call, purpose in list(calls(stack, name, receptacle)):
            start = stack.now()
            result = stack.execute(call, purpose)
            stack.advance(0.4)
            outcome = result.code.name if not result.ok else "ok" if true_of(stack, call, name) else "false"
            yield call.skill, f"{outcome} {result.detail}".strip(), stack.now() - start
            if not result.ok:
                print(f"    {call}: {result.message}")
                return
    finally:
        stack.close()


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--robot", default="stretch")
    words.add_argument("--house", default="flat")
    words.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    words.add_argument("--objects", nargs="+", help="default: all")
    words.add_argument("--to", nargs="+", default=["dining_table_0"])
    given = words.parse_args()
    house = load_house(given.house)
    counts: dict[str, Counter] = defaultdict(Counter)
    for name in given.objects or [thing.name for thing in house.objects]:
        for receptacle in given.to:
            for seed in given.seeds:
                start, line = time.process_time(), []
                for skill, outcome, seconds in trial(house, given.robot, seed, name, receptacle):
                    counts[skill][outcome] += 1
                    line.append(f"{skill} {outcome} {seconds:.0f} s")
                print(f"{name} to {receptacle}, seed {seed}: {', '.join(line)}"
                      f" [{time.process_time() - start:.0f} s of processor]", flush=True)
    for skill, outcomes in counts.items():
        total = sum(outcomes.values())
        failures = ", ".join(f"{n} {outcome}" for outcome, n in outcomes.most_common() if outcome != "ok")
        print(f"{skill:6} {outcomes['ok']:3} of {total:3}  {failures}")


if __name__ == "__main__":
    main()
