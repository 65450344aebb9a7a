"""Builders of seats and beds. `size` is depth, width, height [m]; all return a `FurnitureModel`."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.house.catalogue import Size
from dadu.house.furniture.boxes import OPEN_ABOVE, legs, rod, slab, top_deck
from dadu.house.furniture.model import Deck, FurnitureModel


def seat(size: Size, color: str, seat_height: float, heights: Sequence[float] = ()) -> FurnitureModel:
    """Sofa or armchair: cushions between two arms, before a back; the lowest of `heights` is the seat's [m]."""
    d, w, h = size
    seat_height = max(min(heights, default=seat_height), 0.2)
    arm, back = 0.14, 0.2
    inner = w - 2 * arm
    boxes = [
        slab("base", (-d / 2, -w / 2 + arm, 0.06), (d / 2 - 0.03, w / 2 - arm, seat_height - 0.12), color, "fabric"),
        slab("back", (-d / 2, -w / 2 + arm, seat_height - 0.12), (-d / 2 + back, w / 2 - arm, h), color, "fabric"),
        slab("arm_0", (-d / 2, -w / 2, 0.06), (d / 2, -w / 2 + arm, seat_height + 0.18), color, "fabric"),
        slab("arm_1", (-d / 2, w / 2 - arm, 0.06), (d / 2, w / 2, seat_height + 0.18), color, "fabric"),
        *legs(d - 0.06, w - 0.06, 0.06, 0.05, "black", "paint"),
    ]
    count = max(1, round(inner / 0.75))
    for i in range(count):
        y = -inner / 2 + inner * i / count
        boxes.append(slab(f"cushion_{i}", (-d / 2 + back, y + 0.0005, seat_height - 0.12),
                          (d / 2, y + inner / count - 0.0005, seat_height), color, "fabric"))
    deck = Deck("seat", (back / 2, 0.0), seat_height, (d - back, inner), OPEN_ABOVE)
    return FurnitureModel(tuple(boxes), (deck,))


def chair(size: Size, color: str, heights: Sequence[float] = ()) -> FurnitureModel:
    """Four legs, a seat and a back; the lowest of `heights` is the seat's [m]."""
    d, w, h = size
    z = max(min(heights, default=0.45), 0.2)
    boxes = (
        slab("seat", (-d / 2, -w / 2, z - 0.04), (d / 2, w / 2, z), color, "wood"),
        slab("post_0", (-d / 2, -w / 2, z), (-d / 2 + 0.035, -w / 2 + 0.035, h), color, "wood"),
        slab("post_1", (-d / 2, w / 2 - 0.035, z), (-d / 2 + 0.035, w / 2, h), color, "wood"),
        slab("rail", (-d / 2 + 0.005, -w / 2 + 0.035, h - 0.24), (-d / 2 + 0.03, w / 2 - 0.035, h - 0.02),
             color, "wood"),
        *legs(d - 0.01, w - 0.01, z - 0.04, 0.035, color, "wood"),
    )
    return FurnitureModel(boxes, (Deck("seat", (0.02, 0.0), z, (d - 0.05, w), OPEN_ABOVE),))


def office_chair(size: Size, color: str, heights: Sequence[float] = ()) -> FurnitureModel:
    """A seat and a back on a column with a broad foot; the lowest of `heights` is the seat's [m]."""
    d, w, h = size
    z = max(min(heights, default=0.48), 0.2)
    boxes = (
        rod("foot", (0, 0), 0.9 * min(d, w), 0.0, 0.05, "black"),
        rod("column", (0, 0), 0.05, 0.05, z - 0.08, "steel", "metal"),
        slab("seat", (-d / 2 + 0.06, -w / 2 + 0.02, z - 0.08), (d / 2, w / 2 - 0.02, z), color, "fabric"),
        slab("spine", (-d / 2, -0.04, z - 0.06), (-d / 2 + 0.06, 0.04, h - 0.1), "steel", "metal"),
        slab("back", (-d / 2 + 0.02, -w / 2 + 0.04, z + 0.12), (-d / 2 + 0.08, w / 2 - 0.04, h), color, "fabric"),
    )
    return FurnitureModel(boxes, (Deck("seat", (0.05, 0.0), z, (d - 0.14, w - 0.06), OPEN_ABOVE),))


def pouf(size: Size, color: str) -> FurnitureModel:
    """A padded block on low feet."""
    d, w, h = size
    boxes = (slab("body", (-d / 2 + 0.01, -w / 2 + 0.01, 0.05), (d / 2 - 0.01, w / 2 - 0.01, h - 0.1), color, "fabric"),
             slab("pad", (-d / 2, -w / 2, h - 0.1), (d / 2, w / 2, h), color, "fabric"),
             *legs(d - 0.08, w - 0.08, 0.05, 0.05, "black", "paint"))
    return FurnitureModel(boxes, (top_deck(size),))


def bed(size: Size, color: str, cover_color: str, heights: Sequence[float] = ()) -> FurnitureModel:
    """Head at -x, foot at +x (its front); the head is higher than `size` says. With `heights` the lowest of them is the
    cover's [m], the head ends where `size` says, and all of it can be used: its pillows are things."""
    if heights:
        return _bare_bed(size, color, cover_color, min(heights))
    d, w, h = size
    boxes = (
        slab("frame", (-d / 2 + 0.04, -w / 2, 0.1), (d / 2, w / 2, h - 0.2), color, "wood"),
        slab("head", (-d / 2, -w / 2, 0.0), (-d / 2 + 0.04, w / 2, h + 0.45), color, "wood"),
        slab("mattress", (-d / 2 + 0.04, -w / 2 + 0.02, h - 0.2), (d / 2 - 0.02, w / 2 - 0.02, h - 0.02), "white",
             "fabric"),
        slab("cover", (-d / 2 + 0.55, -w / 2, h - 0.16), (d / 2, w / 2, h), cover_color, "fabric"),
        slab("pillow_0", (-d / 2 + 0.06, 0.06 - w / 2, h - 0.02), (-d / 2 + 0.46, -0.05, h + 0.06), "white", "fabric"),
        slab("pillow_1", (-d / 2 + 0.06, 0.05, h - 0.02), (-d / 2 + 0.46, w / 2 - 0.06, h + 0.06), "white", "fabric"),
        *legs(d - 0.04, w - 0.04, 0.1, 0.06, color, "wood"),
    )
    deck = Deck("cover", (0.275, 0.0), h, (d - 0.55, w), OPEN_ABOVE)
    return FurnitureModel(boxes, (deck,))


def _bare_bed(size: Size, color: str, cover_color: str, z: float) -> FurnitureModel:
    d, w, h = size
    z = max(z, 0.3)
    boxes = (
        slab("frame", (-d / 2 + 0.04, -w / 2, 0.1), (d / 2, w / 2, z - 0.2), color, "wood"),
        slab("head", (-d / 2, -w / 2, 0.0), (-d / 2 + 0.04, w / 2, max(h, z)), color, "wood"),
        slab("mattress", (-d / 2 + 0.04, -w / 2, z - 0.2), (d / 2, w / 2, z - 0.02), "white", "fabric"),
        slab("cover", (-d / 2 + 0.04, -w / 2, z - 0.02), (d / 2, w / 2, z), cover_color, "fabric"),
        *legs(d - 0.04, w - 0.04, 0.1, 0.06, color, "wood"),
    )
    return FurnitureModel(boxes, (Deck("cover", (0.02, 0.0), z, (d - 0.04, w), OPEN_ABOVE),))
