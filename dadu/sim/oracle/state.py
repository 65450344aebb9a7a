"""What moves in the oracle's world, and where it is."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.skills.table import SKILLS
from dadu.world.boxes import OrientedBox
from dadu.world.graph import ROBOT, Relation
from dadu.world.names import PERSON

Point: TypeAlias = tuple[float, float]
"""in the map [m]"""
T = TypeVar("T")
Paced: TypeAlias = Generator[None, None, T]
"""a deed that takes time: stops for a moment now and then, so that others can act by the time that has passed"""


@dataclass(frozen=True)
class Support:
    """What carries a thing. `relation` on, in or held_by; in_room: it lies on the floor of room `holder`."""

    relation: Relation
    holder: str
    surface: str = ""
    """name of the furniture's surface"""


@dataclass
class OracleObject:
    """One object as it truly is."""

    name: str
    category: str
    size: tuple[float, float, float]
    """[m], along its own axes"""
    position: tuple[float, float, float]
    """centre of its box, map [m]"""
    yaw: float
    support: Support
    room: str
    affordances: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    attributes: dict[str, str] = field(default_factory=dict)
    states: dict[str, bool] = field(default_factory=dict)

    @property
    def bottom(self) -> float:
        """Height of its underside [m]."""
        return self.position[2] - self.size[2] / 2

    @property
    def box(self) -> OrientedBox:
        """The space that it takes up, map."""
        return OrientedBox.upright(*self.position[:2], self.bottom, self.yaw, self.size)


@dataclass
class Agent:
    """A robot or a person."""

    name: str
    pose: Pose2
    room: str
    capabilities: tuple[str, ...]
    reach: float
    """horizontal distance at which it can handle things [m]"""
    heights: tuple[float, float]
    """lowest and highest place that the hand gets at [m]"""
    speed: float
    """[m/s]"""
    turn: float
    """[rad/s]"""
    radius: float
    """half the width of the gaps that it gets through [m]"""
    held: str = ""
    """name of the thing in its hand"""
    clock: float = 0.0
    """[s]; agents act side by side, each by its own"""
    travelled: float = 0.0
    """[m]"""
    idle: float = 0.0
    """spent waiting [s]"""
    way: list[Point] = field(default_factory=list)
    """where it still drives, from where it is; empty while it stands"""
    gone: bool = False
    """it is dead, and an obstacle like any furniture"""
    track: list[tuple[float, float, Point, Point]] = field(default_factory=list)
    """what it has driven where several do: start and end [s], from, to"""

    @property
    def leg(self) -> tuple[Point, Point]:
        """The newest part of its way, until its clock; where others' clocks are behind it, it may be anywhere on it."""
        here = self.pose[:2]
        under_way = bool(self.track) and self.track[-1][1] >= self.clock and not self.gone
        return (self.track[-1][2], here) if under_way else (here, here)


SIDEWAYS = 0.3
"""a base shifts along its own axis to bring a thing in reach [m]"""
BEND = 0.15
"""how far below level fingers the hand gets [m]"""


def robot_agent(robot: RobotDescription, pose: Pose2, room: str, name: str = ROBOT) -> Agent:
    """An agent with the limits of a robot's description. Who puts things down can hold them out as well, here: by
    physics only who lists it."""
    low, high = robot.reach_height
    radius = float(abs(robot.footprint[:, 1]).max())
    skills = robot.capabilities
    if "place" in skills and "handover" not in skills:
        skills = (*skills, "handover")
    return Agent(name, pose, room, skills, robot.reach[1] + SIDEWAYS, (low - BEND, high),
                 robot.max_speed.vx, robot.max_speed.wz, radius)


def person_agent(pose: Pose2, room: str, speed: float = 1.0) -> Agent:
    """A grown-up, who can do all that can be done; `speed` [m/s]."""
    return Agent(PERSON, pose, room, tuple(SKILLS), 1.4, (-0.1, 2.0), speed, 3.0, 0.2)
