"""Furnishes a room: what its kind wants, where it suits and where the robot can use it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dadu.core.robot import RobotDescription
from dadu.homes.floor_space import FloorSpace
from dadu.homes.front_clearance import front_clearance_of
from dadu.homes.preferences import Names, PieceLook, PieceWish, piece_looks, room_wishes
from dadu.homes.reach import RoomReach
from dadu.homes.spots import Order, Reference, spots
from dadu.house.catalogue import furniture_category
from dadu.house.format import Door, Furniture, Room
from dadu.house.furniture.pieces import size_of

_TRIES = 6
_IN_THE_WAY = 2.0
"""pieces farther apart do not hinder each other [m]"""


def furnish(room: Room, doors: Sequence[Door], robot: RobotDescription, rng: np.random.Generator
            ) -> tuple[list[Furniture], RoomReach]:
    """Furniture that the robot can use, and the check that says so; the names are ``CATEGORY_N`` within the room.

    A room that lacks what its kind must have is furnished anew a few times; the best of them counts.
    """
    wishes = room_wishes().get(room.category, ())
    musts = [wish.category for wish in wishes if wish.must]
    tried: list[tuple[int, list[Furniture], RoomReach]] = []
    for _ in range(_TRIES):
        pieces, reach = _usable(room, doors, _arrange(room, doors, wishes, robot, rng), musts, robot)
        missing = sum(not any(piece.category in must for piece in pieces) for must in musts)
        tried.append((len(pieces) - 10 * missing - 100 * (not reach.connected()), pieces, reach))
        if not missing and max(score for score, *_ in tried) > 0:
            break
    _, pieces, reach = max(tried, key=lambda attempt: attempt[0])
    return pieces, reach


def _usable(room: Room, doors: Sequence[Door], pieces: list[Furniture], musts: list[Names], robot: RobotDescription
            ) -> tuple[list[Furniture], RoomReach]:
    """Takes out what the robot cannot use, or what stands in the way of a piece that must be there, until it can use
    all that is left."""
    while True:
        reach = RoomReach(room, doors, pieces, robot)
        useless = next((piece for piece in reversed(pieces) if reach.unusable(piece)), None)
        if useless is None:
            return pieces, reach
        out = useless
        if any(useless.category in must for must in musts):
            out = next((piece for piece in reversed(pieces) if not any(piece.category in must for must in musts)
                        and math.dist(piece.pose[:2], useless.pose[:2]) < _IN_THE_WAY), useless)
        pieces = [piece for piece in pieces if piece is not out]


def _arrange(room: Room, doors: Sequence[Door], wishes: Sequence[PieceWish], robot: RobotDescription,
             rng: np.random.Generator) -> list[Furniture]:
    """One try: wish after wish, each where it fits best."""
    space = FloorSpace(room, doors)
    pieces: list[Furniture] = []
    for wish in wishes:
        if rng.random() > wish.chance:
            continue
        category = wish.category[int(rng.integers(len(wish.category)))]
        look = _drawn_look(category, rng)
        for _ in range(int(rng.integers(wish.count[0], wish.count[1] + 1))):
            number = sum(piece.category == category for piece in pieces)
            piece = Furniture(name=f"{category}_{number}", category=category, room=room.name, pose=(0, 0, 0), **look)
            placed = _place(space, piece, wish, pieces, robot, rng)
            if placed is not None:
                pieces.append(placed)
    return pieces


def _place(space: FloorSpace, piece: Furniture, wish: PieceWish, pieces: list[Furniture],
           robot: RobotDescription, rng: np.random.Generator) -> Furniture | None:
    """The piece on the first spot that fits, or None."""
    reference = next((other for other in pieces if other.category in wish.of), None)
    if wish.of and reference is None:
        return None
    order = Order(wish, size_of(piece), front_clearance_of(piece, robot), Reference(reference) if reference else None)
    companion = reference.name if reference else ""
    place = next((place for place in spots(order, space, rng) if space.fits(place, companion)), None)
    if place is None:
        return None
    space.take(piece.name, place)
    return piece.model_copy(update={"pose": place.pose})


def _drawn_look(category: str, rng: np.random.Generator) -> dict[str, Any]:
    """Size and color where they are not the catalogue's; the same for all pieces of one wish: chairs come in sets."""
    known, look = furniture_category(category), piece_looks().get(category, PieceLook())
    sizes, colors = look.sizes or (known.size,), look.colors or (known.color,)
    size, color = sizes[int(rng.integers(len(sizes)))], colors[int(rng.integers(len(colors)))]
    return {"size": None if size == known.size else size, "color": None if color == known.color else color}
