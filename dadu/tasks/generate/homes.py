"""What an episode can be about in a generated home: its things and surfaces, as people name them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from dadu.core.config import parse
from dadu.homes.home import generate_home
from dadu.house.files import house_names, load_house
from dadu.house.format import House, Object
from dadu.house.layout import build_graph
from dadu.house.objects import object_model
from dadu.tasks.expert import NotFeasible, demonstrate
from dadu.tasks.prepare import prepare
from dadu.tasks.suite import Episode
from dadu.world.graph import Entity, Kind

ROOMS = 4
HAND = 0.13
"""what is wider, both ways, is for no gripper of the project's robots (Stretch 16.8, UR3 14 cm) [m]; the oracle, in
which episodes are tried, knows no such limit"""


@dataclass(frozen=True)
class SuiteHome:
    """A home that episodes are made in."""

    id: str
    """in those of its episodes"""
    house: House
    reference: Any
    """as a suite has it"""


def generated_homes(seed: int) -> Iterator[SuiteHome]:
    """Endlessly, other ones for every seed."""
    for n in count(1000 * seed):
        yield SuiteHome(str(n), _home(n), {"generate": "home", "rooms": ROOMS, "seed": n})


def given_homes(files: Sequence[Path]) -> Iterator[SuiteHome]:
    """One for each house file, in their order. Errors: ConfigError where one is no house."""
    for file in files:
        house = load_house(str(file))
        yield SuiteHome(house.house, house, {"name": str(file)})


@lru_cache(maxsize=8)
def _home(seed: int) -> House:
    return generate_home(seed, ROOMS)


def words(category: str) -> str:
    return category.replace("_", " ")


def surfaces(house: House) -> list[Entity]:
    """Furniture on which a thing can be put, within most robots' reach."""
    layout = build_graph(house)
    return [e for e in layout.of(Kind.FURNITURE)
            if e.category not in ("trash_can", "toilet", "hamper")
            and any(not s.inside and 0.3 <= s.height <= 1.0 and s.clearance > 0.25 for s in e.surfaces)]


def loose(house: House) -> list[Object]:
    """Things that stand openly on furniture, no other of their kind in the home, and that a hand can hold."""
    kinds = [thing.category for thing in house.objects]
    return [t for t in house.objects if t.on is not None and kinds.count(t.category) == 1
            and min(object_model(t).size[:2]) <= HAND]


def all_of(house: House, category: str) -> list[str]:
    """Names of the furniture of a category."""
    return [piece.name for piece in house.furniture if piece.category == category]


@lru_cache(maxsize=1)
def seen_categories() -> frozenset[str]:
    """Of objects in the houses in maps/, on which this project is developed; others are unseen."""
    return frozenset(thing.category for name in house_names() for thing in load_house(name).objects)


def feasible(episode: dict[str, Any], defaults: dict[str, Any]) -> bool:
    """True if the scripted expert gets it done."""
    try:
        demonstrate(prepare(parse(Episode, {**defaults, **episode}, "a generated episode"), Path("generated")))
    except NotFeasible:
        return False
    return True


def held_to_the_end(propositions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The constraint that all of them hold in the end."""
    return {"terminal": list(range(len(propositions)))}
