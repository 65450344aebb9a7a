"""BEHAVIOR's activities to homes and a suite, and beside it what their judge is asked with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from dadu.core.errors import ConfigError
from dadu.imports.bddl.goal import Untranslatable
from dadu.imports.bddl.home import BddlTask, task_of
from dadu.imports.bddl.source import BddlProblem, read_problems
from dadu.imports.instructed.suites import DEFAULTS, write_suite
from dadu.imports.procthor.source import SourceRecord
from dadu.imports.report import ImportReport

SUITE = "bddl"
PROBLEMS = "problems.json"
"""beside the suite"""
_TOLD = {**DEFAULTS, "known": "all"}


class JudgedProblem(SourceRecord):
    """A problem, and how a home of ours stands for what it speaks of, see `BddlTask`."""

    problem: BddlProblem
    names: dict[str, str]
    either: dict[str, str]


_PROBLEMS = TypeAdapter(dict[str, JudgedProblem])


@dataclass(frozen=True)
class BddlImport:
    suite: Path
    reports: Sequence[ImportReport]


def import_activities(python: Path, given: Sequence[str], out: Path) -> BddlImport:
    """`given`: activities of the package or files, none for all; `python` has the package. What cannot be taken over is
    in the report by predicate or by category. Errors: BddlError."""
    problems, refused = read_problems(python, given)
    report = ImportReport("BDDL")
    for name, reason in refused.items():
        report.leave_out(name, "activities", reason)
    tasks = list(tasks_of(problems, report))
    suite = write_suite(SUITE, "activities of BEHAVIOR in homes that hold what they name", [one.task for one in tasks],
                        out, defaults=_TOLD, report=report)
    (out / PROBLEMS).write_text(json.dumps({one.task.id: JudgedProblem(
        problem=one.problem, names=dict(one.names), either=dict(one.either)).model_dump() for one in tasks}) + "\n")
    return BddlImport(suite, [report])


def load_problems(suite: Path) -> dict[str, JudgedProblem]:
    """Those beside a suite, by episode. Errors: ConfigError."""
    path = suite.with_name(PROBLEMS)
    try:
        return _PROBLEMS.validate_json(path.read_bytes())
    except OSError:
        raise ConfigError(f"{suite}: no suite of `dadu import bddl`: there is no {PROBLEMS} beside it") from None
    except ValidationError as error:
        raise ConfigError(f"{path}: {error.errors()[0]['loc']}: {error.errors()[0]['msg']}") from None


def tasks_of(problems: Sequence[BddlProblem], report: ImportReport) -> Iterator[BddlTask]:
    """Those that can be taken over; of the others the `report` says why not."""
    for problem in problems:
        try:
            task = task_of(problem, report)
        except (Untranslatable, ConfigError) as why:
            report.leave_out(problem.name, "activities", str(why))
            continue
        report.take("activities")
        report.take("furniture", len(task.task.house["furniture"]))
        report.take("things", len(task.task.objects))
        yield task
