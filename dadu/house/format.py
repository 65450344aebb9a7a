"""What a house file says: rooms, doors, furniture, objects, robot. Map coordinates, metres, radians."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field, StringConstraints, field_validator

from dadu.core.config import Settings
from dadu.core.errors import ConfigError, choices
from dadu.core.geometry import Pose2
from dadu.house.catalogue import Extent, Shape, Size
from dadu.house.states import State

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=64)]
Word = Annotated[str, StringConstraints(max_length=100,
                                        pattern=r"^[^\x00-\x20\x7f/\\]([^\x00-\x1f\x7f/\\]*[^\x00-\x20\x7f/\\])?$")]
"""what people call something: printable, without slashes, and no blanks about it"""
Coordinate = Annotated[float, Field(ge=-1000.0, le=1000.0)]
"""[m]"""
Yaw = Annotated[float, Field(ge=-100.0, le=100.0)]
"""[rad]"""
Height = Annotated[float, Field(gt=0.0, le=30.0)]
"""[m]"""
Mass = Annotated[float, Field(gt=0.0, le=1000.0)]
"""[kg]"""
Point = tuple[Coordinate, Coordinate]


class Room(Settings):
    name: Name
    category: Word
    floor: Annotated[tuple[Point, ...], Field(min_length=3, max_length=500)]
    """outline in map [m]"""
    height: Height = 2.5
    """of the walls [m]"""
    aliases: tuple[Word, ...] = ()
    """what else people call it"""


class Door(Settings):
    """An opening in the wall between two rooms."""

    between: tuple[Name, Name]
    at: Point
    """its centre, map [m]"""
    width: Annotated[float, Field(gt=0.0, le=20.0)]
    height: Height = 2.05


class Notch(Settings):
    """The rectangle that a footprint lacks in front: counters and sofas that are L- or U-shaped."""

    depth: Extent
    """from the front [m]"""
    width: Extent
    """[m]"""
    side: Literal["left", "right", "middle"]
    """as seen from the front: right is +y"""


class Furniture(Settings):
    name: Name
    category: Word
    room: Name
    pose: tuple[Coordinate, Coordinate, Yaw]
    """centre of the footprint x, y [m] and yaw [rad] in map; its front faces along its +x"""
    size: Size | None = None
    """depth, width, height [m]; the catalogue's when left out; a category of one's own must give it"""
    elevation: Annotated[float, Field(ge=0.0, le=30.0)] = 0.0
    """of its foot above the floor [m]: it stands on other furniture, or hangs on a wall"""
    boards: Annotated[tuple[Extent, ...], Field(max_length=20)] = ()
    """heights above its foot at which things stand on it [m], where they are not what is usual for its kind: the
    seat's, the bed's, the shelf's; of drawers and cupboards the top, however high"""
    notch: Notch | None = None
    color: str | None = None
    aliases: tuple[Word, ...] = ()
    states: dict[State, bool] = Field(default_factory=dict)
    """how it starts, such as ``{open: true, powered: false}``; ``open`` is for all its doors and drawers"""
    shape: Shape | None = None
    """``box``, for a category of one's own: what it is anyway"""

    @property
    def pose2(self) -> Pose2:
        return Pose2(*self.pose)


class Object(Settings):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    name: Name
    category: Word
    on: Name | None = None
    in_: Annotated[Name | None, Field(alias="in")] = None
    room: Name | None = None
    """instead of on or in: it lies on this room's floor, `at` is in map [m]"""
    at: Point | None = None
    """x, y in the furniture's frame [m]; placed clear of the others when left out"""
    surface: str | None = None
    """which board, shelf or drawer; the handiest when left out"""
    yaw: Yaw = 0.0
    """in the furniture's frame [rad], in map on the floor"""
    attributes: dict[str, str] = Field(default_factory=dict)
    aliases: tuple[Word, ...] = ()
    states: dict[State, bool] = Field(default_factory=dict)
    """how it starts, such as ``{clean: false, filled: true}``; `dadu.house.states` says what holds when left out"""
    shape: Shape | None = None
    size: Size | None = None
    mass: Mass | None = None

    @property
    def receptacle(self) -> str:
        """Name of the furniture that it stands on or in; empty on the floor."""
        return self.on or self.in_ or ""

    @property
    def relation(self) -> str:
        """``on``, ``in`` or, on the floor, ``in_room``"""
        return "on" if self.on else "in" if self.in_ else "in_room"

    @property
    def holder(self) -> str:
        """Name of the furniture that it stands on or in, or of the room on whose floor it lies."""
        return self.receptacle or self.room or ""

    @field_validator("attributes", mode="before")
    @classmethod
    def _words(cls, value: Any) -> Any:
        return {k: str(v) for k, v in value.items()} if isinstance(value, dict) else value


class RobotStart(Settings):
    pose: tuple[Coordinate, Coordinate, Yaw] = (0.0, 0.0, 0.0)
    """base_link in map: x, y [m], yaw [rad]"""


class House(Settings):
    """One house. `dadu.house.files.parse_house` checks it against the catalogue as well."""

    house: Word
    rooms: Annotated[tuple[Room, ...], Field(min_length=1, max_length=500)]
    doors: Annotated[tuple[Door, ...], Field(max_length=2000)] = ()
    furniture: Annotated[tuple[Furniture, ...], Field(max_length=5000)] = ()
    objects: Annotated[tuple[Object, ...], Field(max_length=5000)] = ()
    robot: RobotStart = RobotStart()

    def room(self, name: str) -> Room:
        """Errors: ConfigError naming the rooms."""
        return _named(self.rooms, name, "room")

    def piece(self, name: str) -> Furniture:
        """Errors: ConfigError naming the furniture."""
        return _named(self.furniture, name, "furniture")

    def object(self, name: str) -> Object:
        """Errors: ConfigError naming the objects."""
        return _named(self.objects, name, "object")


T = TypeVar("T", Room, Furniture, Object)


def _named(items: Sequence[T], name: str, kind: str) -> T:
    found = next((item for item in items if item.name == name), None)
    if found is None:
        raise ConfigError(f"no {kind} called {name!r}; valid: {choices(item.name for item in items)}")
    return found
