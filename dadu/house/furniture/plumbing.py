"""Builders of what holds water: sinks, bathtub, toilet. `size` is depth, width, height [m]."""

from __future__ import annotations

from dadu.core.geometry import Vector2
from dadu.house.catalogue import Size
from dadu.house.furniture.boxes import OPEN_ABOVE, panels, rod, slab
from dadu.house.furniture.model import Deck, FurnitureModel, SolidBox
from dadu.house.furniture.switches import push_button

BASIN_DEPTH = 0.16
"""of a sink below its worktop [m]"""
_RIM = 0.05
_RISE, _SPOUT = 0.24, 0.02
_BESIDE = 0.07
"""between a tap and what opens it [m]"""
"""height of a tap above the worktop, and thickness of its spout [m]"""


def sink(size: Size, color: str, top_color: str) -> FurnitureModel:
    """A counter with a real basin on its left as seen from the front, a tap that a button beside it opens and shuts,
    and worktop beside it where it is wide enough. Things lie *in* it (the basin) or stand *on* it (the worktop)."""
    d, w, h = size
    width = min(0.45, w - 2 * _RIM)
    x0, x1 = -d / 2 + 0.13, d / 2 - _RIM
    y0, y1 = -w / 2 + _RIM, -w / 2 + _RIM + width
    valve = (y0 + y1) / 2 + _BESIDE
    floor, under = h - BASIN_DEPTH, h - 0.04
    front = d / 2 - 0.038
    boxes = [
        *panels(size, color, h - 0.055),
        slab("body", (-d / 2, -w / 2, 0.08), (front, w / 2, floor - 0.01), color),
        slab("basin_floor", (x0, y0, floor - 0.01), (x1, y1, floor), "steel", "metal"),
        *_frame("basin", (x0, y0), (x1, y1), (-d / 2, -w / 2), (front, y1 + 0.01), floor - 0.01, under, "steel",
                "metal"),
        *_frame("worktop", (x0, y0), (x1, y1), (-d / 2, -w / 2), (d / 2, w / 2), under, h, top_color, "paint"),
        *_tap((-d / 2 + 0.07, (y0 + y1) / 2), h),
        slab("valve", (-d / 2 + 0.05, valve - 0.02, h), (-d / 2 + 0.08, valve + 0.02, h + 0.11), "steel", "metal"),
    ]
    if y1 + 0.01 < w / 2 - 0.01:
        boxes.append(slab("body_side", (-d / 2, y1 + 0.01, floor - 0.01), (front, w / 2, under), color))
    decks = [Deck("basin", ((x0 + x1) / 2, (y0 + y1) / 2), floor, (x1 - x0, y1 - y0), BASIN_DEPTH + _RISE - _SPOUT,
                  inside=True)]
    free = w / 2 - y1 - 0.02
    if free >= 0.2:
        decks.append(Deck("top", (0.0, w / 2 - free / 2), h, (d, free), OPEN_ABOVE))
    return FurnitureModel(tuple(boxes), tuple(decks), switches=(push_button((-d / 2 + 0.08, valve, h + 0.085)),))


def bathtub(size: Size, color: str) -> FurnitureModel:
    """A tub whose long side is its front, with a ledge at one end to put things on."""
    d, w, h = size
    wall, ledge, floor = 0.08, min(0.24, 0.2 * w), 0.16
    x0, x1, y0, y1 = -d / 2 + wall, d / 2 - wall, -w / 2 + wall, w / 2 - ledge
    boxes = [slab("floor", (-d / 2, -w / 2, 0), (d / 2, w / 2, floor), color),
             *_frame("wall", (x0, y0), (x1, y1), (-d / 2, -w / 2), (d / 2, w / 2), floor, h, color, "paint"),
             *_tap((-d / 2 + wall / 2, 0.0), h, reach=0.1, rise=0.1 + _SPOUT)]
    decks = (Deck("tub", ((x0 + x1) / 2, (y0 + y1) / 2), floor, (x1 - x0, y1 - y0), h - floor + 0.1, inside=True),
             Deck("ledge", (0.0, w / 2 - ledge / 2), h, (d, ledge), OPEN_ABOVE))
    return FurnitureModel(tuple(boxes), decks)


def toilet(size: Size, color: str) -> FurnitureModel:
    """A bowl with its lid shut before a tank; things stand on the lid or on the tank."""
    d, w, h = size
    tank, seat = 0.18, 0.42
    bowl = -d / 2 + tank
    round_ = min(w, d - tank)
    centre = d / 2 - round_ / 2
    boxes = (
        slab("tank", (-d / 2, -w / 2 + 0.01, seat - 0.05), (bowl, w / 2 - 0.01, h - 0.03), color),
        slab("tank_lid", (-d / 2, -w / 2, h - 0.03), (bowl, w / 2, h), color),
        slab("foot", (-d / 2, -0.11, 0), (centre, 0.11, seat - 0.05), color),
        rod("bowl", (centre, 0.0), 0.7 * round_, 0.0, 0.25, color),
        rod("rim", (centre, 0.0), round_ - 0.02, 0.25, seat - 0.025, color),
        slab("seat", (bowl, -round_ / 2 + 0.01, seat - 0.025), (centre, round_ / 2 - 0.01, seat), "white"),
        rod("lid", (centre, 0.0), round_, seat - 0.025, seat, "white"),
        slab("button", (-d / 2 + 0.06, -0.04, h - 0.004), (-d / 2 + 0.1, 0.04, h), "steel", "metal"),
    )
    lid = Deck("lid", ((bowl + d / 2) / 2, 0.0), seat, (d - tank - 0.06, round_ - 0.06), h - seat)
    return FurnitureModel(boxes, (lid, Deck("tank", ((bowl - d / 2) / 2, 0.0), h, (tank, w), OPEN_ABOVE)))


def _frame(name: str, inner_low: Vector2, inner_high: Vector2, low: Vector2, high: Vector2, bottom: float, top: float,
           color: str, finish: str) -> list[SolidBox]:
    """What is left of a slab between two corners (x, y) [m] when an inner rectangle is cut out."""
    (a0, b0), (a1, b1), (x0, y0), (x1, y1) = inner_low, inner_high, low, high
    strips = (((x0, y0), (x1, b0)), ((x0, b1), (x1, y1)), ((x0, b0), (a0, b1)), ((a1, b0), (x1, b1)))
    return [slab(f"{name}_{i}", (*p, bottom), (*q, top), color, finish) for i, (p, q) in enumerate(strips)
            if q[0] - p[0] > 1e-3 and q[1] - p[1] > 1e-3]


def _tap(at: Vector2, height: float, reach: float = 0.16, rise: float = _RISE) -> list[SolidBox]:
    """A pillar at (x, y) [m] and a spout over the basin."""
    x, y = at
    top = height + rise
    return [rod("tap", (x, y), 0.03, height, top, "steel", "metal"),
            slab("spout", (x, y - 0.012, top - _SPOUT), (x + reach, y + 0.012, top), "steel", "metal")]
