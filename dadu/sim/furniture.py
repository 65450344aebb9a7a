"""From a piece in a house file to its boxes, parts and decks."""

from __future__ import annotations

from collections.abc import Callable

from dadu.errors import ConfigError, choices
from dadu.sim import furniture_articulated as articulated
from dadu.sim import furniture_static as static
from dadu.sim.catalogue import Size, furniture_categories, furniture_category
from dadu.sim.furniture_model import FurnitureModel
from dadu.sim.house_format import Furniture

BUILDERS: dict[str, Callable[..., FurnitureModel]] = {
    "block": static.block,
    "table": static.table,
    "counter": static.counter,
    "shelf": static.shelf,
    "seat": static.seat,
    "chair": static.chair,
    "bed": static.bed,
    "bin": static.bin,
    "fridge": articulated.fridge,
    "cupboard": articulated.cupboard,
    "drawers": articulated.drawers,
}


def size_of(piece: Furniture) -> Size:
    """Depth, width, height [m]: the piece's own or its category's."""
    return piece.size or furniture_category(piece.category).size


def furniture_model(piece: Furniture) -> FurnitureModel:
    """Errors: ConfigError for a category or builder that does not exist, naming those that do."""
    if piece.category not in furniture_categories() and piece.shape is not None:
        return static.block(size_of(piece), piece.color or "grey")
    category = furniture_category(piece.category)
    if category.build not in BUILDERS:
        raise ConfigError(f"{piece.category}: unknown builder {category.build!r}; valid: {choices(BUILDERS)}")
    return BUILDERS[category.build](size_of(piece), piece.color or category.color, **category.options)
