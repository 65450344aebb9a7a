"""Builders of tables, counters and boxes. `size` is depth, width, height [m]; all return a `FurnitureModel`."""

from __future__ import annotations

import math

from dadu.house.catalogue import Size
from dadu.house.furniture.boxes import OPEN_ABOVE, legs, panels, rod, slab, top_deck
from dadu.house.furniture.model import Deck, FurnitureModel, SolidBox

_PANEL = 0.1
"""what is thinner is a picture, a window, a door [m]"""


def block(size: Size, color: str) -> FurnitureModel:
    """One solid box with a usable top, unless it is a panel: nothing stands on its edge."""
    decks = (top_deck(size),) if min(size[:2]) >= _PANEL else ()
    return FurnitureModel((SolidBox("body", (0, 0, size[2] / 2), size, color),), decks)


def table(size: Size, color: str, shelf: float = 0.0) -> FurnitureModel:
    """A top on four legs; with a second board at the height `shelf` [m] where that is not 0."""
    d, w, h = size
    top = slab("top", (-d / 2, -w / 2, h - 0.035), (d / 2, w / 2, h), color, "wood")
    frame = slab("apron", (-d / 2 + 0.05, -w / 2 + 0.05, h - 0.085), (d / 2 - 0.05, w / 2 - 0.05, h - 0.035),
                 color, "wood")
    boxes = [top, frame, *legs(d - 0.04, w - 0.04, h - 0.035, 0.05, color, "wood")]
    decks = [top_deck(size)]
    if shelf:
        board = (d - 0.06, w - 0.06)
        boxes.append(SolidBox("board", (0, 0, shelf - 0.01), (*board, 0.02), color, "wood"))
        decks.append(Deck("board", (0.0, 0.0), shelf, (board[0], board[1] - 0.08), h - 0.085 - shelf))
    return FurnitureModel(tuple(boxes), tuple(decks))


def round_table(size: Size, color: str) -> FurnitureModel:
    """A round top on a column; things stand in the square that fits into it."""
    d, w, h = size
    diameter = min(d, w)
    boxes = (rod("top", (0, 0), diameter, h - 0.035, h, color, "wood"),
             rod("column", (0, 0), 0.08, 0.03, h - 0.035, color, "wood"),
             rod("foot", (0, 0), 0.6 * diameter, 0.0, 0.03, color, "wood"))
    side = diameter / math.sqrt(2)
    return FurnitureModel(boxes, (Deck("top", (0.0, 0.0), h, (side, side), OPEN_ABOVE),))


def counter(size: Size, color: str, top_color: str) -> FurnitureModel:
    """A closed body with panels in front, a plinth set back, and a worktop."""
    d, w, h = size
    front = d / 2 - 0.02
    boxes = [
        *panels(size, color, h - 0.055),
        slab("body", (-d / 2, -w / 2, 0.08), (front - 0.018, w / 2, h - 0.04), color),
        slab("worktop", (-d / 2, -w / 2, h - 0.04), (d / 2, w / 2, h), top_color, "wood"),
    ]
    return FurnitureModel(tuple(boxes), (top_deck(size),))


def cart(size: Size, color: str, boards: int) -> FurnitureModel:
    """`boards` trays between four posts, on wheels; the upper one is the top."""
    d, w, h = size
    boxes = [SolidBox(f"post_{i}", (x, y, (h + 0.08) / 2), (0.025, 0.025, h - 0.08), "steel", "metal")
             for i, (x, y) in enumerate(_corners(d - 0.03, w - 0.03))]
    boxes += [SolidBox(f"wheel_{i}", (x, y, 0.04), (0.08, 0.03, 0.08), "black")
              for i, (x, y) in enumerate(_corners(d - 0.08, w - 0.06))]
    decks, step = [], (h - 0.25) / max(1, boards - 1)
    for i in range(boards):
        z = h - i * step
        name = "top" if i == 0 else f"board_{boards - i}"
        boxes.append(SolidBox(name, (0, 0, z - 0.01), (d, w, 0.02), color, "wood"))
        decks.append(Deck(name, (0.0, 0.0), z, (d, w - (0.08 if i else 0.0)), step - 0.02 if i else OPEN_ABOVE))
    return FurnitureModel(tuple(boxes), tuple(decks))


def trunk(size: Size, color: str) -> FurnitureModel:
    """A chest with a lid that stays shut, and bands round it; things stand on the lid."""
    d, w, h = size
    boxes = [slab("body", (-d / 2 + 0.01, -w / 2 + 0.01, 0), (d / 2 - 0.01, w / 2 - 0.01, h - 0.1), color, "wood"),
             slab("lid", (-d / 2, -w / 2, h - 0.095), (d / 2, w / 2, h), color, "wood"),
             slab("latch", (d / 2 - 0.01, -0.04, h - 0.16), (d / 2, 0.04, h - 0.095), "gold", "metal")]
    boxes += [slab(f"band_{i}", (-d / 2 + 0.004, y - 0.025, 0), (d / 2 - 0.004, y + 0.025, h - 0.1), "walnut")
              for i, y in enumerate((-0.3 * w, 0.3 * w))]
    return FurnitureModel(tuple(boxes), (top_deck(size),))


def bin(size: Size, color: str) -> FurnitureModel:
    """A floor and four walls, open above."""
    d, w, h = size
    t = 0.012
    boxes = (
        slab("floor", (-d / 2, -w / 2, 0), (d / 2, w / 2, t), color, "fabric"),
        slab("front", (d / 2 - t, -w / 2, t), (d / 2, w / 2, h), color, "fabric"),
        slab("back", (-d / 2, -w / 2, t), (-d / 2 + t, w / 2, h), color, "fabric"),
        slab("side_0", (-d / 2 + t, -w / 2, t), (d / 2 - t, -w / 2 + t, h), color, "fabric"),
        slab("side_1", (-d / 2 + t, w / 2 - t, t), (d / 2 - t, w / 2, h), color, "fabric"),
    )
    return FurnitureModel(boxes, (Deck("inside", (0.0, 0.0), t, (d - 2 * t, w - 2 * t), OPEN_ABOVE, inside=True),))


def _corners(depth: float, width: float) -> list[tuple[float, float]]:
    """Corners of a footprint [m]."""
    return [(x * depth / 2, y * width / 2) for x in (-1, 1) for y in (-1, 1)]
