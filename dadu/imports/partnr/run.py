"""PARTNR's instructions to homes and a suite."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from dadu.imports.instructed.suites import DEFAULTS, write_suite
from dadu.imports.instructed.task import Task
from dadu.imports.partnr.home import PartnrScene
from dadu.imports.partnr.source import SPLITS, GuidingInstruction, read_instructions
from dadu.imports.partnr.targets import Unclear
from dadu.imports.report import ImportReport

SUITE = "partnr"
_TOLD = {**DEFAULTS, "known": "all"}
"""the whole graph: PARTNR's full observability"""


@dataclass(frozen=True)
class PartnrImport:
    suite: Path
    reports: Sequence[ImportReport]
    """one a scene, and one of what found no room"""


def import_instructions(copy: Path, out: Path, splits: Collection[str] = SPLITS) -> PartnrImport:
    """All whose goal can be read, in homes of their scenes; `out` gets the suite, another one of their other meanings,
    and the homes. Errors: ConfigError where `copy` is no checkout of partnr-planner."""
    tasks, reports = tasks_of([found for split in splits for found in read_instructions(copy, split)])
    room = ImportReport("room for things")
    suite = write_suite(SUITE, "instructions of PARTNR, goals read from their text", tasks, out, defaults=_TOLD,
                        report=room)
    return PartnrImport(suite, [*reports, room])


def tasks_of(instructions: Sequence[GuidingInstruction]) -> tuple[list[Task], list[ImportReport]]:
    """Those whose goal could be derived; the report of each scene says of the others why not."""
    tasks, reports = [], []
    for name in dict.fromkeys(instruction.scene for instruction in instructions):
        report = ImportReport(f"scene {name}")
        reports.append(report)
        here = [instruction for instruction in instructions if instruction.scene == name]
        scene = PartnrScene(name, here, report)
        for instruction in here:
            try:
                task = scene.task(instruction, report)
            except Unclear as why:
                report.leave_out(instruction.id, "instructions", str(why))
                continue
            tasks.append(task)
            report.take("instructions")
            report.take("things of initial states", len(task.objects))
            for _ in range(instruction.pieces_with_states):
                report.leave_out(instruction.id, "states of furniture", "furniture has no such states")
    return tasks, reports
