"""Builders of furniture without moving parts. `size` is depth, width, height [m]; all return a `FurnitureModel`."""

from __future__ import annotations

from dadu.sim.catalogue import Size
from dadu.sim.furniture_model import Box, Deck, FurnitureModel

OPEN_ABOVE = 2.0
"""clearance of a deck with nothing above it [m]"""


def slab(name: str, low, high, color: str, finish: str = "paint") -> Box:
    """The box between two corners [m]."""
    centre = tuple((a + b) / 2 for a, b in zip(low, high, strict=True))
    size = tuple(b - a for a, b in zip(low, high, strict=True))
    return Box(name, centre, size, color, finish)


def top_deck(size: Size, name: str = "top") -> Deck:
    """The whole upper face."""
    return Deck(name, (0.0, 0.0), size[2], (size[0], size[1]), OPEN_ABOVE)


def legs(depth: float, width: float, height: float, thickness: float, color: str, finish: str) -> list[Box]:
    """Four square legs in the corners of a footprint."""
    x, y = (depth - thickness) / 2, (width - thickness) / 2
    corners = ((x, y), (x, -y), (-x, y), (-x, -y))
    return [Box(f"leg_{i}", (cx, cy, height / 2), (thickness, thickness, height), color, finish)
            for i, (cx, cy) in enumerate(corners)]


def block(size: Size, color: str) -> FurnitureModel:
    """One solid box with a usable top."""
    return FurnitureModel((Box("body", (0, 0, size[2] / 2), size, color),), (top_deck(size),))


def table(size: Size, color: str) -> FurnitureModel:
    """A top on four legs."""
    d, w, h = size
    top = slab("top", (-d / 2, -w / 2, h - 0.035), (d / 2, w / 2, h), color, "wood")
    frame = slab("apron", (-d / 2 + 0.05, -w / 2 + 0.05, h - 0.085), (d / 2 - 0.05, w / 2 - 0.05, h - 0.035),
                 color, "wood")
    return FurnitureModel((top, frame, *legs(d - 0.04, w - 0.04, h - 0.035, 0.05, color, "wood")), (top_deck(size),))


def counter(size: Size, color: str, top_color: str) -> FurnitureModel:
    """A closed body with panels in front, a plinth set back, and a worktop."""
    d, w, h = size
    front = d / 2 - 0.02
    boxes = [
        slab("plinth", (-d / 2, -w / 2, 0), (front - 0.05, w / 2, 0.08), "black"),
        slab("body", (-d / 2, -w / 2, 0.08), (front - 0.018, w / 2, h - 0.04), color),
        slab("worktop", (-d / 2, -w / 2, h - 0.04), (d / 2, w / 2, h), top_color, "wood"),
    ]
    count = max(1, round(w / 0.6))
    for i in range(count):
        y = -w / 2 + w * i / count
        boxes.append(slab(f"panel_{i}", (front - 0.018, y + 0.004, 0.09), (front, y + w / count - 0.004, h - 0.055),
                          color))
    return FurnitureModel(tuple(boxes), (top_deck(size),))


def shelf(size: Size, color: str, boards: int) -> FurnitureModel:
    """`boards` open compartments one above the other; things also stand on top."""
    d, w, h = size
    t = 0.02
    step = (h - t - 0.06) / boards
    boxes = [
        slab("side_0", (-d / 2, -w / 2, 0), (d / 2, -w / 2 + t, h), color, "wood"),
        slab("side_1", (-d / 2, w / 2 - t, 0), (d / 2, w / 2, h), color, "wood"),
        slab("back", (-d / 2, -w / 2 + t, 0), (-d / 2 + 0.012, w / 2 - t, h - t), color, "wood"),
        slab("top", (-d / 2, -w / 2 + t, h - t), (d / 2, w / 2 - t, h), color, "wood"),
    ]
    decks = [top_deck(size)]
    for i in range(boards):
        z = 0.06 + i * step
        boxes.append(slab(f"board_{i + 1}", (-d / 2 + 0.012, -w / 2 + t, z - t), (d / 2, w / 2 - t, z), color, "wood"))
        decks.append(Deck(f"board_{i + 1}", (0.006, 0.0), z, (d - 0.012, w - 2 * t), step - t))
    return FurnitureModel(tuple(boxes), tuple(decks))


def seat(size: Size, color: str, seat_height: float) -> FurnitureModel:
    """Sofa or armchair: cushions between two arms, before a back."""
    d, w, h = size
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


def chair(size: Size, color: str) -> FurnitureModel:
    """Four legs, a seat and a back."""
    d, w, h = size
    z = 0.45
    boxes = (
        slab("seat", (-d / 2, -w / 2, z - 0.04), (d / 2, w / 2, z), color, "wood"),
        slab("post_0", (-d / 2, -w / 2, z), (-d / 2 + 0.035, -w / 2 + 0.035, h), color, "wood"),
        slab("post_1", (-d / 2, w / 2 - 0.035, z), (-d / 2 + 0.035, w / 2, h), color, "wood"),
        slab("rail", (-d / 2 + 0.005, -w / 2 + 0.035, h - 0.24), (-d / 2 + 0.03, w / 2 - 0.035, h - 0.02),
             color, "wood"),
        *legs(d - 0.01, w - 0.01, z - 0.04, 0.035, color, "wood"),
    )
    return FurnitureModel(boxes, (Deck("seat", (0.02, 0.0), z, (d - 0.05, w), OPEN_ABOVE),))


def bed(size: Size, color: str, cover_color: str) -> FurnitureModel:
    """Head at -x, foot at +x (its front)."""
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
