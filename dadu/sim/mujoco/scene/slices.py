"""What is cut into slices: they lie fanned out where the whole thing was, their cut faces up."""

from __future__ import annotations

import math
import zlib
from dataclasses import replace

import numpy as np

from dadu.core.geometry import Vector3, vector3
from dadu.house.colors import rgba
from dadu.house.placement import Placement
from dadu.house.shapes.primitive import Primitive

_ROUND, _SQUARE = 2.0, 6.0
"""exponents of the outline, a superellipse"""
_SQUARE_SHAPES = ("box", "bread", "cake", "sandwich", "wedge")
_CORNERS = 14
"""of an outline"""
_FLESH = {
    "apple": "#f3ead0", "tomato": "#e8705a", "orange": "#f4a64a", "lemon": "#f6e79a", "lime": "#cfe08a",
    "kiwi": "#9cc04a", "avocado": "#cbd17a", "mango": "#f2b53c", "peach": "#f6cf8a", "plum": "#d88a5a",
    "strawberry": "#ee8f86", "carrot": "#f2a05a", "cucumber": "#d5e6b0", "eggplant": "#e9e2c8", "pineapple": "#f0d568",
    "cake": "#f2deb0",
}
"""colour of cut faces, by category; of others a pale shade of their own"""
_PALE = 0.6
"""share of cream in that"""
_THICK, _STOUT = 0.16, 0.3
"""thickness of a slice, as a share of the length that is cut, and at most, as a share of its height"""
_RIM, _PROUD = 0.9, 0.0006
"""of the cut face: its breadth as a share of the slice's, and how far it stands out [m]"""


def slices(placement: Placement) -> list[Primitive]:
    """Solids for the eye alone, in the object's frame: skin and cut faces. Always the same for the same name."""
    model, seed = placement.model, zlib.crc32(placement.thing.name.encode())
    count, lean = 4 + seed % 3, math.radians(60 + seed // 3 % 16)
    length, breadth, height = model.size
    high = min(height, length) if height > 1.3 * length else height  # what is tall is cut across and lies
    exponent = _SQUARE if model.shape in _SQUARE_SHAPES else _ROUND
    thick, reach = min(_THICK * length, _STOUT * high), length / 2 - high * math.sin(lean) / 4
    low = (high * math.cos(lean) + thick * math.sin(lean)) / 2 - height / 2
    flesh = _FLESH.get(placement.thing.category) or _pale(model.color)
    out = []
    for i, x in enumerate(np.linspace(-reach, reach, count)):
        small = 1 - 0.35 * (2 * i / (count - 1) - 1) ** 2 if exponent == _ROUND else 1.0
        centre = (float(x), 0.0, low - (1 - small) * high * math.cos(lean) / 2)
        skin = _disc(centre, (thick, small * breadth, small * high), exponent, lean, model.color)
        face = (thick + 2 * _PROUD, _RIM * small * breadth, _RIM * small * high)
        out += [skin, _disc(centre, face, exponent, lean, flesh)]
    return out


def _disc(centre: Vector3, size: Vector3, exponent: float, lean: float, color: str) -> Primitive:
    """A prism of extents `size` [m] along its own axes; its outline is across x."""
    angles = 2 * np.pi * np.arange(_CORNERS) / _CORNERS
    outline = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outline = np.sign(outline) * np.abs(outline) ** (2 / exponent) * np.array(size[1:]) / 2
    points = np.concatenate([np.insert(outline, 0, side * size[0] / 2, axis=1) for side in (-1, 1)])
    plain = Primitive("hull", centre, size, color, solid=False, rotation=(0.0, lean))
    return replace(plain, points=tuple(vector3(point) for point in points))


def _pale(color: str) -> str:
    shade = (1 - _PALE) * np.array(rgba(color)[:3]) + _PALE * np.array(rgba("#f6ecd2")[:3])
    return "#" + "".join(f"{round(255 * c):02x}" for c in shade)
