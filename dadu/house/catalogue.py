"""The catalogue: what categories of furniture and objects there are, from ``dadu/house/data/{furniture,objects}/``.

Sizes are full extents [m]: furniture as depth (out of its front, x), width (y), height (z); objects along their own
x, y, z when they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, PositiveFloat, field_validator

from dadu.core.config import Settings, parse, read_yaml
from dadu.core.errors import ConfigError, choices
from dadu.house.colors import rgba

Extent = Annotated[float, Field(ge=0.001, le=30.0)]
"""of something that a room holds [m]"""
Size = tuple[Extent, Extent, Extent]

_DATA = Path(__file__).parent / "data"


class Shape(str, Enum):
    """How an object is put together from primitives, see `dadu.house.shapes.shapes`."""

    BOX = "box"
    CYLINDER = "cylinder"
    SPHERE = "sphere"
    BOWL = "bowl"
    MUG = "mug"
    BOTTLE = "bottle"


OWN_SHAPES = (Shape.BOX, Shape.CYLINDER, Shape.SPHERE, Shape.BOWL)
"""Shapes that a house file may give to a category of its own."""


def _known_color(value: str | None) -> str | None:
    if value is not None:
        rgba(value)
    return value


class Affordance(str, Enum):
    """What can be done with a thing, by the skill that does it, and what furniture is good for."""

    PICK = "pick"
    PLACE_ON = "place_on"
    PLACE_IN = "place_in"
    OPEN = "open"
    CLEAN = "clean"
    FILL = "fill"
    POUR = "pour"
    SLICE = "slice"
    POWER_ON = "power_on"
    POWER_OFF = "power_off"
    SIT = "sit"
    LIE = "lie"
    WATER = "water"
    """things are washed and filled at it"""
    WASH = "wash"
    """cleans what is in it while it runs"""
    HEAT = "heat"
    COOL = "cool"
    DISPOSE = "dispose"
    """rubbish goes into it"""


class Language(Settings):
    """What people call a category and what it is good for."""

    model_config = ConfigDict(use_enum_values=True)

    aliases: tuple[str, ...] = ()
    hypernyms: tuple[str, ...] = ()
    """more general words: drink, food, seat..."""
    affordances: tuple[Affordance, ...] = ()
    """values of `Affordance`, as plain strings"""


class Construction(Settings):
    """How a kind of furniture is made."""

    build: str
    """a name in `dadu.house.furniture.pieces.BUILDERS`"""
    options: dict[str, Any] = Field(default_factory=dict)
    """keyword arguments of the builder"""


class FurnitureCategory(Construction, Language):
    """One kind of furniture: which builder makes it, and how large it usually is."""

    size: Size
    color: str = "wood"
    raised: Construction | None = None
    """how it is made where it stands on other furniture or hangs on a wall, if otherwise"""
    boarded: Construction | None = None
    """how it is made where a house says at what heights its boards are, if otherwise"""

    _color = field_validator("color")(_known_color)


class ObjectMake(Settings):
    """One make of an object; fields left out are the category's."""

    color: str | None = None
    accent: str | None = None
    scale: PositiveFloat = 1.0
    """of the category's size; the mass goes with its cube"""
    size: Size | None = None
    mass: PositiveFloat | None = None
    brand: str | None = None

    _color = field_validator("color", "accent")(_known_color)


class ObjectCategory(Language):
    """One kind of thing that can be carried; that it can be picked goes without saying in the data."""

    shape: str
    """a `Shape`, or a name in ``data/shapes/``"""
    size: Size
    mass: PositiveFloat
    """[kg]"""
    friction: PositiveFloat | None = None
    """sliding friction, where it is not the usual one of `dadu.sim.mujoco.physics`"""
    color: str = "white"
    accent: str | None = None
    """colour of lid, label or stem"""
    affordances: tuple[Affordance, ...] = (Affordance.PICK,)
    variants: tuple[ObjectMake, ...] = ()

    _color = field_validator("color", "accent")(_known_color)

    @field_validator("affordances", mode="before")
    @classmethod
    def _can_be_picked(cls, value: Any) -> Any:
        return ("pick", *(v for v in value if v != "pick")) if isinstance(value, (list, tuple)) else value


@cache
def furniture_categories() -> Mapping[str, FurnitureCategory]:
    return _read("furniture", FurnitureCategory)


@cache
def object_categories() -> Mapping[str, ObjectCategory]:
    return _read("objects", ObjectCategory)


def furniture_category(name: str) -> FurnitureCategory:
    """Errors: ConfigError naming the valid categories."""
    return _lookup("furniture", furniture_categories(), name)


def object_category(name: str) -> ObjectCategory:
    """Errors: ConfigError naming the valid categories."""
    return _lookup("object", object_categories(), name)


def _lookup(kind: str, table: Mapping[str, Any], name: str) -> Any:
    try:
        return table[name]
    except KeyError:
        raise ConfigError(f"unknown {kind} category {name!r}; valid: {choices(table, meant=name)}") from None


def _read(folder: str, cls: type[Settings]) -> dict[str, Any]:
    """All files of a folder as one table, in the order of the files' names. Errors: ConfigError."""
    table: dict[str, Any] = {}
    for path in sorted((_DATA / folder).glob("*.yaml")):
        for name, entry in read_yaml(path).items():
            if name in table:
                raise ConfigError(f"{path}: {name}: is in another file of this folder already")
            table[name] = parse(cls, entry, f"{path}: {name}")
    return table
