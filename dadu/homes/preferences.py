"""How people furnish homes, as data: ``homes.yaml``, ``rooms.yaml``, ``furniture.yaml`` and ``things.yaml`` here."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    NonNegativeFloat,
    PositiveFloat,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from dadu.core.config import Settings, load, read_yaml
from dadu.core.errors import ConfigError
from dadu.house.catalogue import Size

_DATA = Path(__file__).parent

Span = tuple[NonNegativeFloat, NonNegativeFloat]
Names = Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]
Weights = dict[str, NonNegativeFloat]


class RoomSize(Settings):
    """Of one kind of room."""

    area: Span
    """least and greatest [m2]"""
    side: PositiveFloat
    """shortest side [m]"""


class HomePreferences(Settings):
    """Which rooms a home has, and which of them are connected."""

    program: Annotated[tuple[tuple[str, ...], ...], Field(min_length=2)]
    rooms: dict[str, RoomSize]
    hall_width: Span
    depth: Span
    doors: dict[str, Weights]
    open_between: tuple[tuple[str, str], ...]
    wide_opening: Span

    def oddity(self, one: str, other: str) -> float:
        """How odd a door between two kinds of rooms is."""
        table = self.doors
        return min(table.get(one, {}).get(other, _VERY_ODD), table.get(other, {}).get(one, _VERY_ODD))

    def open(self, one: str, other: str) -> bool:
        """True if two kinds of rooms are connected whenever they are neighbours."""
        return (one, other) in self.open_between or (other, one) in self.open_between


_VERY_ODD = 9.0


class WallPosition(str, Enum):
    """Where a piece of furniture goes."""

    wall = "wall"
    corner = "corner"
    centre = "centre"
    beside = "beside"
    before = "before"
    opposite = "opposite"
    around = "around"

    @property
    def relative(self) -> bool:
        """True if it goes by another piece."""
        return self in (WallPosition.beside, WallPosition.before, WallPosition.opposite, WallPosition.around)


class PieceWish(Settings):
    """A piece of furniture, or several alike, that a room may have."""

    category: Names
    """one of these"""
    where: WallPosition = WallPosition.wall
    of: Names = ()
    """categories of the piece that a relative `where` refers to"""
    otherwise: WallPosition | None = None
    """where it goes when there is no room there"""
    gap: NonNegativeFloat = 0.0
    """to that piece [m]"""
    chance: Annotated[float, Field(gt=0, le=1)] = 1.0
    count: tuple[int, int] = (1, 1)
    must: bool = False

    @model_validator(mode="after")
    def _refers(self) -> PieceWish:
        if self.where.relative != bool(self.of):
            raise ValueError(f"where: {self.where.value} {'needs' if self.where.relative else 'has no'} of")
        return self


class PieceLook(Settings):
    """How a kind of furniture varies, and the free floor that it needs."""

    sizes: tuple[Size, ...] = ()
    """the catalogue's when empty"""
    colors: tuple[str, ...] = ()
    front_clearance: NonNegativeFloat | None = None
    """depth of free floor before the front [m]"""


@cache
def home_preferences() -> HomePreferences:
    return load(HomePreferences, _DATA / "homes.yaml")


@cache
def room_wishes() -> Mapping[str, tuple[PieceWish, ...]]:
    """By category of room."""
    return _read(dict[str, tuple[PieceWish, ...]], "rooms.yaml")


@cache
def piece_looks() -> Mapping[str, PieceLook]:
    """By category of furniture."""
    return _read(dict[str, PieceLook], "furniture.yaml")


@cache
def habits() -> Mapping[str, Weights]:
    """By category of object or a more general word: how often it is on ``FURNITURE`` or ``ROOM/FURNITURE``."""
    return _read(dict[str, Weights], "things.yaml")


def _read(kind: Any, file: str) -> Any:
    path = _DATA / file
    try:
        return TypeAdapter(kind).validate_python(read_yaml(path))
    except ValidationError as error:
        raise ConfigError("\n".join(f"{path}: {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())) \
            from None
