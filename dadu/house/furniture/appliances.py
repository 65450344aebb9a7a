"""Builders of appliances: microwave, oven, stove, washing machine, television, floor lamp. `size` is depth, width,
height [m]. Doors hang on upright hinges: one arm opens them all in the same way."""

from __future__ import annotations

from dataclasses import replace

from dadu.house.catalogue import Size
from dadu.house.furniture.articulated import GAP, REACHABLE_TOP, leaf, shell
from dadu.house.furniture.boxes import OPEN_ABOVE, rod, slab, top_deck
from dadu.house.furniture.model import Deck, FurnitureModel, Part, SolidBox
from dadu.house.furniture.switches import push_button

_DOOR, _WALL = 0.03, 0.03
_PROUD = 0.006
"""by which doors, knobs and displays stand out of the front [m]"""
_AT_HAND = 0.95
"""height of a floor lamp's switch [m]"""
_CONTROLS = 0.1
"""width of a control panel beside a door [m]"""


def built_in(size: Size, color: str, bottom: float, top: float, body_color: str = "white") -> FurnitureModel:
    """A cavity between two heights [m] behind a glazed door, with controls beside it, in a tall cabinet; with a bottom
    at 0 it stands on something."""
    d, w, h = size
    bottom, top = min(bottom, h - 0.3), min(top, h - 0.02)
    cavity, deck, door = _cavity(size, bottom, top, color, controls=_CONTROLS)
    front, face = d / 2 - _DOOR - GAP, d / 2 - _PROUD
    base = [slab("base", (-d / 2, -w / 2, 0), (front, w / 2, bottom), body_color),
            slab("base_front", (front, -w / 2, 0.08), (face, w / 2, bottom - GAP), body_color)]
    boxes = [*cavity, *(base if bottom > 0.1 else ()),
             slab("controls", (-d / 2, w / 2 - _CONTROLS, bottom), (face, w / 2, top), color),
             slab("display", (face, w / 2 - 0.085, top - 0.09), (face + 0.003, w / 2 - 0.02, top - 0.04), "#7fd0b8")]
    if h - top > 0.015:
        boxes.append(slab("cornice", (-d / 2, -w / 2, top), (d / 2, w / 2, h), body_color))
    decks = [deck, *([top_deck(size)] if h <= REACHABLE_TOP else [])]
    switch = push_button((face, w / 2 - _CONTROLS / 2, top - 0.14))
    return FurnitureModel(tuple(boxes), tuple(decks), (door,), (switch,))


def stove(size: Size, color: str) -> FurnitureModel:
    """Four hotplates to put pans on, over an oven."""
    d, w, h = size
    bottom, top = 0.2, h - 0.16
    cavity, deck, door = _cavity(size, bottom, top, color, controls=0.0)
    front, face = d / 2 - _DOOR - GAP, d / 2 - _PROUD
    boxes = [*cavity, slab("base", (-d / 2, -w / 2, 0), (front, w / 2, bottom), color),
             slab("base_front", (front, -w / 2, 0.06), (face, w / 2, bottom - GAP), color),
             slab("controls", (-d / 2, -w / 2, top), (d / 2 - 0.02, w / 2, h - 0.02), color),
             slab("hob", (-d / 2, -w / 2, h - 0.02), (d / 2, w / 2, h), "black")]
    boxes += [rod(f"plate_{i}", (x * d, y * w), 0.3 * min(d, w), h - 0.002, h + 0.0004, "#4a4a4f", "metal",
                  lit="#e0461e")
              for i, (x, y) in enumerate(((-0.23, -0.24), (-0.23, 0.24), (0.23, -0.24), (0.23, 0.24)))]
    boxes += [slab(f"knob_{i}", (d / 2 - 0.02, y * w - 0.018, h - 0.1), (d / 2, y * w + 0.018, h - 0.064), "steel",
                   "metal") for i, y in enumerate((-0.36, -0.18, 0.18, 0.36))]
    switch = push_button((d / 2 - 0.02, 0.0, h - 0.082), "steel")
    return FurnitureModel(tuple(boxes), (deck, top_deck(size)), (door,), (switch,))


def washer(size: Size, color: str) -> FurnitureModel:
    """A front loader: a drum behind a door, controls above, a top to put things on."""
    d, w, h = size
    bottom, top = 0.24, h - 0.2
    cavity, deck, door = _cavity(size, bottom, top, color, controls=0.0)
    front, face = d / 2 - _DOOR - GAP, d / 2 - _PROUD
    boxes = [*cavity, slab("base", (-d / 2, -w / 2, 0), (front, w / 2, bottom), color),
             slab("base_front", (front, -w / 2, 0.04), (face, w / 2, bottom - GAP), color),
             slab("head", (-d / 2, -w / 2, top), (face, w / 2, h), color),
             slab("drawer", (face, -0.45 * w, h - 0.14), (d / 2, -0.2 * w, h - 0.04), "silver"),
             slab("display", (face, 0.1 * w, h - 0.12), (d / 2, 0.4 * w, h - 0.05), "black")]
    return FurnitureModel(tuple(boxes), (deck, top_deck(size)), (door,), (push_button((face, 0.0, h - 0.085)),))


def television(size: Size, color: str) -> FurnitureModel:
    """A screen at the back of a low bench."""
    d, w, h = size
    bench, back = 0.45, -d / 2 + 0.07
    boxes = (slab("bench", (-d / 2, -w / 2, 0.05), (d / 2, w / 2, bench), color, "wood"),
             slab("plinth", (-d / 2 + 0.03, -w / 2 + 0.03, 0), (d / 2 - 0.03, w / 2 - 0.03, 0.05), "black"),
             slab("foot", (-d / 2 + 0.02, -0.15, bench), (back + 0.035, 0.15, bench + 0.015), "black"),
             slab("neck", (back - 0.04, -0.03, bench), (back - 0.02, 0.03, bench + 0.1), "black"),
             slab("frame", (back - 0.02, -0.47 * w, bench + 0.06), (back + 0.02, 0.47 * w, h), "black"),
             slab("screen", (back + 0.02, -0.455 * w, bench + 0.075), (back + 0.022, 0.455 * w, h - 0.015), "#2a3a55",
                  "metal", lit="#b9d4f2"))
    depth = d / 2 - back - 0.04
    return FurnitureModel(boxes, (Deck("bench", (d / 2 - depth / 2, 0.0), bench, (depth, w), OPEN_ABOVE),))


def screen(size: Size, color: str) -> FurnitureModel:
    """A flat screen on a foot, or on a wall; nothing can be put on it."""
    d, w, h = size
    foot = 0.06 * h
    return FurnitureModel((
        slab("foot", (-d / 2, -0.25 * w, 0), (d / 2, 0.25 * w, min(foot, 0.015)), "black"),
        slab("neck", (-0.015, -0.05 * w, 0), (0.015, 0.05 * w, foot), "black"),
        slab("frame", (-min(d / 2, 0.03), -w / 2, foot), (min(d / 2, 0.03) - 0.002, w / 2, h), "black"),
        slab("screen", (min(d / 2, 0.03) - 0.002, -0.48 * w, foot + 0.03 * h),
             (min(d / 2, 0.03), 0.48 * w, 0.97 * h), "#2a3a55", "metal", lit="#b9d4f2")))


def floor_lamp(size: Size, color: str) -> FurnitureModel:
    """A shade on a pole; nothing can be put on it."""
    d, w, h = size
    diameter = min(d, w)
    return FurnitureModel((rod("foot", (0, 0), 0.75 * diameter, 0.0, 0.025, "black", "metal"),
                           rod("pole", (0, 0), 0.025, 0.025, h - 0.26, "black", "metal"),
                           rod("shade", (0, 0), diameter, h - 0.28, h, color, "fabric", lit="#fff0c0")),
                          switches=(push_button((0.0125, 0.0, min(_AT_HAND, 0.6 * h)), "black"),))


def _cavity(size: Size, bottom: float, top: float, color: str, controls: float) -> tuple[list[SolidBox], Deck, Part]:
    """Walls of a cavity between two heights [m] that leaves `controls` [m] free on its right, its floor, and its door
    with a pane of glass, hinged on the left."""
    d, w, _ = size
    front, y1 = d / 2 - _DOOR - GAP, w / 2 - controls
    walls = shell((-d / 2, -w / 2, bottom), (front, y1, top), _WALL, color, floor=_WALL)
    inner = (d - _DOOR - GAP - _WALL - 0.02, w - controls - 2 * _WALL)
    centre = (front - 0.02 - inner[0] / 2, (y1 - w / 2) / 2)
    deck = Deck("inside", centre, bottom + _WALL, inner, top - bottom - 2 * _WALL, inside=True, part="door")
    door = leaf("door", (front + GAP, -w / 2, bottom + 0.002), (d / 2, y1 - 0.002, top - 0.002), "left", color,
                mass=4.0, catch=1.5, handle_z=(bottom + top) / 2, bar=min(0.3, 0.8 * (top - bottom)))
    pane = slab("door_pane", (d / 2, -w / 2 + 0.06, bottom + 0.05), (d / 2 + 0.002, y1 - 0.1, top - 0.05), "#15181d",
                "metal", lit="#e0953c")
    return walls, deck, replace(door, boxes=(*door.boxes, pane))
