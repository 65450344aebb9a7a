"""More things in a home, and other colours and sizes: what a detector must know whatever the habits of people."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dadu.house.catalogue import object_categories
from dadu.house.colors import COLORS
from dadu.house.format import Furniture, House, Object
from dadu.house.furniture.model import Deck
from dadu.house.furniture.pieces import furniture_model
from dadu.house.objects import object_model, scaled
from dadu.house.placement import place_objects
from dadu.house.states import PREDICATES, State
from dadu.learning.pictures.settings import PictureSettings
from dadu.sim.mujoco.scene.meshes import Meshes
from dadu.sim.mujoco.scene.state_look import shown_states

_TRIES = 4
_EDGE = 0.01
"""between a thing and the end of its deck [m]"""
_GAPS = (0.005, 0.08)
"""between neighbours [m]"""
_SIZES = (0.8, 1.0)
"""of a thing, as a share of the catalogue's"""
_OPEN = 3.0
"""how much likelier a thing is put where it can be seen than behind a door"""
_OWN = 0.2
"""share of the newcomers that are of the house's own kinds, where it has some"""
OWN_COLOR = ("food", "fruit", "vegetable", "drink")
"""things of these kinds are known by their colour: they keep it"""
_TELLING = tuple(PREDICATES[state] for state in (State.POWERED, State.FILLED, State.SLICED))
_PAINTS = tuple(name for name in COLORS if name not in ("transparent", "steel", "gold"))


def settled(house: House) -> House:
    """The house with the place of everything said that it leaves open: where `place_objects` puts it."""
    places = place_objects(house)

    def told(thing: Object) -> Object:
        if thing.room is not None:
            return thing
        piece, place = house.piece(thing.receptacle), places[thing.name]
        x, y = piece.pose2.inverse().apply(np.array(place.position[:2])).round(4).tolist()
        return thing.model_copy(update={"at": (x, y), "surface": place.deck})

    return house.model_copy(update={"objects": tuple(told(thing) for thing in house.objects)})


def crowded(house: House, without: Collection[str], settings: PictureSettings, rng: np.random.Generator) -> House:
    """The house without things of the categories `without`, with more of others put anywhere on its furniture, and
    with many colours and sizes changed; what it says of them stays true. Errors: ConfigError where meshes cannot be
    read."""
    things = [_varied(thing, settings, rng) for thing in house.objects if thing.category not in without]
    allowed = [category for category in object_categories() if category not in without]
    own = [thing for thing in house.objects if thing.category not in object_categories()]
    wanted = len(house.rooms) * int(rng.integers(settings.crowd[0], settings.crowd[1] + 1))
    with_mesh = Meshes(Path(settings.meshes)).categories if settings.meshes else ()
    meshed = [category for category in allowed if category in with_mesh]
    things += _newcomers(house, _Taken(house, things), allowed, meshed, own, wanted, settings, rng)
    furniture = tuple(_painted(piece, settings, rng) for piece in house.furniture)
    return house.model_copy(update={"objects": tuple(things), "furniture": furniture})


def _newcomers(house: House, taken: _Taken, allowed: Sequence[str], meshed: Sequence[str], own: Sequence[Object],
               wanted: int, settings: PictureSettings, rng: np.random.Generator) -> Iterator[Object]:
    """At most `wanted` things of the categories `allowed`, all as likely but those `meshed`, where they fit; what does
    not is left out. Where the house has things of its `own` kinds, some are like one of these."""
    decks = [(piece, deck) for piece in house.furniture for deck in furniture_model(piece).decks]
    shown = {name: shown_states(Object(name="thing", category=name, on="table")) for name in allowed}
    telling = [[category for category in allowed if predicate in shown[category]] for predicate in _TELLING]
    areas = np.array([deck.size[0] * deck.size[1] * (1.0 if deck.part else _OPEN) for _, deck in decks])
    for number in range(wanted if decks else 0):
        among = meshed if meshed and rng.random() < settings.meshed else allowed
        category, like = _kind(among, own, telling, settings.telling, rng)
        for _ in range(_TRIES):
            piece, deck = decks[int(rng.choice(len(decks), p=areas / areas.sum()))]
            thing = _varied(_anywhere(f"{category.replace('-', '_')}_{100 + number}", category, piece, deck, like, rng),
                            settings, rng)
            if taken.take(thing, piece, deck, float(rng.uniform(*_GAPS))):
                yield thing
                break


def _kind(allowed: Sequence[str], own: Sequence[Object], telling: Sequence[Sequence[str]], told: float,
          rng: np.random.Generator) -> tuple[str, Object | None]:
    """Of a newcomer: its category, and the thing that it is like where that is the house's own. `telling`: for each
    state that shows, the categories of which it can be seen; `told`: how often it is one of these."""
    among = telling[int(rng.integers(len(telling)))] if told and rng.random() < told else allowed
    if own and rng.random() < _OWN:
        like = own[int(rng.integers(len(own)))]
        return like.category, like
    return among[int(rng.integers(len(among)))], None


def _anywhere(name: str, category: str, piece: Furniture, deck: Deck, like: Object | None, rng: np.random.Generator
              ) -> Object:
    """`like`: one of the same kind, where the catalogue does not say what such a thing is."""
    x, y = (rng.uniform(-0.5, 0.5, 2) * deck.size + deck.centre).round(3).tolist()
    where = {"in_" if deck.inside else "on": piece.name}
    made: dict[str, Any] = {} if like is None else {
        "shape": like.shape, "size": like.size, "mass": like.mass, "attributes": like.attributes,
        "aliases": like.aliases}
    return Object(name=name, category=category, surface=deck.name, at=(x, y),
                  yaw=round(float(rng.uniform(-math.pi, math.pi)), 3), **where, **made)


class _Taken:
    """Which places on which deck are taken."""

    def __init__(self, house: House, things: Sequence[Object]) -> None:
        self._boxes: dict[tuple[str, str], list[tuple[np.ndarray, np.ndarray]]] = {}
        for thing in things:
            if thing.at is not None:
                self._add((thing.receptacle, thing.surface or ""), np.array(thing.at), _half(thing))

    def take(self, thing: Object, piece: Furniture, deck: Deck, gap: float) -> bool:
        """True if it finds room there; if so, the place is taken."""
        centre, half = np.array(thing.at), _half(thing)
        if object_model(thing).size[2] + 0.02 > deck.clearance:
            return False
        if (np.abs(centre - deck.centre) + half + _EDGE > np.array(deck.size) / 2).any():
            return False
        key = (piece.name, deck.name)
        for c, h in (*self._boxes.get(key, ()), *self._boxes.get((piece.name, ""), ())):
            if (np.abs(centre - c) < half + h + gap).all():
                return False
        self._add(key, centre, half)
        return True

    def _add(self, key: tuple[str, str], centre: np.ndarray, half: np.ndarray) -> None:
        self._boxes.setdefault(key, []).append((centre, half))


def _half(thing: Object) -> np.ndarray:
    """Half extents (2,) [m] along the furniture's axes."""
    c, s = abs(math.cos(thing.yaw)), abs(math.sin(thing.yaw))
    return np.array([[c, s], [s, c]]) @ np.array(object_model(thing).size[:2]) / 2


def _varied(thing: Object, settings: PictureSettings, rng: np.random.Generator) -> Object:
    """A little smaller, never larger than where it stands has room for, and of another colour where its kind comes in
    many."""
    factor, repaint, paint = rng.uniform(*_SIZES), rng.random() < settings.recolored, rng.integers(len(_PAINTS))
    category = object_categories().get(thing.category)
    update: dict[str, object] = {"size": scaled(object_model(thing).size, float(factor))}
    if repaint and not (category and set(OWN_COLOR) & set(category.hypernyms)):
        update["attributes"] = {**thing.attributes, "color": _PAINTS[int(paint)]}
    return thing.model_copy(update=update)


def _painted(piece: Furniture, settings: PictureSettings, rng: np.random.Generator) -> Furniture:
    repaint, paint = rng.random() < settings.recolored, rng.integers(len(_PAINTS))
    color = _PAINTS[int(paint)] if repaint else piece.color
    return piece.model_copy(update={"color": color})
