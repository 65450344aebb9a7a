"""Where the doors of a floor plan go, and how wide they are."""

from __future__ import annotations

import numpy as np

from dadu.core.robot import RobotDescription
from dadu.homes.floor_plan import PlannedRoom, neighbours, spanning
from dadu.homes.preferences import HomePreferences
from dadu.house.format import Door

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
