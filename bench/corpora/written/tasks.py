"""Instructions written by hand as tasks, in two halves by hash: one that may be read, one that is only scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from bench.corpora.samples import rank
from dadu.core.config import read_yaml
from dadu.core.paths import shared
from dadu.imports.instructed.task import Task

NAMES = ("dadu_e", "emmoe", "dadu_e_more", "emmoe_more", "at_home", "five_manners")


def halves(name: str, seed: int) -> tuple[str, Mapping[str, list[Task]], Mapping[str, Any]]:
    """What the corpus is about, and its tasks by ``dev`` and ``test``, of each level one half; by id what is expected
    of the robot's last words (``says``, ``cannot``)."""
    expected: dict[str, Any] = {}
    content = read_yaml(Path(__file__).with_name(f"{name}.yaml"))
    found: dict[str, list[Task]] = {"dev": [], "test": []}
    for home, levels in content["instructions"].items():
        house, things = _home(content["homes"][home])
        for level, entries in levels.items():
            tasks = [Task(f"{name}-{home}-{level.replace(' ', '-')}-{i + 1:02}", level, entry["say"], house, things,
                          list(_goals(entry)), entry["say"], {"open": entry["open"]} if "open" in entry else {})
                     for i, entry in enumerate(entries)]
            expected |= {task.id: words for task, entry in zip(tasks, entries)
                         if (words := {key: entry[key] for key in ("says", "cannot") if key in entry})}
            for i, task in enumerate(sorted(tasks, key=lambda task: rank(seed, task.id))):
                found["test" if i % 2 else "dev"].append(task)
    return content["about"], found, expected


def _home(described: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A house of ``maps/`` without things, and the things."""
    house = read_yaml(shared("maps", f"{described['map']}.house.yaml"))
    things = described.get("instead", house.pop("objects")) + described.get("besides", [])
    house.pop("objects", None)
    return house | {"house": f"{house['house']}_written"}, things


def _goals(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """As in a suite; each is right."""
    if "kinds" in entry:
        predicate, place = entry["at"].split()
        for groups in combinations(entry["of"], entry["kinds"]):
            yield _goal([f"{predicate} {group} {place}" for group in groups])
        return
    yield _goal(entry["is"])
    yield from map(_goal, entry.get("or", ()))


def _goal(lines: Sequence[str]) -> dict[str, Any]:
    """Things that are placed stay placed; where the robot goes and what it opens may pass."""
    propositions, order = [], []
    for line in lines:
        words = line.split()
        if words[0] == "order":
            order = [[int(i) for i in pair.split("<")] for pair in words[1:]]
            continue
        number = {"number": int(words.pop())} if words[-1].isdigit() else {}
        propositions.append({words[0]: [word.split("|") for word in words[1:]]} | number)
    placed = [i for i, line in enumerate(lines) if line.startswith(("is_on_top", "is_inside"))]
    constraints = [{"temporal": order}] * bool(order) + [{"terminal": placed}] * bool(placed)
    return {"propositions": propositions} | ({"constraints": constraints} if constraints else {})
