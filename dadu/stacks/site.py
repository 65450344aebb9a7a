"""The place the robot works in, as it knows it at the start: which map it was given, and who localises it there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dadu.core.config import Settings
from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.files import load_house
from dadu.house.format import House
from dadu.house.rasterize import cross_section, rasterize
from dadu.navigation.localisation.localiser import LocalisationSettings, Localiser
from dadu.navigation.localisation.mapping import MappingLocaliser, MappingSettings
from dadu.robots.kinematics import Kinematics
from dadu.world.occupancy import OccupancyMap


class SiteSettings(Settings):
    """Which map there is, and how the robot finds itself on it."""

    house: str = "flat"
    """house whose map is drawn where no `map` is given, and where the robot starts"""
    start: tuple[float, ...] = ()
    """x, y [m] and yaw [rad] in map of where it starts instead, as one of several"""
    map: str = ""
    """occupancy map (YAML of Nav2's map server); none: made while driving; empty: drawn from the house"""
    localisation: LocalisationSettings = LocalisationSettings()
    mapping: MappingSettings = MappingSettings()


@dataclass(frozen=True)
class Site:
    """The map at the start, and who keeps the robot localised on it."""

    map: OccupancyMap
    """where the base may be"""
    localiser: Localiser | MappingLocaliser
    """the latter where the map is made while driving"""


def load_site(settings: SiteSettings, robot: RobotDescription, earlier: Path) -> Site:
    """From a map file, from nothing but what an `earlier` run of this process mapped, or drawn from a house.

    Errors: ConfigError naming file and field.
    """
    if settings.map == "none":
        house = load_house(settings.house, settings.start)
        return unmapped_site(house, settings.mapping, settings.localisation, earlier)
    if settings.map:
        loaded = OccupancyMap.load(settings.map)
        return Site(loaded, Localiser(loaded, None, settings.localisation))
    return drawn_site(load_house(settings.house, settings.start), robot, settings.localisation)


def drawn_site(house: House, robot: RobotDescription, localisation: LocalisationSettings | None = None) -> Site:
    """With a map drawn from the house."""
    # The base keeps off a whole table, the laser sees its legs alone.
    seen = cross_section(house, laser_height(robot))
    return Site(rasterize(house), Localiser(seen, Pose2(*house.robot.pose), localisation, filled=True))


def unmapped_site(house: House, mapping: MappingSettings | None = None,
                  localisation: LocalisationSettings | None = None, earlier: Path | None = None) -> Site:
    """With a map yet to be made, or gone on with from a file, where it is there; the robot counts from where the house
    has it start."""
    localiser = MappingLocaliser(Pose2(*house.robot.pose), mapping, localisation)
    if earlier is not None and earlier.exists():
        localiser.restore(OccupancyMap.load(earlier))
    return Site(localiser.map, localiser)


def laser_height(robot: RobotDescription) -> float:
    """[m] above the floor"""
    return float(Kinematics(robot).pose(robot.laser_link, {})[2, 3])
