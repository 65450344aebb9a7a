"""Skill steps per second of processor time of the oracle backend: ``python bench/oracle.py [SECONDS]``."""

from __future__ import annotations

import sys
import time

from dadu.house.files import load_house
from dadu.skills.call import SkillCall
from dadu.stacks.oracle import OracleStack


def laps(stack: OracleStack, seconds: float) -> tuple[int, int, float]:
    """Carries things about for `seconds` [s] of processor time: number of skills, of those that
    worked, and the time they took [s]."""
    things = [t.name for t in stack.world.things.values() if not stack.world.hidden_in(t)]
    tables = [id for id, piece in stack.world.pieces.items() if any(not s.inside for s in piece.surfaces)]
    start, done, worked = time.process_time(), 0, 0
    while time.process_time() - start < seconds:
        thing, table = things[done % len(things)], tables[done % len(tables)]
        for call in (SkillCall("go_to", (thing,)), SkillCall("pick", (thing,)), SkillCall("go_to", (table,)),
                     SkillCall("place", ("on", table))):
            worked += stack.execute(call).ok
            done += 1
        if stack.agent.held:
            for call in (SkillCall("go_to", ("dining_table_0",)), SkillCall("place", ("on", "dining_table_0"))):
                worked += stack.execute(call).ok
                done += 1
    return done, worked, time.process_time() - start


def main() -> None:
    stack = OracleStack(load_house("flat"), known="all")
    laps(stack, 0.5)  # the ways of the house are found once
    done, worked, took = laps(stack, float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
    sys.stdout.write(f"{done} skills in {took:.2f} s of processor time, {100 * worked / done:.0f} % of them worked: "
                     f"{done / took:.0f} a second\n")


if __name__ == "__main__":
    main()
