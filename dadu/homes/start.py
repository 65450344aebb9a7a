"""Where the robot stands at the start, and whether it gets from there into every room."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import label

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.house.rasterize import rasterize
from dadu.navigation.costmap import Costmap

_ROOM_ROUND = 0.15
"""free floor beyond the circle that the robot turns in [m]"""
_SAMPLES = 400


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
