"""One task with faults after the other, as many as are not done yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dadu.eval.chaos.draw import Drawing
from dadu.eval.chaos.results import ChaosResult, append, read
from dadu.eval.chaos.task import ChaosTask
from dadu.eval.chaos.verdict import Evidence, broken
from dadu.house.files import load_house


class FaultyGraph(Protocol):
    """The running graph, and all that can be done to it. From one task to the next it goes on as it is."""

    def carry_out(self, task: ChaosTask) -> Evidence:
        """Gives the task, does what goes wrong, and tells how it went; whatever lasted is over then."""
        ...


@dataclass(frozen=True)
class ChaosOptions:
    """What to run."""

    tasks: int
    seed: int
    house: str
    """a name in maps/, or a file"""
    out: Path


def run_chaos(options: ChaosOptions, graph: FaultyGraph, say: Callable[[str], None]) -> list[ChaosResult]:
    """All results, those of an earlier run of the same folder included. Errors: ConfigError."""
    options.out.mkdir(parents=True, exist_ok=True)
    results = read(options.out, options.seed, options.house)
    finished = {result.task.index for result in results}
    drawing = Drawing(options.seed, load_house(options.house))
    for index in (i for i in range(options.tasks) if i not in finished):
        task = drawing.task(index)
        say(f"{index + 1}/{options.tasks} {task.instruction!r}: {'; '.join(map(str, task.faults))}")
        evidence = graph.carry_out(task)
        result = ChaosResult(options.seed, options.house, task, evidence, broken(task, evidence))
        append(options.out, result)
        results.append(result)
        say(f"    {'BROKEN: ' + '; '.join(result.broken) if result.broken else 'held'}: {evidence.code} "
            f"after {evidence.steps} steps, {evidence.sim_seconds:.0f} s simulated, {evidence.wall_seconds:.0f} s")
    return results
