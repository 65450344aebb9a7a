"""Sees to it that all things of an episode have room where they are said to be."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dadu.core.errors import ConfigError
from dadu.house.files import parse_house
from dadu.house.furniture.pieces import furniture_model, size_of
from dadu.house.placement import place_objects
from dadu.imports.instructed.task import Task

REACH = 1.15
"""above this a Stretch takes nothing [m]"""


def fitted(task: Task) -> Task | None:
    """The task with what finds no room turned, put elsewhere or, where the goal does not need it, left away; None where
    that does not help."""
    house, things = task.house, {thing["name"]: dict(thing) for thing in task.objects}
    needed = set(_names(task.goals))
    spare = [place for place in _roomy(house) if place not in needed]
    for _ in range(60):
        try:
            placed = place_objects(parse_house({**house, "objects": list(things.values())}, task.id))
            name = next((n for n, placement in placed.items() if placement.position[2] > REACH), "")
            if not name:
                return replace(task, objects=list(things.values()))
        except ConfigError as error:
            name = str(error).partition(":")[0]
        thing = things.get(name)
        if thing is None:
            return None
        if "yaw" not in thing:
            thing["yaw"] = round(math.pi / 2, 4)
        elif name not in needed:
            del things[name]
        elif spare:
            thing.pop("in", None)
            thing["on"] = spare.pop(0)
        else:
            return None
    return None


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
