"""Tasks as suites, with the houses that they are in, in which all things have room where they are said to be."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from dadu.core.errors import ConfigError
from dadu.house.files import parse_house
from dadu.house.furniture.pieces import furniture_model, size_of
from dadu.house.placement import place_objects
from dadu.imports.instructed.task import Task
from dadu.imports.report import ImportReport
from dadu.robots import load_robot
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


def fitted(task: Task, report: ImportReport) -> Task | None:
    """The task with what finds no room turned, put elsewhere or, where the goal does not need it, left away, as the
    `report` then says; None where that does not help."""
    house, things = task.house, {thing["name"]: dict(thing) for thing in task.objects}
    needed, found = set(_names(task.goals)), ImportReport(task.id)
    spare = [place for place in _roomy(house) if place not in needed]
    for _ in range(60):
        name = _without_room(task, things)
        if name is None:
            report.changes += found.changes
            report.left_out += found.left_out
            return replace(task, objects=list(things.values()))
        thing = things.get(name)
        if thing is None or not _make_room(thing, name in needed, spare, task, found):
            break
        if name not in needed and found.left_out and found.left_out[-1].item.endswith(f" {name}"):
            del things[name]
    report.leave_out(task.id, "instructions", "what it needs finds no room where it is said to be")
    return None


def _without_room(task: Task, things: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The name of a thing for which there is no room within reach, None if there is none such."""
    try:
        placed = place_objects(parse_house({**task.house, "objects": list(things.values())}, task.id))
    except ConfigError as error:
        return str(error).partition(":")[0]
    return next((name for name, placement in placed.items() if placement.position[2] > _reach()), None)


@cache
def _reach() -> float:
    """Above this a Stretch takes nothing [m]."""
    return load_robot("stretch").reach_height[1]


def _make_room(thing: dict[str, Any], needed: bool, spare: list[str], task: Task, report: ImportReport) -> bool:
    """Turns the thing, says that it has to go, or puts it elsewhere; False where none of it can be."""
    item = f"{task.id} {thing['name']}"
    if "yaw" not in thing:
        thing["yaw"] = round(math.pi / 2, 4)
        report.change(item, "things turned to find room", math.pi / 2, "rad")
    elif not needed:
        report.leave_out(item, "things", "no room, and the goal does not need it")
    elif spare:
        here = thing.pop("in", None) or thing["on"]
        thing["on"] = spare.pop(0)
        poses = [next(p["pose"] for p in task.house["furniture"] if p["name"] == name) for name in (here, thing["on"])]
        report.change(item, "things put on another piece of furniture, for room", math.dist(*(p[:2] for p in poses)))
    else:
        return False
    return True


def _roomy(house: Mapping[str, Any]) -> list[str]:
    """Furniture with a top, the largest first."""
    pieces = parse_house({**house, "objects": []}, "house").furniture
    tops = [p for p in pieces if any(not deck.inside for deck in furniture_model(p).decks)]
    return [p.name for p in sorted(tops, key=lambda p: -size_of(p)[0] * size_of(p)[1])]


def _names(value: Any) -> Iterator[str]:
    """All words in nested lists and mappings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _names(entry)
    elif isinstance(value, (Sequence, Collection)):
        for entry in value:
            yield from _names(entry)
