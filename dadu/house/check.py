"""What the types of a house file cannot say: names that must resolve, and geometry that must fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from dadu.core.errors import ConfigError, choices
from dadu.house.catalogue import OWN_SHAPES, Shape, furniture_categories, object_categories
from dadu.house.colors import rgba
from dadu.house.format import Door, Furniture, House, Object, Room
from dadu.house.furniture.pieces import furniture_model, has_boards, size_of
from dadu.house.overlaps import standing_in
from dadu.house.placement import LEVEL
from dadu.house.states import State
from dadu.house.walls import THICKNESS
from dadu.world.boxes import distance_to_edges
from dadu.world.graph import ROBOT, points_in_polygon

_LARGEST = 200.0
"""extent of a house [m]: its map is held in memory"""
_BODY = 0.12
"""what no robot's body is narrower than, from its middle [m]"""
_NAIL = 0.1
"""between a wall and what hangs on it, at most [m]"""
_STICKS_OUT = 0.2
"""what homes of others have standing in their outer walls, at most [m]"""
_WALL_TOLERANCE = 0.05
"""how far from the walls of its rooms a door may lie [m]"""


def problems(house: House) -> list[str]:
    """Everything wrong with a house, each as ``field: what; valid choices``."""
    found = list(_names(house))
    for i, room in enumerate(house.rooms):
        found += (f"rooms.{i} ({room.name}): {p}" for p in _room(room))
    for i, door in enumerate(house.doors):
        found += (f"doors.{i}: {p}" for p in _door(house, door))
    for i, piece in enumerate(house.furniture):
        found += (f"furniture.{i} ({piece.name}): {p}" for p in _furniture(house, piece))
    for i, thing in enumerate(house.objects):
        found += (f"objects.{i} ({thing.name}): {p}" for p in _object(house, thing))
    found += _extent(house)
    if not found:  # only what can be built can be stood in
        found += _robot(house)
    return found


def _extent(house: House) -> Iterator[str]:
    corners = np.array([corner for room in house.rooms for corner in room.floor])
    size = np.ptp(corners, axis=0)
    if max(size) > _LARGEST:
        yield f"rooms: the house is {size[0]:.0f} m by {size[1]:.0f} m; the largest that is handled is {_LARGEST:.0f} m"


def _robot(house: House) -> Iterator[str]:
    here = house.robot.pose[:2]
    if not any(points_in_polygon(room.floor, here) for room in house.rooms):
        yield f"robot.pose: {here} lies in no room"
    for name in standing_in(house, here, _BODY):
        yield f"robot.pose: {here} lies in {name}"


def _names(house: House) -> Iterator[str]:
    names = Counter(item.name for group in (house.rooms, house.furniture, house.objects) for item in group)
    names.update((house.house, ROBOT))
    for name, count in names.items():
        if count > 1:
            yield f"name {name!r} is used {count} times; names must differ from each other, the house's and 'robot'"


def _room(room: Room) -> Iterator[str]:
    corners = np.asarray(room.floor)
    ahead = np.roll(corners, -1, axis=0)
    area = 0.5 * abs(np.sum(corners[:, 0] * ahead[:, 1] - ahead[:, 0] * corners[:, 1]))
    if area < 0.25:
        yield f"floor: encloses {area:.2f} m2; the corners must go round the room in order"


def _door(house: House, door: Door) -> Iterator[str]:
    rooms = {room.name: room for room in house.rooms}
    for name in door.between:
        if name not in rooms:
            yield f"between: no room {name!r}; valid: {choices(rooms)}"
        elif distance_to_edges(np.array([door.at]), np.array(rooms[name].floor)) > _WALL_TOLERANCE:
            yield f"at: {door.at} is not on a wall of {name}"
    if door.between[0] == door.between[1]:
        yield "between: names one room twice"


def _furniture(house: House, piece: Furniture) -> Iterator[str]:
    rooms = {room.name: room for room in house.rooms}
    if piece.room not in rooms:
        yield f"room: no room {piece.room!r}; valid: {choices(rooms)}"
    elif not points_in_polygon(rooms[piece.room].floor, piece.pose[:2]):
        yield f"pose: {piece.pose[:2]} lies outside {piece.room}"
    elif (beyond := _outside(house, piece)) > _STICKS_OUT:
        yield f"pose: it stands {beyond:.2f} m out of the house"
    if piece.shape is not None and piece.shape is not Shape.BOX:
        yield "shape: furniture of a category of one's own is a box; valid: box"
    if piece.category not in furniture_categories() and piece.size is None:
        yield (f"category: unknown {piece.category!r}; valid: {choices(furniture_categories(), meant=piece.category)}; "
               "or one of your own with its size [depth, width, height]")
    elif State.OPEN in piece.states and not furniture_model(piece).parts:
        yield f"states.open: {piece.category} has no door or drawer; leave it out"
    elif piece.notch is not None and not all(n < s for n, s in zip((piece.notch.depth, piece.notch.width),
                                                                  size_of(piece)[:2], strict=True)):
        yield f"notch: is as large as the piece, {size_of(piece)[0]:g} m by {size_of(piece)[1]:g} m"
    elif piece.elevation > 0 and not (is_carried(house, piece) or _hangs(house, piece)):
        yield f"elevation: nothing carries it {piece.elevation:g} m above the floor, no furniture and no wall"
    if piece.boards and not has_boards(piece.category):
        valid = choices(filter(has_boards, furniture_categories()), 40)
        yield f"boards: those of {piece.category} are where they are; valid for: {valid}"
    yield from _error("color", lambda: piece.color and rgba(piece.color))


def _outside(house: House, piece: Furniture) -> float:
    """Between the corner that is farthest out and all rooms [m]."""
    if piece.size is None and piece.category not in furniture_categories():
        return 0.0
    corners = piece.pose2.apply(np.array([(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]) * size_of(piece)[:2])
    floors = [np.array(room.floor) for room in house.rooms]
    return max(min(0.0 if points_in_polygon(floor, corner) else distance_to_edges(corner[None], floor)
                   for floor in floors) for corner in corners)


def is_carried(house: House, piece: Furniture) -> bool:
    """True if something level is under its middle."""
    for lower in (lower for lower in house.furniture if lower is not piece):
        here = lower.pose2.inverse().apply(piece.pose[:2])
        for box in furniture_model(lower).boxes:
            over = (np.abs(here - box.centre[:2]) <= np.array(box.size[:2]) / 2).all()
            if over and abs(box.centre[2] + box.size[2] / 2 - piece.elevation) < LEVEL:
                return True
    return False


def _hangs(house: House, piece: Furniture) -> bool:
    """True if a wall is within reach of a nail."""
    reach = size_of(piece)[0] / 2 + THICKNESS / 2 + _NAIL
    return any(distance_to_edges(np.array([piece.pose[:2]]), np.array(room.floor)) <= reach for room in house.rooms)


def _object(house: House, thing: Object) -> Iterator[str]:
    pieces = {piece.name for piece in house.furniture}
    if sum(holder is not None for holder in (thing.on, thing.in_, thing.room)) != 1:
        yield "give exactly one of on, in, room"
    elif thing.room is not None:
        rooms = {room.name: room for room in house.rooms}
        if thing.room not in rooms:
            yield f"room: no room {thing.room!r}; valid: {choices(rooms)}"
        elif thing.at is None:
            yield "at: is needed for what lies on the floor: x, y in map [m]"
        elif not points_in_polygon(rooms[thing.room].floor, thing.at):
            yield f"at: {thing.at} lies outside {thing.room}"
    elif thing.receptacle not in pieces:
        yield f"{thing.relation}: no furniture {thing.receptacle!r}; valid: {choices(pieces, 100)}"
    if thing.shape is not None and thing.shape not in OWN_SHAPES:
        yield f"shape: {thing.shape.value} is for the catalogue; valid: {choices(s.value for s in OWN_SHAPES)}"
    own = thing.shape is not None and thing.size is not None
    if thing.category not in object_categories() and not own:
        yield (f"category: unknown {thing.category!r}; valid: {choices(object_categories(), meant=thing.category)}; "
               f"or one of your own with shape ({choices(s.value for s in OWN_SHAPES)}) and size")
    if State.OPEN in thing.states:
        yield f"states.open: is for furniture; valid: {choices(s.value for s in State if s is not State.OPEN)}"
    yield from _error("attributes.color", lambda: "color" in thing.attributes and rgba(thing.attributes["color"]))


def _error(field: str, check: Callable[[], object]) -> Iterator[str]:
    try:
        check()
    except ConfigError as error:
        yield f"{field}: {error}"
