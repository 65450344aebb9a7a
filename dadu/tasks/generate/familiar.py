"""``kept``: a thing to be brought from wherever it is, in a home that the robot has worked in before.

Each home keeps kinds of things where that household does. Between tasks things are used and put back, mostly there, so
that what was seen in past tasks says where to look; not where things are now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from dadu.core.errors import ConfigError
from dadu.house.catalogue import object_categories
from dadu.house.format import House, Object
from dadu.house.placement import place_objects
from dadu.tasks.generate import homes

ABOUT = ("Fetching in a home where the robot has worked before: sorts of things are kept where this household keeps "
         "them, and put back there between tasks (usual: where people do; own: where nobody else would; like: the "
         "same, and the thing was not there before, others like it were; anywhere: nothing has its place).")
DEFAULTS = {"known": "layout", "steps": 40, "sim_seconds": 1800}
LEVELS = ("usual", "own", "like", "anywhere")
_PAST = 4
"""tasks done before"""
_BACK = 0.85
"""share of the things that are back where they are kept when a task begins"""
_TABLES = 2
"""pieces of furniture where one sort of things is kept"""


def episodes(sites: Iterable[homes.SuiteHome], each: int, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """The levels in turn, up to `each` episodes in every home."""
    number = 0
    for site in sites:
        for _ in range(each):
            episode = _tried(LEVELS[number % len(LEVELS)], site, number, rng)
            if episode is None:
                break
            yield episode
            number += 1


def _tried(level: str, site: homes.SuiteHome, number: int, rng: np.random.Generator) -> dict[str, Any] | None:
    """A feasible episode, or None after some that are not."""
    for _ in range(20):
        episode = _episode(level, site, number, rng)
        if episode is not None and _fits(episode, site.house) and homes.feasible(episode, DEFAULTS):
            return episode
    return None


def _fits(episode: dict[str, Any], house: House) -> bool:
    """True if all things find room wherever they are put."""
    try:
        for objects in (episode["objects"], *(task["objects"] for task in episode["past"])):
            place_objects(house.model_copy(update={"objects": tuple(Object.model_validate(o) for o in objects)}))
    except ConfigError:
        return False
    return True


def _episode(level: str, site: homes.SuiteHome, number: int, rng: np.random.Generator) -> dict[str, Any] | None:
    """None where the thing that was drawn has no like."""
    house = site.house
    things, tables = homes.loose(house), [e.id for e in homes.surfaces(house)]
    wanted = things[int(rng.integers(len(things)))]
    like = [t for t in things if _sort(t) == _sort(wanted) and t is not wanted]
    if not like:
        return None
    kept_on = {sort: _kept_on(level, [t for t in things if _sort(t) == sort], tables, rng)
               for sort in sorted({_sort(t) for t in things})}
    before = [t for t in things if t is not wanted] if level == "like" else things
    past = _past(like if level == "like" else before, before, house, kept_on, rng)
    instruction, goal = _bring(wanted, house, _open(house) - _where(wanted, past, house), rng)
    return {"id": f"kept-{site.id}-{number:03d}", "level": level, "instruction": instruction,
            "house": site.reference, "objects": _arranged(things, kept_on, tables, rng), "past": past,
            "goal": {"propositions": [goal], "constraints": [homes.held_to_the_end([goal])]}}


def _where(thing: Object, past: list[dict[str, Any]], house: House) -> set[str]:
    """Categories of what it was on before: there a robot may take it to be still."""
    return {house.piece(o["on"]).category for task in past for o in task["objects"] if o["name"] == thing.name}


def _past(carried: list[Object], things: list[Object], house: House, kept_on: Mapping[str, list[str]],
          rng: np.random.Generator) -> list[dict[str, Any]]:
    """Tasks done before: one of the `carried` is brought somewhere, all `things` being where they were then."""
    tables = [e.id for e in homes.surfaces(house)]
    out = []
    for _ in range(_PAST):
        moved = carried[int(rng.integers(len(carried)))]
        out.append({"instruction": _bring(moved, house, _open(house), rng)[0],
                    "objects": _arranged(things, kept_on, tables, rng)})
    return out


def _sort(thing: Object) -> str:
    """What it is kept with: all food, all toys."""
    words = object_categories()[thing.category].hypernyms
    return words[-1] if words else thing.category


def _kept_on(level: str, sort: list[Object], tables: list[str], rng: np.random.Generator) -> list[str]:
    """Where this household keeps such things."""
    if level == "usual":
        return [t.on for t in sort if t.on is not None]
    return tables if level == "anywhere" else rng.choice(tables, _TABLES, replace=False).tolist()


def _open(house: House) -> set[str]:
    """Categories of furniture that one can only put things on."""
    return {e.category for e in homes.surfaces(house) if not e.is_container}


def _bring(thing: Object, house: House, targets: Collection[str], rng: np.random.Generator
           ) -> tuple[str, dict[str, Any]]:
    """In words, and as a proposition."""
    category = str(rng.choice(sorted(targets)))
    return (f"Bring the {homes.words(thing.category)} to the {homes.words(category)}.",
            {"is_on_top": [[thing.name], homes.all_of(house, category)]})


def _arranged(things: list[Object], kept_on: Mapping[str, list[str]], tables: list[str], rng: np.random.Generator
              ) -> list[dict[str, Any]]:
    """Where things are when a task begins; `kept_on`: furniture by sort."""
    return [{"name": t.name, "category": t.category,
             "on": str(rng.choice(kept_on[_sort(t)] if rng.random() < _BACK else tables))} for t in things]
