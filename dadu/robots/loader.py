"""From ``config/robots/NAME.yaml`` and its URDF to a `RobotDescription`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from dadu.core.config import load
from dadu.core.errors import ConfigError, choices
from dadu.core.paths import shared
from dadu.core.robot import JointLimit, RobotDescription, Twist
from dadu.robots.meshes import with_collision_meshes
from dadu.robots.settings import RobotSettings, SpeedSettings
from dadu.robots.urdf import Urdf, UrdfJoint, read_urdf

_DEFAULT_JOINT_SPEED = 0.2
"""[m/s or rad/s] where a URDF gives none: slow, since the joint is not known"""
_TURNS = 6
"""of a joint, at most; more are taken for degrees"""
ROUNDED = 1e-3
"""by which a position written in few digits may be beyond a limit [m or rad]"""


class UnknownRobot(ConfigError):
    """No description of that name in the robots directory."""


def robots_directory() -> Path:
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
        if path == Path(name_or_path):
            raise UnknownRobot(f"{path}: no such file; robots by name: {choices(list_robots())}")
        raise UnknownRobot(f"unknown robot {str(name_or_path)!r}; known: {choices(list_robots())}")
    settings = load(RobotSettings, path)
    return settings, path.parent / settings.urdf


def load_robot(name_or_path: str | Path) -> RobotDescription:
    """Reads and cross-checks a robot's description.

    Errors: UnknownRobot; ConfigError naming file and field, also for a joint or link that the URDF lacks.
    """
    settings, urdf = load_settings(name_or_path)
    body = read_urdf(urdf)
    moving = (*settings.arm_joints, *settings.head_joints)
    for joint in (*moving, *settings.stow, *settings.home, *settings.acceleration, *settings.ranges, *settings.fingers):
        body.moving(joint)
    for link in (settings.base_link, settings.tool_link, settings.camera_link, settings.laser_link):
        if link not in body.links:
            raise ConfigError(f"{urdf}: no link {link!r}; has: {choices(body.links, 40)}")
    with_collision_meshes(body)  # what is missing is said here, not at the first grasp
    limits = {name: _limit(settings, body.moving(name)) for name in moving}
    _check_chain(settings, body)
    _check_positions(settings, body, limits)
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
        base_link=settings.base_link,
        fingers=MappingProxyType(settings.fingers),
        grip_force=settings.grip_force,
        max_speed=_twist(settings.max_speed),
        max_acceleration=_twist(settings.max_acceleration),
        stow=MappingProxyType(settings.stow),
        carry_height=settings.carry_height,
        home=MappingProxyType(settings.home),
        capabilities=settings.capabilities,
    )


def _check_chain(settings: RobotSettings, body: Urdf) -> None:
    """The arm's joints carry the tool one after the other, and what they move can be touched. Errors: ConfigError."""
    carriers = [joint.name for joint in body.carriers(settings.tool_link)]
    if list(settings.arm_joints) != (there := [name for name in carriers if name in settings.arm_joints]):
        raise ConfigError(f"{body.path}: arm_joints are those that carry tool_link {settings.tool_link!r}, each once, "
                          f"from base to tip: of {', '.join(settings.arm_joints)} these do so: "
                          f"{', '.join(there) or 'none'}")
    for joint in (*settings.arm_joints, *settings.fingers):
        if bare := body.bare(joint):
            raise ConfigError(f"{body.path}: {choices(bare)}, moved by {joint!r}: no collision shape, so it would be "
                              "taken through things")


def _check_positions(settings: RobotSettings, body: Urdf, limits: Mapping[str, JointLimit]) -> None:
    """Positions are within the joints' ranges. Errors: ConfigError."""
    given = [("stow", settings.stow), ("home", settings.home),
             ("fingers", {name: span[0] for name, span in settings.fingers.items()}),
             ("fingers", {name: span[1] for name, span in settings.fingers.items()})]
    for field, positions in given:
        for name, position in positions.items():
            joint = body.joints[name]
            lower, upper = (limits[name].lower, limits[name].upper) if name in limits else joint.range
            if not lower - ROUNDED <= position <= upper + ROUNDED:
                unit = "m" if joint.kind == "prismatic" else "rad"
                raise ConfigError(f"{settings.name}: {field}.{name}: {position:g} is not within {lower:g} to {upper:g} "
                                  f"[{unit}]")


def _twist(limits: SpeedSettings | None) -> Twist:
    return Twist() if limits is None else Twist(**limits.model_dump())


def _limit(settings: RobotSettings, joint: UrdfJoint) -> JointLimit:
    """Of a joint: the working range where one is given, else the URDF's, or one turn. Errors: ConfigError."""
    least, most = joint.range if joint.kind != "continuous" else (-math.inf, math.inf)
    one_turn = joint.kind == "continuous" and joint.name not in settings.ranges
    lower, upper = (-math.pi, math.pi) if one_turn else settings.ranges.get(joint.name, joint.range)
    if not least <= lower < upper <= most or not math.isfinite(upper - lower):
        raise ConfigError(f"ranges.{joint.name}: [{lower:g}, {upper:g}] is not within the URDF's {least:g} to {most:g}")
    if joint.kind == "revolute" and upper - lower > _TURNS * 2 * math.pi:
        raise ConfigError(f"ranges.{joint.name}: the URDF's {lower:g} to {upper:g} is more than {_TURNS} turns; limits "
                          "are in radians")
    speed = joint.velocity if 0 < joint.velocity < math.inf else _DEFAULT_JOINT_SPEED
    return JointLimit(lower, upper, speed, settings.acceleration.get(joint.name, math.inf), one_turn)
