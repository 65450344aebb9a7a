"""From the pieces of a shape to solids that fill an object's box."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from dadu.core.geometry import Vector3, vector3
from dadu.house.catalogue import Size
from dadu.house.shapes import hulls
from dadu.house.shapes.pieces import Barrel, Crate, Piece
from dadu.house.shapes.primitive import Primitive

_EVEN = 0.02
"""round things stretched by less stay primitives"""


def build(pieces: tuple[Piece, ...], size: Size, body: str, accent: str | None) -> list[Primitive]:
    """Solids in metres about the centre of a box of `size` [m], which what can be touched fills."""
    colors = {"body": body, "accent": accent or body}
    return [replace(solid, color=colors.get(solid.color, solid.color)) for solid in _fitted(pieces, size)]


@lru_cache(maxsize=512)
def _fitted(pieces: tuple[Piece, ...], size: Size) -> tuple[Primitive, ...]:
    """Solids in metres, their colours as the pieces name them."""
    raw = [replace(solid, color=piece.color, solid=not piece.eye, lit=piece.lit)
           for piece in pieces for solid in _mirrored(piece)]
    bounds = [solid.bounds() for solid in raw if solid.solid]
    low, high = np.min([b[0] for b in bounds], axis=0), np.max([b[1] for b in bounds], axis=0)
    scale = np.array(size) / (high - low)
    return tuple(_stretched(solid, scale, (low + high) / 2) for solid in raw)


def _mirrored(piece: Piece) -> Iterator[Primitive]:
    for x in (1, -1) if "x" in piece.mirror else (1,):
        for y in (1, -1) if "y" in piece.mirror else (1,):
            for solid in _solids(piece):
                yield _reflected(solid, x, y)


def _reflected(solid: Primitive, x: int, y: int) -> Primitive:
    """On the other side of a plane. Every form is its own mirror image along its y axis, so only its turn changes."""
    turn, lean = solid.rotation
    turn = turn if y > 0 else -turn
    if x < 0:
        turn = math.pi - turn
    a, b, c = solid.centre
    return replace(solid, centre=(x * a, y * b, c), rotation=(turn, lean))


def _solids(piece: Piece) -> Iterator[Primitive]:
    """A piece's solids in its own units, before mirroring."""
    turn, lean = math.radians(piece.turn), math.radians(piece.lean)
    pose = Primitive("box", piece.at, (1.0, 1.0, 1.0), "", rotation=(turn, lean))
    form, value = piece.form, getattr(piece, piece.form)
    if form in ("box", "ellipsoid"):
        yield replace(pose, kind=form, size=value)
    elif form == "sphere":
        yield replace(pose, kind="sphere", size=(value,) * 3)
    elif form == "cylinder":
        yield replace(pose, kind="cylinder", size=(value[0], value[0], value[1]))
    elif form == "rounded":
        yield _hull(pose, hulls.rounded(value, piece.round))
    elif form == "wedge":
        yield _hull(pose, hulls.wedge(value))
    elif form == "hexagon":
        yield _hull(pose, hulls.frustum(value[0], value[0], value[1], sides=6))
    elif form == "lathe":
        for (lower, bottom), (upper, top) in pairwise(value):
            yield _hull(pose, hulls.frustum(lower, upper, top - bottom), (0.0, 0.0, (bottom + top) / 2))
    elif form == "staves":
        yield from _barrel(pose, value)
    else:
        yield from _crate(pose, value)


def _hull(pose: Primitive, points: np.ndarray, offset: Vector3 = (0.0, 0.0, 0.0)) -> Primitive:
    size = points.max(axis=0) - points.min(axis=0)
    return replace(pose, kind="hull", centre=_moved(pose, offset), size=vector3(size), points=_vectors(points))


def _moved(pose: Primitive, offset: Vector3) -> Vector3:
    return vector3(np.array(pose.centre) + pose.axes @ np.array(offset, float))


def _barrel(pose: Primitive, form: Barrel) -> Iterator[Primitive]:
    """Boards round a floor, leaning outwards by the flare."""
    flare, wall = math.radians(form.flare), form.wall
    length = (form.height - wall * math.sin(flare)) / math.cos(flare)
    outer = form.diameter / 2 - wall / 2 * math.cos(flare)
    middle, foot = outer - length / 2 * math.sin(flare), outer - length * math.sin(flare)
    width = form.diameter * math.tan(math.pi / form.boards)
    if form.floor:
        yield replace(pose, kind="cylinder", centre=_moved(pose, (0, 0, wall / 2)), size=(2 * foot, 2 * foot, wall))
    for i in range(form.boards):
        turn = 2 * math.pi * i / form.boards
        centre = _moved(pose, (middle * math.cos(turn), middle * math.sin(turn), form.height / 2))
        yield replace(pose, centre=centre, size=(wall, width, length), rotation=(pose.rotation[0] + turn, flare))


def _crate(pose: Primitive, form: Crate) -> Iterator[Primitive]:
    """A floor and four walls."""
    (x, y, z), t = form.size, form.wall
    yield replace(pose, centre=_moved(pose, (0, 0, t / 2)), size=(x, y, t))
    for side in (-1, 1):
        yield replace(pose, centre=_moved(pose, (side * (x - t) / 2, 0, z / 2)), size=(t, y, z))
        yield replace(pose, centre=_moved(pose, (0, side * (y - t) / 2, z / 2)), size=(x - 2 * t, t, z))


def _stretched(solid: Primitive, scale: np.ndarray, origin: np.ndarray) -> Primitive:
    """Moved and scaled from a shape's frame into the object's; each of its axes by how much its direction stretches."""
    own = np.linalg.norm(scale[:, None] * solid.axes, axis=0)
    size = vector3(np.array(solid.size) * own)
    centre = vector3((np.array(solid.centre) - origin) * scale)
    uneven = abs(own[0] - own[1]) > _EVEN * own[0]
    if solid.kind == "hull":
        return replace(solid, centre=centre, size=size, points=_vectors(np.array(solid.points) * own))
    if solid.kind == "cylinder" and uneven:
        unit = hulls.frustum(1.0, 1.0, 1.0) * size
        return _hull(replace(solid, centre=centre), unit)
    if solid.kind == "sphere" and (uneven or abs(own[2] - own[0]) > _EVEN * own[0]):
        return replace(solid, kind="ellipsoid", centre=centre, size=size)
    return replace(solid, centre=centre, size=size)


def _vectors(points: np.ndarray) -> tuple[Vector3, ...]:
    return tuple(map(vector3, points))
