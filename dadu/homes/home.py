"""Homes by seed: rooms, doors, furniture that suits them, things where people keep them, all in the robot's reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.ndimage import label

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.homes.floor_plan import PlannedRoom, choose_rooms, lay_out, neighbours, spanning
from dadu.homes.furnish import furnish
from dadu.homes.preferences import HomePreferences, home_preferences
from dadu.homes.reach import RoomReach
from dadu.homes.stock import Shelf, stock
from dadu.house.check import problems
from dadu.house.format import Door, Furniture, House, RobotStart, Room
from dadu.house.rasterize import rasterize
from dadu.navigation.costmap import Costmap
from dadu.robots import load_robot

ROOMS = (2, 12)
"""fewest and most rooms of a home"""
_THINGS_PER_ROOM = (4.0, 8.0)

_ROOM_ROUND = 0.15
"""free floor beyond the circle that the robot turns in [m]"""
_SAMPLES = 400


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


def passable(house: House, costmap: Costmap) -> bool:
    """True if the robot gets from every door to every other."""
    parts, _ = label(np.isfinite(costmap.costs()))
    at_doors = {int(parts[tuple(costmap.map.cells(door.at))]) for door in house.doors}
    return len(at_doors) <= 1 and 0 not in at_doors


def start_pose(house: House, robot: RobotDescription, rng: np.random.Generator) -> tuple[float, float, float]:
    """x, y [m], yaw [rad] in map: in the first living room, or hall, with space around and a way to all doors.

    Errors: ConfigError where the robot does not get from there through every door.
    """
    costmap = Costmap(rasterize(house, 0.05, robot.height), robot)
    if not passable(house, costmap):
        raise ConfigError(f"{house.house}: the robot does not get through all doors")
    homely = next((room for room in house.rooms if room.category in ("living_room", "hall")), house.rooms[0])
    corners = np.array(homely.floor)
    points = rng.uniform(corners.min(axis=0), corners.max(axis=0), (_SAMPLES, 2)).round(2)
    space = costmap.clearance(points) - costmap.footprint.circumscribed
    parts, _ = label(np.isfinite(costmap.costs()))
    here, at_door = costmap.map.cells(points), costmap.map.cells(house.doors[0].at)
    space[parts[here[:, 0], here[:, 1]] != parts[tuple(at_door)]] = -np.inf
    roomy = space > _ROOM_ROUND
    x, y = points[int(np.argmax(roomy)) if roomy.any() else int(np.argmax(space))]
    return float(x), float(y), round(float(rng.uniform(-np.pi, np.pi)), 2)


_LEAST, _USUAL = 0.9, (0.0, 0.15)
"""narrowest door, and by how much doors exceed what the robot needs [m]"""
_ROOM_TO_PASS = 0.3
"""over the circle that the robot turns in [m]"""
_CORNER = 0.2
"""from a door's edge to the corner of a room, at least [m]"""


def door_width(robot: RobotDescription) -> float:
    """The narrowest door that the robot passes with ease [m]."""
    turning = 2 * float(np.linalg.norm(robot.footprint, axis=1).max())
    return round(max(_LEAST, turning + _ROOM_TO_PASS), 2)


def wall_for_door(robot: RobotDescription) -> float:
    """Length of wall that a door takes [m]."""
    return door_width(robot) + _USUAL[1] + 2 * _CORNER


def place_doors(rooms: list[PlannedRoom], names: list[str], preferences: HomePreferences, robot: RobotDescription,
                rng: np.random.Generator) -> list[Door]:
    """Doors that connect all rooms, and openings between those that people like open."""
    narrowest = wall_for_door(robot)
    pairs = [(i, j) for i, j, _ in spanning(rooms, preferences, narrowest)]
    pairs += [(i, j) for i, j in neighbours(rooms, narrowest)
              if (i, j) not in pairs and preferences.open(rooms[i].category, rooms[j].category)]
    doors = []
    for i, j in pairs:
        wall = rooms[i].area.wall_with(rooms[j].area)
        if wall is None:
            raise ValueError(f"{names[i]} and {names[j]} have no wall in common")
        axis, place, low, high = wall
        width = door_width(robot) + rng.uniform(*_USUAL)
        if preferences.open(rooms[i].category, rooms[j].category):
            width = min(max(width, rng.uniform(*preferences.wide_opening)), high - low - 2 * _CORNER)
        width = round(width, 2)
        along = _along(low + _CORNER + width / 2, high - _CORNER - width / 2, rng)
        at = (place, along) if axis == 0 else (along, place)
        doors.append(Door(between=(names[i], names[j]), at=(round(at[0], 3), round(at[1], 3)), width=width))
    return doors


def _along(first: float, last: float, rng: np.random.Generator) -> float:
    """Where on its wall a door goes: mostly near an end, which leaves the rest of the wall to furniture."""
    draw = rng.random()
    if draw < 0.4:
        return first
    if draw < 0.8:
        return last
    return first + (last - first) * rng.random()
