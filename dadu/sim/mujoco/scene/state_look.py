"""What a camera can see of a thing's states: lamps and screens that are on, what stands in a mug, dirt, slices.

A thing's shapes are all there from the start; which of them show, and what they are made of, goes by its states.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dadu.house.catalogue import Affordance
from dadu.house.format import Furniture, Object
from dadu.house.furniture.model import SolidBox
from dadu.house.furniture.pieces import furniture_model
from dadu.house.objects import object_model
from dadu.house.placement import Placement
from dadu.house.shapes.primitive import Primitive
from dadu.house.shapes.shapes import primitives
from dadu.house.states import PREDICATES, State, affordances_of
from dadu.sim.mujoco.scene.slices import slices
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
_THICK = 0.002
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
    height = (level - 0.5) * z + _THICK
    return [Primitive("cylinder", (off, 0, height), (breadth * y, breadth * y, _THICK), color, solid=False)]
