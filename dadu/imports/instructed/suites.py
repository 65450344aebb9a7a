"""Tasks as suites, with the houses that they are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from dadu.imports.instructed.fitting import fitted
from dadu.imports.instructed.task import Task
from dadu.imports.report import ImportReport
from dadu.tasks.helper import write_helper

OTHER = ".or"
"""in the name of the suite with further goals of the same episodes: right is who reaches one of them"""
DEFAULTS = {"known": "layout", "steps": 120, "sim_seconds": 7200}


def write_suite(name: str, about: str, tasks: Sequence[Task], out: Path, fit: bool = True,
                defaults: Mapping[str, Any] = DEFAULTS, report: ImportReport | None = None) -> Path:
    """``NAME.suite.yaml``, ``NAME.or.suite.yaml``, the houses and the robot, all in the folder `out`; what finds no
    room in its house is moved, with `fit`, and the `report` says so. `defaults`: of all episodes."""
    out.mkdir(parents=True, exist_ok=True)
    robot = write_helper(out)
    for house in {task.house["house"]: task.house for task in tasks}.values():
        _write(out / f"{house['house']}.house.yaml", house)
    defaults = {**defaults, "robot": str(robot)}
    report = report or ImportReport(name)
    tasks = [one for task in tasks if (one := fitted(task, report) if fit else task) is not None]
    path = out / f"{name}.suite.yaml"
    _write(path, {"suite": name, "about": about, "defaults": defaults, "episodes": [_episode(t, 0) for t in tasks]})
    more = [_episode(task, i) for task in tasks for i in range(1, len(task.goals))]
    other = out / f"{name}{OTHER}.suite.yaml"
    if more:
        _write(other, {"suite": f"{name}{OTHER}", "about": f"other goals of {name}", "defaults": defaults,
                       "episodes": more})
    else:
        other.unlink(missing_ok=True)
    return path


def _episode(task: Task, goal: int) -> dict[str, Any]:
    return {"id": task.id if goal == 0 else f"{task.id}{OTHER}{goal}", "level": task.level,
            "instruction": task.instruction, "house": f"{task.house['house']}.house.yaml",
            "objects": [dict(thing) for thing in task.objects], "goal": dict(task.goals[goal]), **task.given}


def _write(path: Path, content: Any) -> None:
    path.write_text(yaml.dump(content, Dumper=_Plain, sort_keys=False, width=110, allow_unicode=True,
                              default_flow_style=None))


class _Plain(yaml.SafeDumper):
    """Writes what is used twice twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
