# ruff: noqa: T201 - a bench prints
"""ALFRED's seven types of task in generated homes, to be carried out by physics: writes the suite, its homes beside it.

``python -m bench.alfred_types SUITE.suite.yaml [HOMES [FIRST]]``, then ``dadu eval run SUITE.suite.yaml``. The robot is
a Stretch that switches things on, too. The goals are ALFRED's; each task is feasible to the scripted expert.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from dadu.house.catalogue import object_categories
from dadu.house.format import House, Object
from dadu.house.states import affordances_of
from dadu.skills.table import BASE_CAPABILITIES
from dadu.tasks.generate import write_suite
from dadu.tasks.generate.homes import all_of, feasible, generated_homes, loose, surfaces, words
from dadu.tasks.helper import write_helper

TRIES = 12
VESSELS, SMALL = ("bowl", "pot", "tray", "basket", "plate"), 0.12
"""shapes that things are put into, and the largest extent of these [m]"""
EDIBLE = ("food", "fruit", "vegetable", "drink")


def main(out: str, homes: str = "6", first: str = "7") -> None:
    """One task of each type in each home that has what it takes."""
    robot = write_helper(Path(out).resolve().parent, (*BASE_CAPABILITIES, "power_on", "power_off"))
    defaults = {"known": "all", "steps": 60, "sim_seconds": 1800, "robot": str(robot)}
    episodes = [episode for site in islice(generated_homes(int(first)), int(homes))
                for episode in _of(site.house, site.id, site.reference, defaults)]
    write_suite({"suite": "alfred-types", "about": __doc__.splitlines()[0], "defaults": defaults, "episodes": episodes},
                Path(out))
    print(f"{len(episodes)} tasks")


def _of(house: House, id: str, reference: Any, defaults: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for kind, task in TYPES.items():
        rng = np.random.default_rng([int(id), len(kind)])
        for _ in range(TRIES):
            made = task(house, rng)
            if made is None:
                continue
            goal = {"propositions": made[1], "constraints": [{"terminal": [*range(len(made[1]))]}]}
            episode = {"id": f"{kind}-{id}", "level": kind, "instruction": made[0], "house": reference, "goal": goal}
            if feasible(episode, defaults):
                yield episode
                break


_Task = tuple[str, list[dict[str, Any]]] | None


def _pick(things: list[Object], rng: np.random.Generator) -> Object | None:
    return things[int(rng.integers(len(things)))] if things else None


def _target(house: House, thing: Object, rng: np.random.Generator) -> str:
    return str(rng.choice(sorted({e.category for e in surfaces(house)} - {house.piece(thing.receptacle).category})))


def _placed(house: House, thing: Object, rng: np.random.Generator, say: str, states: tuple[str, ...] = ()) -> _Task:
    """`say` with the thing's and the target's words."""
    target = _target(house, thing, rng)
    return (say.format(words(thing.category), words(target)),
            [*({state: [[thing.name]]} for state in states), {"is_on_top": [[thing.name], all_of(house, target)]}])


def _treated(say: str, state: str, able: Callable[[Object], bool]) -> Callable[[House, np.random.Generator], _Task]:
    def task(house: House, rng: np.random.Generator) -> _Task:
        thing = _pick([t for t in loose(house) if able(t)], rng)
        return None if thing is None else _placed(house, thing, rng, say, (state,))
    return task


def _simple(house: House, rng: np.random.Generator) -> _Task:
    thing = _pick(loose(house), rng)
    return None if thing is None else _placed(house, thing, rng, "Put the {} on the {}.")


def _two(house: House, rng: np.random.Generator) -> _Task:
    kinds = [t.category for t in house.objects if t.on is not None]
    pair = _pick([t for t in house.objects if t.on is not None and kinds.count(t.category) == 2], rng)
    if pair is None:
        return None
    names, target = [t.name for t in house.objects if t.category == pair.category], _target(house, pair, rng)
    return (f"Put both {words(pair.category)}s on the {words(target)}.",
            [{"is_on_top": [names, all_of(house, target)], "number": 2, "same_target": True}])


def _stacked(house: House, rng: np.random.Generator) -> _Task:
    things = [t for t in loose(house) if t.category in object_categories()]
    vessel = _pick([t for t in things if object_categories()[t.category].shape in VESSELS], rng)
    thing = _pick([t for t in things if max(object_categories()[t.category].size) < SMALL and t is not vessel], rng)
    if vessel is None or thing is None:
        return None
    target = _target(house, vessel, rng)
    return (f"Put the {words(thing.category)} in the {words(vessel.category)} and the {words(vessel.category)} on the "
            f"{words(target)}.",
            [{"is_inside": [[thing.name], [vessel.name]]}, {"is_on_top": [[vessel.name], all_of(house, target)]}])


def _examined(house: House, rng: np.random.Generator) -> _Task:
    thing, lamps = _pick(loose(house), rng), all_of(house, "floor_lamp")
    if thing is None or len(lamps) != 1:
        return None
    return (f"Pick up the {words(thing.category)} and switch the floor lamp on.",
            [{"is_held": [[thing.name]]}, {"is_powered_on": [lamps]}])


def _edible(thing: Object) -> bool:
    return not {*getattr(object_categories().get(thing.category), "hypernyms", ())}.isdisjoint(EDIBLE)


TYPES: dict[str, Callable[[House, np.random.Generator], _Task]] = {
    "pick-and-place": _simple, "pick-two": _two, "stack": _stacked, "examine": _examined,
    "clean": _treated("Wash the {} in the sink and put it on the {}.", "is_clean",
                      lambda thing: "clean" in affordances_of(thing.category)),
    "heat": _treated("Heat the {} in the microwave and put it on the {}.", "is_hot", _edible),
    "cool": _treated("Cool the {} in the fridge and put it on the {}.", "is_cold", _edible),
}
"""By ALFRED's type: an instruction and what holds in the end, or None where a home has nothing for it"""


if __name__ == "__main__":
    main(*sys.argv[1:])
