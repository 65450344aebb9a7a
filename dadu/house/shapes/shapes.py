"""How objects are put together from primitives. The frame's origin is the centre of the object's box, z up."""

from __future__ import annotations

import math
from collections.abc import Callable

from dadu.core.errors import ConfigError, choices
from dadu.house.catalogue import Shape, Size
from dadu.house.objects import ObjectModel
from dadu.house.shapes.build import build
from dadu.house.shapes.pieces import shape_pieces
from dadu.house.shapes.primitive import Primitive

WALL = 0.006
"""thickness of a bowl [m]"""
BARREL = 16
"""boxes round a bowl"""
_HOLLOW = "#57504a"
"""the inside of an empty mug, in its own shade"""
_HANDLE = 0.025
"""what a mug's handle sticks out at least [m]"""
FLARE = 0.45
"""lean of a bowl's wall outwards [rad]"""


def primitives(model: ObjectModel) -> list[Primitive]:
    """All solids of an object; the solid ones fill its box. Errors: ConfigError for a shape that does not exist."""
    if model.shape in _SHAPES:
        return _SHAPES[model.shape](model.size, model.color, model.accent)
    pieces = shape_pieces().get(model.shape)
    if pieces is None:
        valid = choices({*(shape.value for shape in Shape), *shape_pieces()}, 200)
        raise ConfigError(f"unknown shape {model.shape!r}; valid: {valid}")
    return build(pieces, model.size, model.color, model.accent)


def _box(size: Size, color: str, accent: str | None) -> list[Primitive]:
    x, y, z = size
    solids = [Primitive("box", (0, 0, 0), size, color)]
    if accent:
        solids.append(Primitive("box", (0, 0, 0.12 * z), (x + 0.001, y + 0.001, 0.35 * z), accent, solid=False))
    return solids


def _cylinder(size: Size, color: str, accent: str | None) -> list[Primitive]:
    x, y, z = size
    solids = [Primitive("cylinder", (0, 0, 0), size, color)]
    if accent:
        solids.append(Primitive("cylinder", (0, 0, z / 2), (0.88 * x, 0.88 * y, 0.0016), accent, solid=False))
    return solids


def _sphere(size: Size, color: str, accent: str | None) -> list[Primitive]:
    solids = [Primitive("sphere", (0, 0, 0), size, color)]
    if accent:
        solids.append(Primitive("cylinder", (0, 0, 0.49 * size[2]), (0.006, 0.006, 0.018), accent, solid=False))
    return solids


def _bottle(size: Size, color: str, accent: str | None) -> list[Primitive]:
    """A body, a shoulder, a neck and a cap."""
    x, y, z = size
    bottom = -z / 2
    stack = ((0.62, 1.0, color), (0.1, 0.72, color), (0.2, 0.42, color), (0.08, 0.48, accent or color))
    solids = []
    for share, width, tone in stack:
        height = share * z
        solids.append(Primitive("cylinder", (0, 0, bottom + height / 2), (width * x, width * y, height), tone))
        bottom += height
    return solids


def _mug(size: Size, color: str, accent: str | None) -> list[Primitive]:
    """A round body flush with +x and a square handle towards -x."""
    x, y, z = size
    y = min(y, x - _HANDLE)
    body, bar = x / 2 - y / 2, 0.012
    start, end = body - y / 2 + 0.002, -x / 2
    solids = [
        Primitive("cylinder", (body, 0, 0), (y, y, z), color),
        Primitive("cylinder", (body, 0, z / 2), (0.86 * y, 0.86 * y, 0.0016), accent or _HOLLOW, solid=False),
        Primitive("box", (end + bar / 2, 0, 0), (bar, bar, 0.6 * z), color),
    ]
    for side in (-1, 1):
        centre = ((start + end + bar) / 2, 0, side * (0.3 * z - bar / 2))
        solids.append(Primitive("box", centre, (start - end - bar, bar, bar), color))
    return solids


def _bowl(size: Size, color: str, accent: str | None) -> list[Primitive]:
    """A round floor and flaring staves; hollow, so that things lie in it and fingers hold its rim."""
    x, _, z = size
    length = (z - WALL * math.sin(FLARE)) / math.cos(FLARE)
    outer = x / 2 - WALL / 2 * math.cos(FLARE)
    rim = outer - length / 2 * math.sin(FLARE)  # radius of the staves' centres
    foot = outer - length * math.sin(FLARE)
    width = 2 * (x / 2) * math.tan(math.pi / BARREL)
    solids = [Primitive("cylinder", (0, 0, (WALL - z) / 2), (2 * foot, 2 * foot, WALL), color)]
    for i in range(BARREL):
        turn = 2 * math.pi * i / BARREL
        centre = (rim * math.cos(turn), rim * math.sin(turn), 0.0)
        solids.append(Primitive("box", centre, (WALL, width, length), color, rotation=(turn, FLARE)))
    return solids


_SHAPES: dict[str, Callable[[Size, str, str | None], list[Primitive]]] = {
    Shape.BOX: _box, Shape.CYLINDER: _cylinder, Shape.SPHERE: _sphere, Shape.BOWL: _bowl, Shape.MUG: _mug,
    Shape.BOTTLE: _bottle,
}
