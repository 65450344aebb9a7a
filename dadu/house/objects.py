"""From an object in a house file to what is built and told of it: shape, size, mass, colours, attributes, words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dadu.core.errors import ConfigError
from dadu.house.catalogue import ObjectCategory, ObjectMake, Size, object_categories, object_category
from dadu.house.colors import UNKNOWN
from dadu.house.format import Object

DENSITY = 500.0
"""of things of a category of one's own [kg/m^3]"""


@dataclass(frozen=True)
class ObjectModel:
    """One object as it will be built."""

    shape: str
    """a `dadu.house.catalogue.Shape` or a name in ``data/shapes/``"""
    size: Size
    """extents along its own x, y, z [m]"""
    mass: float
    """[kg]"""
    friction: float | None
    """sliding friction, where it is not the usual one"""
    color: str
    accent: str | None
    attributes: dict[str, str]
    """the house's, completed by the catalogue's color and brand"""
    aliases: tuple[str, ...]


def object_model(thing: Object) -> ObjectModel:
    """What a house says of a thing wins over its variant, and that over its category. Errors: ConfigError."""
    if thing.category in object_categories():
        category = object_category(thing.category)
    else:
        if thing.shape is None or thing.size is None:
            raise ConfigError(f"{thing.name}: category {thing.category!r} is not in the catalogue; one of your own has "
                              "a shape and a size")
        x, y, z = thing.size
        category = ObjectCategory(shape=thing.shape, size=thing.size, mass=min(1.0, DENSITY * x * y * z), color="grey")
    variant = _variant(category, thing)
    told = {key: value for key, value in thing.attributes.items() if value != UNKNOWN}
    color = told.get("color") or variant.color or category.color
    size = thing.size or variant.size or scaled(category.size, variant.scale)
    mass = thing.mass or variant.mass or category.mass * variant.scale**3
    known = {} if thing.attributes.get("color") == UNKNOWN else {"color": color}
    attributes = known | ({"brand": variant.brand} if variant.brand else {}) | told
    return ObjectModel(thing.shape or category.shape, size, mass, category.friction, color,
                       variant.accent or category.accent, attributes, thing.aliases + category.aliases)


def scaled(size: Size, factor: float) -> Size:
    """[m], to the tenth of a millimetre."""
    x, y, z = (round(v * factor, 4) for v in size)
    return x, y, z


def _variant(category: ObjectCategory, thing: Object) -> ObjectMake:
    """The variant of the wanted color, else the one with the number at the end of the object's name."""
    color = thing.attributes.get("color")
    if not category.variants:
        return ObjectMake()
    if color not in (None, UNKNOWN):
        return next((v for v in category.variants if v.color == color), ObjectMake())
    number = re.search(r"(\d+)$", thing.name)
    return category.variants[int(number[1]) % len(category.variants) if number else 0]
