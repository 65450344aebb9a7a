"""Where the objects of a house stand: on which deck, at which pose, clear of each other, in a gripper's reach."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from dadu.core.errors import ConfigError, choices
from dadu.house.catalogue import Size
from dadu.house.format import Furniture, House, Object
from dadu.house.furniture.model import Deck
from dadu.house.furniture.pieces import furniture_model
from dadu.house.objects import ObjectModel, object_model

GRIDS = ((0.08, 0.12, 0.05), (0.015, 0.03, 0.02))
"""free width between neighbours, spacing of rows and of columns that are tried [m]: first what a gripper's fingers
need, then whatever fits"""
ROUNDNESS = 0.02
"""by how much the boxes of two given places may overlap: round things fill theirs less [m]"""
EDGE = 0.03
"""between an object and the end of its deck [m]"""
FRONT = 0.15
"""from a deck's front edge to the centres of the first row [m]: within an arm's reach, clear of the edge"""
HANDY_HEIGHT = 0.75
"""decks are filled in the order of their distance from this height [m]"""
LIFT = 0.0005
"""objects start this much above their deck, so that nothing penetrates [m]"""

Pair = tuple[float, float]
"""along x and y [m]; of two numbers, arrays take ten times as long"""


@dataclass(frozen=True)
class Placement:
    """One object in the map."""

    thing: Object
    model: ObjectModel
    deck: str
    position: tuple[float, float, float]
    """centre of its box, map [m]"""
    yaw: float
    """[rad]"""


@dataclass
class Occupied:
    """What stands on one deck so far: centres (x, y) and half extents [m], in the furniture's frame."""

    items: list[tuple[Pair, Pair]] = field(default_factory=list)

    def free(self, centre: Pair, half: Pair, gap: float) -> bool:
        (x, y), (width, depth) = centre, half
        return all(abs(x - there[0]) >= width + other[0] + gap or abs(y - there[1]) >= depth + other[1] + gap
                   for there, other in self.items)


def place_objects(house: House) -> dict[str, Placement]:
    """Every object of the house by name, the ones with a given place first. Deterministic.

    Errors: ConfigError naming the object and its furniture when there is no room, or no such surface.
    """
    occupied: dict[tuple[str, str], Occupied] = {}
    found = {}
    for thing in sorted(house.objects, key=lambda thing: thing.at is None):
        piece, model = house.piece(thing.receptacle), object_model(thing)
        deck, centre = _spot(thing, model.size, piece, occupied)
        half = half_extents(model.size, thing.yaw)
        occupied.setdefault((piece.name, deck.name), Occupied()).items.append((centre, half))
        x, y = piece.pose2.apply(np.array(centre))
        position = (float(x), float(y), deck.height + model.size[2] / 2 + LIFT)
        found[thing.name] = Placement(thing, model, deck.name, position, piece.pose2.yaw + thing.yaw)
    return {thing.name: found[thing.name] for thing in house.objects}


def _spot(thing: Object, size: Size, piece: Furniture,
          occupied: dict[tuple[str, str], Occupied]) -> tuple[Deck, Pair]:
    decks = decks_for(thing, piece)
    if thing.at is not None:
        return _given_spot(thing, thing.at, size, piece, decks, occupied)
    fitting = [deck for deck in decks if deck.clearance > size[2] + 0.01]
    half = half_extents(size, thing.yaw)
    for gap, *spacing in GRIDS:
        for deck, centre in _candidates(fitting, half, *spacing):
            if occupied.get((piece.name, deck.name), Occupied()).free(centre, half, gap):
                return deck, centre
    raise ConfigError(f"{thing.name}: no room left {thing.relation} {piece.name}; move something, or give at: [x, y]")


def decks_for(thing: Object, piece: Furniture) -> Sequence[Deck]:
    """Decks of a piece that match an object's on, in and surface, the handiest first. Errors: ConfigError."""
    decks = sorted((deck for deck in furniture_model(piece).decks if deck.inside == (thing.relation == "in")),
                   key=lambda deck: abs(deck.height - HANDY_HEIGHT))
    if not decks:
        raise ConfigError(f"{thing.name}: nothing can be put {thing.relation} {piece.name} ({piece.category}); "
                          f"use {'in' if thing.relation == 'on' else 'on'}")
    if thing.surface is None:
        return decks
    named = [deck for deck in decks if deck.name == thing.surface]
    if not named:
        raise ConfigError(f"{thing.name}: {piece.name} has no surface {thing.surface!r} to put things "
                          f"{thing.relation}; valid: {choices(deck.name for deck in decks)}")
    return named


def _given_spot(thing: Object, at: Pair, size: Size, piece: Furniture, decks: Sequence[Deck],
                occupied: dict[tuple[str, str], Occupied]) -> tuple[Deck, Pair]:
    for deck in decks:
        if all(abs(a - centre) <= extent / 2 for a, centre, extent in zip(at, deck.centre, deck.size)):
            stands = occupied.get((piece.name, deck.name), Occupied())
            if not stands.free(at, half_extents(size, thing.yaw), -ROUNDNESS):
                raise ConfigError(f"{thing.name}: at {thing.at} on {piece.name} something else stands already")
            return deck, at
    raise ConfigError(f"{thing.name}: at {thing.at} lies beside every surface of {piece.name}; the frame's origin is "
                      "its centre, x points out of its front")


def half_extents(size: Size, yaw: float) -> Pair:
    """Half of the box, along the furniture's axes, that holds an object turned by `yaw`."""
    c, s = abs(math.cos(yaw)), abs(math.sin(yaw))
    return (c * size[0] + s * size[1]) / 2, (s * size[0] + c * size[1]) / 2


def _candidates(decks: Sequence[Deck], half: Pair, rows: float, columns: float) -> Iterator[tuple[Deck, Pair]]:
    """Decks and centres of places on them, each row from its middle outwards, the front rows of all decks before any
    second row."""
    grids = [(deck, *_grid(deck.size, half, rows, columns)) for deck in decks]
    for row in range(max((len(depths) for _, depths, _ in grids), default=0)):
        for deck, depths, offsets in grids:
            for y in offsets if row < len(depths) else ():
                yield deck, (deck.centre[0] + depths[row], deck.centre[1] + y)


@lru_cache(maxsize=4096)
def _grid(size: Pair, half: Pair, rows: float, columns: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How far before the centre of a deck of that size its rows are, from the front, and how far aside of it the places
    in a row [m]. Houses are of few kinds of furniture and things, and their things are placed again and again."""
    limit = np.array(size) / 2 - half - EDGE
    if (limit < -EDGE + 1e-9).any():
        return (), ()
    limit = limit.clip(0)
    first = min(size[0] / 2 - FRONT, limit[0])
    depths = np.arange(max(first, -limit[0]), -limit[0] - 1e-9, -rows)
    steps = np.append(np.arange(0, limit[1], columns), limit[1])
    offsets = sorted({round(float(v), 6) for v in np.concatenate([steps, -steps])}, key=lambda v: (abs(v), -v))
    return tuple(depths.tolist()), tuple(offsets)
