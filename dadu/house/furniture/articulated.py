"""Builders of furniture with doors and drawers. `size` is depth, width, height [m], handles come on top of the depth.

Clearances, masses and seals are those for which contact grasping was tried: bars stand 40 mm off the face.
"""

from __future__ import annotations

from collections.abc import Sequence

from dadu.core.geometry import Vector2, Vector3, vector3
from dadu.house.catalogue import Size
from dadu.house.furniture.arranging import moved
from dadu.house.furniture.boxes import slab, top_deck
from dadu.house.furniture.model import Deck, FurnitureModel, Part, SolidBox

BAR = 0.02
"""thickness of a handle's bar [m]"""
BAR_CLEARANCE = 0.04
"""between bar and face [m]"""
GAP = 0.004
"""between a closed part and the body [m]"""
_LEAST_CLEARANCE = 0.14
"""above a shelf; in furniture too low for it the shelf is left out [m]"""
_FRIDGE_FLOOR = 0.1
"""thickness of what carries a fridge [m]"""
_ONE_LEAF = 0.85
"""no arm leads a wider door round [m]"""
REACHABLE_TOP = 1.1
"""things may stand on top of furniture up to this height [m]"""


def fridge(size: Size, color: str, hinge: str = "right", shelves: Sequence[float] = (0.55, 0.9), door_mass: float = 8.0,
           seal: float = 6.0, heights: Sequence[float] = ()) -> FurnitureModel:
    """A cold box with glass shelves at the given heights [m], those of its kind or its own, behind one sealed door
    (`door_mass` [kg], `seal` [Nm]); a wide one has two, side by side, ``left_door`` and ``right_door``."""
    d, w, h = size
    if w > _ONE_LEAF:
        halves = [moved(fridge((d, w / 2, h), color, side, shelves, door_mass / 2, seal, heights), (0.0, y, 0.0), 0,
                        f"{side}_") for side, y in (("left", -w / 4), ("right", w / 4))]
        return FurnitureModel(*(a + b for a, b in zip(*((m.boxes, m.decks, m.parts) for m in halves), strict=True)))
    shelves = [z for z in heights if z > _FRIDGE_FLOOR] or shelves
    door, wall = 0.05, 0.04
    front = d / 2 - door - GAP
    body = shell((-d / 2, -w / 2, 0.0), (front, w / 2, h), wall, color, floor=_FRIDGE_FLOOR)
    inner = (d - door - GAP - wall - 0.03, w - 2 * wall)
    centre = (front - 0.03 - inner[0] / 2, 0.0)
    boards, decks = _shelves(shelves, h - wall, centre, inner, "white", "door")
    door_leaf = leaf("door", (front + GAP, -w / 2, 0.06), (d / 2, w / 2, h), hinge, color, mass=door_mass, catch=seal,
                     handle_z=min(0.95, h - 0.35), bar=min(0.42, 0.3 * h))
    return FurnitureModel((*body, *boards), tuple(decks), (door_leaf,))


def cupboard(size: Size, color: str, doors: int, shelves: Sequence[float], heights: Sequence[float] = ()
             ) -> FurnitureModel:
    """One or two leaves (``door``, or ``left_door`` and ``right_door`` as seen from the front), each with a compartment
    of its own and shelves at the given heights [m]. With `heights` things stand on top, however high that is."""
    d, w, h = size
    wall, thickness = 0.02, 0.02
    front = d / 2 - thickness - GAP
    boxes, decks, parts = [], [], []
    width = w / doors
    # Seen from the front the furniture's +y is on the right hand.
    for i, name in enumerate(("door",) if doors == 1 else ("left_door", "right_door")):
        y = -w / 2 + i * width
        prefix = "" if doors == 1 else name.removesuffix("door")
        boxes += shell((-d / 2, y, 0.0), (front, y + width, h), wall, color, floor=0.08, prefix=prefix)
        inner = (front + d / 2 - wall - 0.01, width - 2 * wall)
        centre = (front - 0.01 - inner[0] / 2, y + width / 2)
        boards, behind = _shelves(shelves, h - wall, centre, inner, color, name, prefix)
        boxes += boards
        decks += behind
        hinge = "left" if i == 0 else "right"
        parts.append(leaf(name, (front + GAP, y + 0.002, 0.06), (d / 2, y + width - 0.002, h - 0.004), hinge, color,
                          mass=8.0 * width * h, catch=1.0, handle_z=min(0.95, 0.68 * h), bar=0.25, finish="wood"))
    if h <= REACHABLE_TOP or heights:
        decks.append(top_deck(size))
    return FurnitureModel(tuple(boxes), tuple(decks), tuple(parts))


def drawers(size: Size, color: str, drawers: Sequence[str], drawer_height: float, heights: Sequence[float] = ()
            ) -> FurnitureModel:
    """Drawers stacked from the top downwards; what is left below them is a fixed panel. With `heights` things stand on
    top, however high that is."""
    d, w, h = size
    wall = 0.02
    body = shell((-d / 2, -w / 2, 0.0), (d / 2 - 0.02 - GAP, w / 2, h), wall, color, floor=0.06)
    # The top reaches over the drawers' fronts: without the lip one looks into a closed drawer from above.
    lip = slab("lip", (d / 2 - 0.02 - GAP, -w / 2, h - wall), (d / 2, w / 2, h), color)
    boxes, decks, parts = [*body, lip], [], []
    top, drawer_height = h - wall, min(drawer_height, (h - wall - 0.06) / len(drawers))
    for name in drawers:
        bottom = top - drawer_height
        part, deck = _drawer(name, (-d / 2 + wall, -w / 2 + wall, bottom), (d / 2, w / 2 - wall, top), wall, color)
        parts.append(part)
        decks.append(deck)
        top = bottom
    if top > 0.12:
        boxes.append(slab("panel", (d / 2 - 0.02 - GAP, -w / 2, 0.06), (d / 2, w / 2, top - GAP), color))
    if h <= REACHABLE_TOP or heights:
        decks.append(top_deck((d, w, h)))
    return FurnitureModel(tuple(boxes), tuple(decks), tuple(parts))


def shell(low: Vector3, high: Vector3, wall: float, color: str, floor: float, prefix: str = "") -> list[SolidBox]:
    """A box open to the front: sides, back, top and a floor of thickness `floor` [m]."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    return [
        slab(f"{prefix}side_0", (x0, y0, z0), (x1, y0 + wall, z1), color),
        slab(f"{prefix}side_1", (x0, y1 - wall, z0), (x1, y1, z1), color),
        slab(f"{prefix}back", (x0, y0 + wall, z0), (x0 + wall, y1 - wall, z1), color),
        slab(f"{prefix}top", (x0 + wall, y0 + wall, z1 - wall), (x1, y1 - wall, z1), color),
        slab(f"{prefix}floor", (x0 + wall, y0 + wall, z0), (x1, y1 - wall, z0 + floor), color),
    ]


def _shelves(heights: Sequence[float], ceiling: float, centre: Vector2, inner: Vector2, color: str, part: str,
             prefix: str = "") -> tuple[list[SolidBox], list[Deck]]:
    """Boards whose upper faces lie at `heights`, and the decks on them."""
    boards, decks = [], []
    heights = [z for z in heights if z < ceiling - _LEAST_CLEARANCE] or [0.5 * ceiling]
    for i, z in enumerate(heights, start=1):
        name = f"{prefix}shelf_{i}"
        above = heights[i] - 0.015 if i < len(heights) else ceiling
        boards.append(SolidBox(name, (*centre, z - 0.0075), (*inner, 0.015), color))
        decks.append(Deck(name, centre, z, inner, above - z, inside=True, part=part))
    return boards, decks


def leaf(name: str, low: Vector3, high: Vector3, hinge: str, color: str, mass: float, catch: float, handle_z: float,
         bar: float, finish: str = "paint") -> Part:
    """A door between two corners [m], hinged on its ``left`` or ``right`` edge as seen from the front, held shut with
    `catch` [Nm]."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    side = 1.0 if hinge == "right" else -1.0  # of the hinge, along y
    edge, free = (y1, y0) if side > 0 else (y0, y1)
    handle = (x1 + BAR_CLEARANCE + BAR / 2, free + side * 0.05, handle_z)
    boxes = (slab(f"{name}_panel", low, high, color, finish), *_bar(name, handle, (BAR, BAR, bar), axis=2))
    strip = 0.75 * GAP
    seal = SolidBox(f"{name}_seal", (x0 - strip / 2, free + side * 0.01, (z0 + z1) / 2),
                    (strip, 0.016, 0.5 * (z1 - z0)),
                    "grey")
    return Part(name, "hinge", (x0, edge, 0.0), (0.0, 0.0, side), 1.7, boxes, handle, (0.0, 0.0, 1.0), mass,
                friction=0.2, damping=0.6, seal=seal, seal_force=catch / (y1 - y0 - 0.01))


def _drawer(name: str, low: Vector3, high: Vector3, wall: float, color: str) -> tuple[Part, Deck]:
    """A drawer whose tray fits between two corners [m]; its front overlaps the body's sides by `wall`."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    face, t, side = x1 - 0.02, 0.012, 0.55 * (z1 - z0)
    y0, y1, z0 = y0 + GAP, y1 - GAP, z0 + GAP
    handle = (x1 + BAR_CLEARANCE + BAR / 2, (y0 + y1) / 2, (z0 + z1) / 2)
    length = min(0.2, 0.5 * (y1 - y0))
    boxes = (
        slab(f"{name}_front", (face, y0 - wall, z0), (x1, y1 + wall, z1 - GAP), color),
        slab(f"{name}_floor", (x0, y0, z0), (face, y1, z0 + t), "oak", "wood"),
        slab(f"{name}_back", (x0, y0, z0 + t), (x0 + t, y1, z0 + side), "oak", "wood"),
        slab(f"{name}_side_0", (x0 + t, y0, z0 + t), (face, y0 + t, z0 + side), "oak", "wood"),
        slab(f"{name}_side_1", (x0 + t, y1 - t, z0 + t), (face, y1, z0 + side), "oak", "wood"),
        *_bar(name, handle, (BAR, length, BAR), axis=1),
    )
    part = Part(name, "slide", (face, (y0 + y1) / 2, (z0 + z1) / 2), (1.0, 0.0, 0.0), min(0.4, x1 - x0 - 0.06), boxes,
                handle, (0.0, 1.0, 0.0), mass=2.0, friction=1.5, damping=6.0)
    deck = Deck(name, ((x0 + t + face) / 2, (y0 + y1) / 2), z0 + t, (face - x0 - t, y1 - y0 - 2 * t),
                z1 - z0 - t - 0.01, inside=True, part=name)
    return part, deck


def _bar(name: str, centre: Vector3, size: Vector3, axis: int) -> list[SolidBox]:
    """A bar and the two posts that hold it off the face."""
    boxes = [SolidBox(f"{name}_handle", centre, size, "steel", "metal")]
    for i, end in enumerate((-1, 1)):
        post = list(centre)
        post[0] -= (BAR + BAR_CLEARANCE) / 2
        post[axis] += end * (size[axis] - BAR) / 2
        boxes.append(SolidBox(f"{name}_post_{i}", vector3(post), (BAR_CLEARANCE, BAR, BAR), "steel", "metal"))
    return boxes
