"""Homes by seed: rooms, doors, furniture that suits them, things where people keep them, all in the robot's reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.homes.doors import place_doors, wall_for_door
from dadu.homes.floor_plan import choose_rooms, lay_out
from dadu.homes.furnish import furnish
from dadu.homes.preferences import home_preferences
from dadu.homes.reach import RoomReach
from dadu.homes.start import start_pose
from dadu.homes.stock import Shelf, stock
from dadu.house.check import problems
from dadu.house.format import Door, Furniture, House, RobotStart, Room
from dadu.robots import load_robot

ROOMS = (2, 12)
"""fewest and most rooms of a home"""
_THINGS_PER_ROOM = (4.0, 8.0)


def generate_home(seed: int, rooms: int = 4, *, objects: int | None = None, robot: str = "stretch",
                  name: str | None = None) -> House:
    """A home of `rooms` rooms, the same for the same arguments and data.

    `objects`: how many things at most, by default 4 to 8 a room. `robot`: for whom doors are wide enough and
    everything is in reach. Errors: ConfigError for a number of rooms outside `ROOMS`, or a negative seed.
    """
    if not ROOMS[0] <= rooms <= ROOMS[1]:
        raise ConfigError(f"rooms: a home has {ROOMS[0]} to {ROOMS[1]} rooms, got {rooms}")
    if seed < 0:
        raise ConfigError(f"seed: must not be negative, got {seed}")
    body, rng = load_robot(robot), np.random.default_rng([seed, rooms])
    preferences = home_preferences()
    plan = lay_out(choose_rooms(rooms, preferences, rng), preferences, rng, wall_for_door(body))
    names = _numbered([room.category for room in plan], always=False)
    built = [Room(name=name, category=room.category, floor=room.area.corners)
             for name, room in zip(names, plan, strict=True)]
    doors = place_doors(plan, [room.name for room in built], preferences, body, rng)
    furniture, shelves = _furnished(built, doors, body, rng)
    wanted = round(rooms * rng.uniform(*_THINGS_PER_ROOM)) if objects is None else objects
    house = House(house=name or f"home_{rooms}_{seed}", rooms=tuple(built), doors=tuple(doors),
                  furniture=tuple(furniture), objects=tuple(stock(shelves, wanted, rng)))
    house = house.model_copy(update={"robot": RobotStart(pose=start_pose(house, body, rng))})
    found = problems(house)
    if found:
        raise ConfigError("\n".join(f"{house.house}: {problem}" for problem in found))
    return house


def _furnished(rooms: Sequence[Room], doors: Sequence[Door], robot: RobotDescription, rng: np.random.Generator
               ) -> tuple[list[Furniture], list[Shelf]]:
    """All furniture, named ``CATEGORY_N`` throughout the home, and what of it can be filled."""
    furnished: list[tuple[Furniture, Room, RoomReach]] = []
    for room in rooms:
        own = [door for door in doors if room.name in door.between]
        pieces, reach = furnish(room, own, robot, rng)
        furnished += ((piece, room, reach) for piece in pieces)
    names = _numbered([piece.category for piece, *_ in furnished], always=True)
    shelves = [Shelf(piece, room, reach, name)
               for (piece, room, reach), name in zip(furnished, names, strict=True)]
    return [shelf.piece.model_copy(update={"name": shelf.name}) for shelf in shelves], shelves


def _numbered(categories: Iterable[str], always: bool) -> list[str]:
    categories = list(categories)
    total = Counter(categories)
    seen: Counter[str] = Counter()
    names = []
    for category in categories:
        names.append(f"{category}_{seen[category]}" if always or total[category] > 1 else category)
        seen[category] += 1
    return names
