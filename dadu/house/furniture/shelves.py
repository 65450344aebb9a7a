"""Builders of open shelving. `size` is depth, width, height [m]; all return a `FurnitureModel`."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.house.catalogue import Size
from dadu.house.furniture.boxes import OPEN_ABOVE, slab, top_deck
from dadu.house.furniture.model import Deck, FurnitureModel, SolidBox

_LEAST = 0.08
"""between a board and the top [m]"""


def shelf(size: Size, color: str, boards: int, heights: Sequence[float] = ()) -> FurnitureModel:
    """`boards` open compartments one above the other, or as many as there are `heights` of boards [m] below the top;
    things also stand on top."""
    d, w, h = size
    t = 0.02
    step = (h - t - 0.06) / boards
    at = sorted(z for z in heights if z < h - _LEAST) if heights else [0.06 + i * step for i in range(boards)]
    ceilings = [*at[1:], h - t]  # room to spare under the top
    boxes = [
        slab("side_0", (-d / 2, -w / 2, 0), (d / 2, -w / 2 + t, h), color, "wood"),
        slab("side_1", (-d / 2, w / 2 - t, 0), (d / 2, w / 2, h), color, "wood"),
        slab("back", (-d / 2, -w / 2 + t, 0), (-d / 2 + 0.012, w / 2 - t, h - t), color, "wood"),
        slab("top", (-d / 2, -w / 2 + t, h - t), (d / 2, w / 2 - t, h), color, "wood"),
    ]
    decks = [top_deck(size)]
    for i, (z, ceiling) in enumerate(zip(at, ceilings, strict=True), start=1):
        boxes.append(slab(f"board_{i}", (-d / 2 + 0.012, -w / 2 + t, max(z - t, 0.0)), (d / 2, w / 2 - t, z), color,
                          "wood"))
        decks.append(Deck(f"board_{i}", (0.006, 0.0), z, (d - 0.012, w - 2 * t), ceiling - t - z))
    return FurnitureModel(tuple(boxes), tuple(decks))


def rack(size: Size, color: str, boards: int, first: float) -> FurnitureModel:
    """`boards` evenly spaced between four posts, open all round; the lowest at the height `first` [m], the highest
    below the tips of the posts."""
    d, w, h = size
    post = 0.035
    step = (h - 0.15 - first) / max(1, boards - 1)
    boxes = [SolidBox(f"post_{2 * i + k}", (x * (d - post) / 2, y * (w - post) / 2, h / 2), (post, post, h), color,
                      "metal")
             for i, x in enumerate((-1, 1)) for k, y in enumerate((-1, 1))]
    decks = []
    for i in range(boards):
        z = first + i * step
        boxes.append(slab(f"board_{i + 1}", (-d / 2, -w / 2, z - 0.025), (d / 2, w / 2, z), color, "metal"))
        clearance = step - 0.025 if i < boards - 1 else OPEN_ABOVE
        decks.append(Deck(f"board_{i + 1}", (0.0, 0.0), z, (d, w - 2 * post), clearance))
    return FurnitureModel(tuple(boxes), tuple(decks))
