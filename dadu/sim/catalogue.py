"""The catalogue: what categories of furniture and objects there are, read from ``dadu/sim/data/*.yaml``.

Sizes are full extents [m]: furniture as depth (out of its front, x), width (y), height (z); objects along their own
x, y, z when they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, PositiveFloat, field_validator

from dadu.config import Settings, parse, read_yaml
from dadu.errors import ConfigError, choices
from dadu.sim.colors import rgba

Size = tuple[PositiveFloat, PositiveFloat, PositiveFloat]

_DATA = Path(__file__).parent / "data"


class Shape(str, Enum):
    """How an object is put together from primitives, see `dadu.sim.shapes`."""

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


class Language(Settings):
    """What people call a category and what it is good for."""

    aliases: tuple[str, ...] = ()
    hypernyms: tuple[str, ...] = ()
    """more general words: drink, food, seat..."""
    affordances: tuple[str, ...] = ()
    """what can be done with it: pick, place_on, place_in, open, pour, sit..."""


class FurnitureCategory(Language):
    """One kind of furniture: which builder makes it, and how large it usually is."""

    build: str
    """a name in `dadu.sim.furniture.BUILDERS`"""
    size: Size
    color: str = "wood"
    options: dict[str, Any] = Field(default_factory=dict)
    """keyword arguments of the builder"""

    _color = field_validator("color")(_known_color)


class Variant(Settings):
    """One make of an object; fields left out are the category's."""

    color: str | None = None
    size: Size | None = None
    mass: PositiveFloat | None = None
    brand: str | None = None

    _color = field_validator("color")(_known_color)


class ObjectCategory(Language):
    """One kind of thing that can be carried."""

    shape: Shape
    size: Size
    mass: PositiveFloat
    """[kg]"""
    color: str = "white"
    accent: str | None = None
    """colour of lid, label or stem"""
    variants: tuple[Variant, ...] = ()

    _color = field_validator("color", "accent")(_known_color)


@cache
def furniture_categories() -> Mapping[str, FurnitureCategory]:
    return _read("furniture.yaml", FurnitureCategory)


@cache
def object_categories() -> Mapping[str, ObjectCategory]:
    return _read("objects.yaml", ObjectCategory)


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
        raise ConfigError(f"unknown {kind} category {name!r}; valid: {choices(table, 200)}") from None


def _read(file: str, cls: type[Settings]) -> dict[str, Any]:
    path = _DATA / file
    return {name: parse(cls, entry, f"{path}: {name}") for name, entry in read_yaml(path).items()}
