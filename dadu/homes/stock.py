"""Puts things where people keep them: on and in furniture, clear of each other, in reach of the robot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dadu.homes.preferences import habits
from dadu.homes.reach import RoomReach
from dadu.house.catalogue import object_categories
from dadu.house.format import Furniture, Object, Room
from dadu.house.furniture.model import Deck
from dadu.house.furniture.pieces import furniture_model
from dadu.house.objects import ObjectModel, object_model

_TRIES = 12
_EDGE = 0.035
"""between a thing and the end of its deck [m]"""
_GAP, _CLUTTER_GAP = 0.08, 0.02
"""between neighbours: room for a gripper's fingers; in clutter [m]"""
_CLUTTER = 0.2
"""chance that a thing is put close to others"""
_DEEP = 0.42
"""things stand within this of the front of an enclosed deck [m]"""
_ASKEW = 0.35
"""by how much things are turned [rad]"""
_AGAIN = 0.4
"""how much rarer each further thing of a kind is"""
_CROWDED = 0.35
"""things on a piece of furniture for each of which it becomes rarer that another is put there"""


@dataclass
class Shelf:
    """A piece of furniture to be filled, and what is on it so far."""

    piece: Furniture
    room: Room
    reach: RoomReach
    name: str
    """of the piece in the home; within its room, `reach` knows it by the piece's own"""
    taken: list[tuple[str, np.ndarray, np.ndarray]] = field(default_factory=list)
    """deck, centre (2,) in the furniture's frame, half extents (2,) [m]"""

    @property
    def keys(self) -> tuple[str, str]:
        """How habits speak of it."""
        return f"{self.room.category}/{self.piece.category}", self.piece.category


def stock(shelves: Sequence[Shelf], count: int, rng: np.random.Generator) -> list[Object]:
    """At most `count` objects, named ``CATEGORY_N``."""
    # of each, the categories that people keep there, with weights
    tables = [{category: weight for category in object_categories() if (weight := _habit(category, shelf.keys)) > 0}
              for shelf in shelves]
    attraction = np.array([_attraction(shelf, table) for shelf, table in zip(shelves, tables, strict=True)])
    things: list[Object] = []
    numbers: Counter[str] = Counter()
    for _ in range(3 * count):
        if len(things) == count or not attraction.sum() > 0:
            break
        crowd = np.array([1 + _CROWDED * len(shelf.taken) for shelf in shelves])
        at = _draw(attraction / crowd, rng)
        categories = list(tables[at])
        rarity = np.array([tables[at][c] * _AGAIN ** numbers[c] for c in categories])
        category = categories[_draw(rarity, rng)]
        thing = _put(shelves[at], category, numbers[category], rng)
        if thing is None:
            tables[at] = {c: w for c, w in tables[at].items() if c != category}
            attraction[at] = _attraction(shelves[at], tables[at])
        else:
            things.append(thing)
            numbers[category] += 1
    return sorted(things, key=lambda thing: thing.name)


def _habit(category: str, keys: tuple[str, str]) -> float:
    """The category's own habit, else that of the first of its hypernyms that has one."""
    table = habits()
    words = (category, *object_categories()[category].hypernyms)
    habit: Mapping[str, float] = next((table[word] for word in words if word in table), {})
    return next((habit[key] for key in keys if key in habit), 0.0)


def _attraction(shelf: Shelf, table: Mapping[str, float]) -> float:
    """How likely the next thing goes there: by what is kept there, and by its room."""
    area = sum(deck.size[0] * deck.size[1] for deck in furniture_model(shelf.piece).decks)
    return float(np.sqrt(sum(table.values())) * np.sqrt(area)) if table else 0.0


def _put(shelf: Shelf, category: str, number: int, rng: np.random.Generator) -> Object | None:
    """A thing on a deck of the furniture, or None where it fits nowhere in a few tries."""
    name = f"{category.replace('-', '_')}_{number}"
    thing = Object(name=name, category=category, on=shelf.name)
    model = object_model(thing)
    decks = [deck for deck in furniture_model(shelf.piece).decks if deck.clearance > model.size[2] + 0.02]
    gap = _CLUTTER_GAP if rng.random() < _CLUTTER else _GAP
    for _ in range(_TRIES if decks else 0):
        deck = decks[int(rng.integers(len(decks)))]
        yaw = round(_ASKEW * float(rng.uniform(-1, 1)), 3)
        c, s = abs(np.cos(yaw)), abs(np.sin(yaw))
        half = np.array([[c, s], [s, c]]) @ np.array(model.size[:2]) / 2
        centre = _somewhere(deck, half, rng)
        if centre is None or not _free(shelf, deck, centre, half, gap) or not _is_in_reach(shelf, deck, centre, model):
            continue
        shelf.taken.append((deck.name, centre, half))
        place = {"in_" if deck.inside else "on": shelf.name}
        return Object(name=name, category=category, surface=deck.name, yaw=yaw,
                      at=(float(centre[0]), float(centre[1])), **place)
    return None


def _somewhere(deck: Deck, half: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """A point (2,) [m] in the furniture's frame; near the front where the deck is enclosed."""
    limit = np.array(deck.size) / 2 - half - _EDGE
    if (limit < 0).any():
        return None
    low, high = -limit, limit.copy()
    if deck.clearance < 2.0:
        low[0] = max(low[0], deck.size[0] / 2 - _DEEP)
    if (low > high).any():
        return None
    return np.round(np.array(deck.centre) + rng.uniform(low, high), 3)


def _free(shelf: Shelf, deck: Deck, centre: np.ndarray, half: np.ndarray, gap: float) -> bool:
    return all((np.abs(centre - c) >= half + h + gap).any() for name, c, h in shelf.taken if name == deck.name)


def _is_in_reach(shelf: Shelf, deck: Deck, centre: np.ndarray, model: ObjectModel) -> bool:
    """True if the arm gets there; the inside of containers is known to be in reach as a whole."""
    if deck.part:
        return True
    x, y = shelf.piece.pose2.apply(centre)
    return shelf.reach.can_pick(np.array([x, y, deck.height + model.size[2] / 2]), shelf.piece)


def _draw(weights: np.ndarray, rng: np.random.Generator) -> int:
    """An index by weight."""
    shares = np.cumsum(weights) / weights.sum()
    return min(int(np.searchsorted(shares, rng.random(), side="right")), len(weights) - 1)
