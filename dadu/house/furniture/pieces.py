"""From a piece in a house file to its boxes, parts and decks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from dadu.core.errors import ConfigError, choices
from dadu.house.catalogue import Size, furniture_categories, furniture_category
from dadu.house.colors import UNKNOWN
from dadu.house.format import Furniture, Notch
from dadu.house.furniture import appliances, articulated, plumbing, seats, shelves, tables
from dadu.house.furniture.arranging import moved, notched
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
    "screen": appliances.screen,
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
    color = None if piece.color == UNKNOWN else piece.color
    return _model(piece.category, size_of(piece), color, piece.elevation, piece.boards, piece.notch)


def has_boards(category: str) -> bool:
    """True if the heights of its boards can be given."""
    known = furniture_categories().get(category)
    return known is not None and "heights" in inspect.signature(BUILDERS[(known.boarded or known).build]).parameters


@lru_cache(maxsize=1024)
def _model(name: str, size: Size, color: str | None, elevation: float, boards: tuple[float, ...], notch: Notch | None
           ) -> FurnitureModel:
    """The same for all pieces of a house that are alike, and for whoever asks again."""
    build = _builder(name, color, boards, elevation > 0)
    model = build(size) if notch is None else notched(build, size, notch)
    if elevation == 0:
        return model
    raised = moved(model, (0.0, 0.0, elevation))
    decks = tuple(deck for deck in raised.decks if deck.inside or deck.height <= articulated.REACHABLE_TOP)
    return replace(raised, decks=decks)


def _builder(name: str, color: str | None, boards: tuple[float, ...], raised: bool
             ) -> Callable[[Size], FurnitureModel]:
    if name not in furniture_categories():
        return lambda size: tables.block(size, color or "grey")
    category = furniture_category(name)
    made = (category.raised if raised else category.boarded if boards else None) or category
    if made.build not in BUILDERS:
        raise ConfigError(f"{name}: unknown builder {made.build!r}; valid: {choices(BUILDERS)}")
    options = made.options | ({"heights": boards} if boards else {})
    return lambda size: BUILDERS[made.build](size, color or category.color, **options)
