"""What a camera can see of a thing's states: lamps and screens that are on, what stands in a mug, dirt, slices.

A thing's shapes are all there from the start; which of them show, and what they are made of, goes by its states.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dadu.core.geometry import Vector3, vector3
from dadu.house.catalogue import Affordance
from dadu.house.colors import rgba
from dadu.house.format import Furniture, Object
from dadu.house.furniture.model import SolidBox
from dadu.house.furniture.pieces import furniture_model
from dadu.house.objects import object_model
from dadu.house.placement import Placement
from dadu.house.shapes.primitive import Primitive
from dadu.house.shapes.shapes import primitives
from dadu.house.states import PREDICATES, State, affordances_of
from dadu.sim.mujoco.scene.textures import GLOWING, STAINED

Surface = tuple[str, str]
"""colour and finish"""

_BRIM: Mapping[str, tuple[float, float]] = {
    "mug": (0.9, 1.0), "cup": (0.9, 1.0), "wine_glass": (0.84, 1.0), "bowl": (0.86, 0.72), "pot": (0.96, 0.72),
}
"""of shapes that can be looked into: how wide their content is, as a share of their breadth, and how high it stands, as
a share of their height"""
_CONTENTS = ("#9a673f", "#f3eee0", "#e2a32c", "#b5452c", "#8fa64a", "#a33a5c", "#d9c58b")
"""white coffee, milk, juice, tomato soup, pea soup, beetroot soup, porridge: black coffee is as dark as an empty mug"""
_SHELL = 0.002
"""[m]"""


@dataclass(frozen=True)
class ShapeLook:
    """One shape of a thing as it is."""

    shape: str
    """its name in the model"""
    surface: Surface
    shown: bool = True


@dataclass(frozen=True)
class ObjectShape:
    """One solid of an object, and when it shows."""

    name: str
    """in the model"""
    solid: Primitive
    when: tuple[State, bool] | None = None
    """the state, and which way; None: always"""


def object_shapes(placement: Placement) -> list[ObjectShape]:
    """All that an object may show: itself, what it is filled with, its slices."""
    name, can = placement.thing.name, affordances_of(placement.thing.category)
    cut = Affordance.SLICE.value in can
    whole = [ObjectShape(f"{name}/{i}", solid, (State.SLICED, False) if cut else None)
             for i, solid in enumerate(primitives(placement.model))]
    content = [ObjectShape(f"{name}/content", solid, (State.FILLED, True)) for solid in _content(placement, can)]
    pieces = slices(placement) if cut else []
    return whole + content + [ObjectShape(f"{name}/slice_{i}", solid, (State.SLICED, True))
                              for i, solid in enumerate(pieces)]


def furniture_boxes(piece: Furniture) -> Iterator[tuple[str, SolidBox]]:
    """All boxes of a piece and its parts, with their names in the model."""
    model = furniture_model(piece)
    for box in (*model.boxes, *(box for part in model.moving for box in part.boxes)):
        yield f"{piece.name}/{box.name}", box


def object_looks(placement: Placement, states: Mapping[str, bool]) -> Iterator[ShapeLook]:
    """Of an object in these states, by predicate."""
    for shape in object_shapes(placement):
        shown = shape.when is None or states.get(PREDICATES[shape.when[0]], False) is shape.when[1]
        surfaces = Surfaces.from_item(placement.thing, shape.solid.color, "paint", shape.solid.lit)
        yield ShapeLook(shape.name, surfaces.now(states), shown)


def furniture_looks(piece: Furniture, states: Mapping[str, bool]) -> Iterator[ShapeLook]:
    """Of a piece in these states, by predicate."""
    for name, box in furniture_boxes(piece):
        yield ShapeLook(name, Surfaces.from_item(piece, box.color, box.finish, box.lit).now(states))


@dataclass(frozen=True)
class Surfaces:
    """All that one shape may come to have."""

    plain: Surface
    lit: Surface | None
    dirty: Surface | None

    @classmethod
    def from_item(cls, item: Furniture | Object, color: str, finish: str, lit: str) -> Surfaces:
        """Of a shape that would be of `color` and `finish`, and shines in `lit` when on."""
        stain = STAINED[zlib.crc32(item.name.encode()) % len(STAINED)]
        cleanable = Affordance.CLEAN.value in affordances_of(item.category)
        return cls((color, finish), (lit, GLOWING) if lit else None, (color, stain) if cleanable else None)

    @property
    def all(self) -> list[Surface]:
        return [surface for surface in (self.plain, self.lit, self.dirty) if surface is not None]

    def now(self, states: Mapping[str, bool]) -> Surface:
        """In these states, by predicate."""
        if self.lit is not None and states.get(PREDICATES[State.POWERED]):
            return self.lit
        dirty = states.get(PREDICATES[State.CLEAN]) is False
        return self.dirty if self.dirty is not None and dirty else self.plain


def shown_states(item: Furniture | Object) -> frozenset[str]:
    """Predicates that can be seen of a thing, whichever way they are."""
    can, shown = affordances_of(item.category), set()
    if isinstance(item, Furniture):
        lit = any(box.lit for _, box in furniture_boxes(item))
    else:
        look = object_model(item)
        lit = any(solid.lit for solid in primitives(look))
        if look.shape in _BRIM and Affordance.FILL.value in can:
            shown.add(PREDICATES[State.FILLED])
    if lit and Affordance.POWER_ON.value in can:
        shown.add(PREDICATES[State.POWERED])
    if Affordance.CLEAN.value in can:
        shown.add(PREDICATES[State.CLEAN])
    if Affordance.SLICE.value in can:
        shown.add(PREDICATES[State.SLICED])
    return frozenset(shown)


def _content(placement: Placement, can: frozenset[str]) -> Sequence[Primitive]:
    """What a thing that can be looked into may be filled with: always the same for the same name."""
    shape, name = placement.model.shape, placement.thing.name
    if shape not in _BRIM or not can & {Affordance.FILL.value, Affordance.POUR.value}:
        return ()
    (x, y, z), (breadth, level) = placement.model.size, _BRIM[shape]
    off = (x - y) / 2 if shape == "mug" else 0.0  # its handle is on one side
    color = _CONTENTS[zlib.crc32(name.encode()) % len(_CONTENTS)]
    height = (level - 0.5) * z + _SHELL
    return [Primitive("cylinder", (off, 0, height), (breadth * y, breadth * y, _SHELL), color, solid=False)]


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
