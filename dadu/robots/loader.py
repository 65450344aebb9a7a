"""From ``config/robots/NAME.yaml`` and its URDF to a `RobotDescription`."""

from __future__ import annotations

import math
from pathlib import Path
from types import MappingProxyType

import numpy as np

from dadu.core.config import load
from dadu.core.errors import ConfigError, choices
from dadu.core.paths import shared
from dadu.core.robot import JointLimit, RobotDescription, Twist
from dadu.robots.settings import RobotSettings
from dadu.robots.urdf import joint_ranges, link_names


class UnknownRobot(ConfigError):
    """No description of that name in the robots directory."""


def robots_directory() -> Path:
    """Where the descriptions lie."""
    return shared("config", "robots")


def list_robots() -> list[str]:
    """Names that `load_robot` takes."""
    return sorted(path.stem for path in robots_directory().glob("*.yaml"))


def load_settings(name_or_path: str | Path) -> tuple[RobotSettings, Path]:
    """The YAML file's content and the URDF's path.

    Errors: UnknownRobot listing the known names; ConfigError naming file and field.
    """
    path = Path(name_or_path)
    if path.suffix not in (".yaml", ".yml"):
        path = robots_directory() / f"{name_or_path}.yaml"
    if not path.is_file():
        raise UnknownRobot(f"unknown robot {str(name_or_path)!r}; known: {choices(list_robots())}")
    settings = load(RobotSettings, path)
    return settings, path.parent / settings.urdf


def load_robot(name_or_path: str | Path) -> RobotDescription:
    """Reads and cross-checks a robot's description.

    Errors: UnknownRobot; ConfigError naming file and field, also for a joint or link that the URDF lacks.
    """
    settings, urdf = load_settings(name_or_path)
    ranges, links = joint_ranges(urdf), link_names(urdf)
    moving = (*settings.arm_joints, *settings.head_joints)
    for joint in {*moving, *settings.stow, *settings.home, *settings.acceleration, *settings.ranges}:
        if joint not in ranges:
            raise ConfigError(f"{urdf}: no movable joint {joint!r}; has: {choices(ranges, 40)}")
    for link in (settings.tool_link, settings.camera_link, settings.laser_link):
        if link not in links:
            raise ConfigError(f"{urdf}: no link {link!r}; has: {choices(links, 40)}")
    limits = {name: JointLimit(*_range(settings, name, ranges[name]), ranges[name][2],
                               settings.acceleration.get(name, math.inf)) for name in moving}
    return RobotDescription(
        name=settings.name,
        urdf=str(urdf),
        footprint=np.array(settings.footprint, float),
        height=settings.height,
        joints=MappingProxyType(limits),
        arm_joints=settings.arm_joints,
        head_joints=settings.head_joints,
        tool_link=settings.tool_link,
        camera_link=settings.camera_link,
        laser_link=settings.laser_link,
        arm_direction=settings.arm_direction,
        reach=settings.reach,
        reach_height=settings.reach_height,
        aperture_max=settings.aperture_max,
        grip_force=settings.grip_force,
        max_speed=Twist(**settings.max_speed.model_dump()),
        max_acceleration=Twist(**settings.max_acceleration.model_dump()),
        stow=MappingProxyType(settings.stow),
        carry_height=settings.carry_height,
        home=MappingProxyType(settings.home),
        capabilities=settings.capabilities,
    )


def _range(settings: RobotSettings, name: str, urdf: tuple[float, float, float]) -> tuple[float, float]:
    """(lower, upper) of a joint: the working range where one is given. Errors: ConfigError."""
    lower, upper = settings.ranges.get(name, urdf[:2])
    if not urdf[0] <= lower < upper <= urdf[1]:
        raise ConfigError(f"ranges.{name}: [{lower:g}, {upper:g}] is not within the URDF's {urdf[0]:g} to {urdf[1]:g}")
    return lower, upper
