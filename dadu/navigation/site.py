"""The place the robot works in, as navigation knows it at the start."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.errors import ConfigError
from dadu.geometry import Pose2
from dadu.manipulation.kinematics import Kinematics
from dadu.navigation.occupancy import OccupancyMap
from dadu.robot import RobotDescription
from dadu.sim.house import load_house
from dadu.sim.occupancy import cross_section, rasterize


@dataclass(frozen=True)
class Site:
    """What is known before anything is sensed."""

    map: OccupancyMap
    """where the base may be"""
    surfaces: OccupancyMap
    """what the laser sees: under a table its legs alone"""
    start: Pose2 | None
    """of base_link in map, where known"""


def load_site(map: str, house: str, laser_height: float) -> Site:
    """From a map file of Nav2's map server, or, where `map` is empty, drawn from a house for a laser at
    `laser_height` [m].

    Errors: ConfigError naming file and field.
    """
    if map == "none":
        raise ConfigError("map:=none: driving without a map is not supported; give a map file, or leave it empty "
                          "to have it drawn from the house")
    if map:
        loaded = OccupancyMap.load(map)
        return Site(loaded, loaded, None)
    described = load_house(house)
    return Site(rasterize(described), cross_section(described, laser_height), Pose2(*described.robot.pose))


def laser_height(robot: RobotDescription) -> float:
    """[m] above the floor"""
    return float(Kinematics(robot).pose(robot.laser_link, {})[2, 3])
