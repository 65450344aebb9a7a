"""Bits of which builders make furniture: slabs, legs, decks, a front of panels."""

from __future__ import annotations

from dadu.core.geometry import Vector2, Vector3
from dadu.house.catalogue import Size
from dadu.house.furniture.model import Deck, SolidBox

OPEN_ABOVE = 2.0
"""clearance of a deck with nothing above it [m]"""


def slab(name: str, low: Vector3, high: Vector3, color: str, finish: str = "paint", lit: str = "") -> SolidBox:
    """The box between two corners [m]; `lit` as of `SolidBox`."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    return SolidBox(name, ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2), (x1 - x0, y1 - y0, z1 - z0), color, finish,
                    lit=lit)


def rod(name: str, centre: Vector2, diameter: float, bottom: float, top: float, color: str,
        finish: str = "paint", lit: str = "") -> SolidBox:
    """An upright cylinder about `centre` (x, y) between two heights [m]; `lit` as of `SolidBox`."""
    return SolidBox(name, (*centre, (bottom + top) / 2), (diameter, diameter, top - bottom), color, finish, "cylinder",
                    lit)


def top_deck(size: Size, name: str = "top") -> Deck:
    """The whole upper face."""
    return Deck(name, (0.0, 0.0), size[2], (size[0], size[1]), OPEN_ABOVE)


def legs(depth: float, width: float, height: float, thickness: float, color: str, finish: str) -> list[SolidBox]:
    """Four square legs in the corners of a footprint."""
    x, y = (depth - thickness) / 2, (width - thickness) / 2
    corners = ((x, y), (x, -y), (-x, y), (-x, -y))
    return [SolidBox(f"leg_{i}", (cx, cy, height / 2), (thickness, thickness, height), color, finish)
            for i, (cx, cy) in enumerate(corners)]


def panels(size: Size, color: str, top: float) -> list[SolidBox]:
    """A plinth set back, and fronts side by side above it, up to `top` [m]."""
    d, w, _ = size
    front = d / 2 - 0.02
    count = max(1, round(w / 0.6))
    fronts = [slab(f"panel_{i}", (front - 0.018, -w / 2 + w * i / count + 0.004, 0.09),
                   (front, -w / 2 + w * (i + 1) / count - 0.004, top), color) for i in range(count)]
    return [slab("plinth", (-d / 2, -w / 2, 0), (front - 0.05, w / 2, 0.08), "black"), *fronts]
