"""``rearrange``: move a thing from one piece of furniture to another in a home of which only a map is given.

The task of HomeRobot's OVMM; half of the episodes are about categories that occur in no house of the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import numpy as np

from dadu.house.format import Object
from dadu.tasks.generate import homes

ABOUT = ("OVMM: move a thing from one piece of furniture to another in a generated home of which nothing is known, "
         "neither map nor rooms nor furniture; seen and unseen categories.")
DEFAULTS = {"known": "nothing", "steps": 40, "sim_seconds": 1800}

_T = TypeVar("_T")


def episodes(sites: Iterable[homes.SuiteHome], each: int, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Up to `each` in every home."""
    number = 0
    for site in sites:
        made = 0
        for thing in _shuffled(homes.loose(site.house), rng):
            episode = _episode(site, thing, number, rng)
            if episode is not None and homes.feasible(episode, DEFAULTS):
                yield episode
                number, made = number + 1, made + 1
            if made == each:
                break


def _episode(site: homes.SuiteHome, thing: Object, number: int, rng: np.random.Generator) -> dict[str, Any] | None:
    """None where the home has no other furniture to take it to, or it is not this kind's turn."""
    house = site.house
    unseen = thing.category not in homes.seen_categories()
    start = house.piece(thing.receptacle).category
    targets = sorted({e.category for e in homes.surfaces(house)} - {start})
    if not targets or unseen != bool(number % 2):
        return None
    target = str(rng.choice(targets))
    propositions = [{"is_on_top": [[thing.name], homes.all_of(house, target)]}]
    instruction = f"Move the {homes.words(thing.category)} from the {homes.words(start)} to the {homes.words(target)}."
    return {"id": f"rearrange-{site.id}-{number:03d}", "level": "unseen" if unseen else "seen",
            "instruction": instruction, "house": site.reference,
            "goal": {"propositions": propositions, "constraints": [homes.held_to_the_end(propositions)]}}


def _shuffled(items: list[_T], rng: np.random.Generator) -> list[_T]:
    return [items[i] for i in rng.permutation(len(items))]
