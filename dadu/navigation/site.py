"""The place the robot works in, as navigation knows it at the start."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.errors import ConfigError
from dadu.geometry import Pose2
from dadu.navigation.occupancy import OccupancyMap
from dadu.sim.house import load_house
from dadu.sim.occupancy import rasterize


@dataclass(frozen=True)
class Site:
    """The static map, and where base_link stands in it at the start, where that is known."""

    map: OccupancyMap
    start: Pose2 | None


def load_site(map: str, house: str) -> Site:
    """From a map file of Nav2's map server, or, where `map` is empty, drawn from a house.

    Errors: ConfigError naming file and field.
    """
    if map == "none":
        raise ConfigError("map:=none: driving without a map is not supported; give a map file, or leave it empty "
                          "to have it drawn from the house")
    if map:
        return Site(OccupancyMap.load(map), None)
    described = load_house(house)
    return Site(rasterize(described), Pose2(*described.robot.pose))
