"""From a piece in a house file to its boxes, parts and decks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from dadu.core.errors import ConfigError, choices
from dadu.house.catalogue import Size, furniture_categories, furniture_category
from dadu.house.format import Furniture
from dadu.house.furniture import appliances, articulated, plumbing, seats, shelves, tables
from dadu.house.furniture.model import FurnitureModel

BUILDERS: dict[str, Callable[..., FurnitureModel]] = {
    "block": tables.block,
    "table": tables.table,
    "round_table": tables.round_table,
    "counter": tables.counter,
    "cart": tables.cart,
    "trunk": tables.trunk,
    "bin": tables.bin,
    "shelf": shelves.shelf,
    "rack": shelves.rack,
    "seat": seats.seat,
    "chair": seats.chair,
    "office_chair": seats.office_chair,
    "pouf": seats.pouf,
    "bed": seats.bed,
    "fridge": articulated.fridge,
    "cupboard": articulated.cupboard,
    "drawers": articulated.drawers,
    "built_in": appliances.built_in,
    "stove": appliances.stove,
    "washer": appliances.washer,
    "television": appliances.television,
    "floor_lamp": appliances.floor_lamp,
    "sink": plumbing.sink,
    "bathtub": plumbing.bathtub,
    "toilet": plumbing.toilet,
}
"""By the name under ``build`` in the catalogue: size, color and options to a model."""


def size_of(piece: Furniture) -> Size:
    """Depth, width, height [m]: the piece's own or its category's."""
    return piece.size or furniture_category(piece.category).size


def furniture_model(piece: Furniture) -> FurnitureModel:
    """Errors: ConfigError for a category or builder that does not exist, naming those that do."""
    if piece.category not in furniture_categories() and piece.size is not None:
        return tables.block(piece.size, piece.color or "grey")
    return _of_category(piece.category, size_of(piece), piece.color)


@lru_cache(maxsize=1024)
def _of_category(name: str, size: Size, color: str | None) -> FurnitureModel:
    """The same for all pieces of a house that are alike, and for whoever asks again."""
    category = furniture_category(name)
    if category.build not in BUILDERS:
        raise ConfigError(f"{name}: unknown builder {category.build!r}; valid: {choices(BUILDERS)}")
    return BUILDERS[category.build](size, color or category.color, **category.options)
