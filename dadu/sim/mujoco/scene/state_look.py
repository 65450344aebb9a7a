"""What a camera can see of a thing's states: lamps and screens that are on, what stands in a mug, dirt.

As at the start of the house file: physics changes none of them.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dadu.house.format import Furniture, Object
from dadu.house.furniture.pieces import furniture_model
from dadu.house.objects import object_model
from dadu.house.placement import Placement
from dadu.house.shapes.primitive import Primitive
from dadu.house.shapes.shapes import primitives
from dadu.house.states import PREDICATES, State, affordances_of, start_states
from dadu.sim.mujoco.scene.textures import GLOWING, STAINED

_BRIM: Mapping[str, tuple[float, float]] = {
    "mug": (0.9, 1.0), "cup": (0.9, 1.0), "wine_glass": (0.84, 1.0), "bowl": (0.86, 0.72), "pot": (0.96, 0.72),
}
"""of shapes that can be looked into: how wide their content is, as a share of their breadth, and how high it stands, as
a share of their height"""
_CONTENTS = ("#4b2f1d", "#8c4a1c", "#f3eee0", "#9cc3d4", "#e2a32c", "#b5452c", "#d9c58b")
"""coffee, tea, milk, water, juice, soup, porridge"""
_THICK = 0.002
"""[m]"""


@dataclass(frozen=True)
class StateLook:
    """How one thing's surfaces look as they are."""

    states: Mapping[str, bool]
    """by predicate"""

    @classmethod
    def of(cls, category: str, given: Mapping[State, bool]) -> StateLook:
        """At the start, with what a house file says."""
        return cls(start_states(category, given))

    def surface(self, color: str, finish: str, lit: str) -> tuple[str, str]:
        """Colour and finish of a surface that would be of `color` and `finish`, and shines in `lit` when on."""
        if lit and self.states.get(PREDICATES[State.POWERED]):
            return lit, GLOWING
        return color, STAINED if self.states.get(PREDICATES[State.CLEAN]) is False else finish

    def content(self, placement: Placement) -> Sequence[Primitive]:
        """What a thing that can be looked into is filled with: always the same for the same name."""
        shape, name = placement.model.shape, placement.thing.name
        if shape not in _BRIM or not self.states.get(PREDICATES[State.FILLED]):
            return ()
        (x, y, z), (breadth, level) = placement.model.size, _BRIM[shape]
        off = (x - y) / 2 if shape == "mug" else 0.0  # its handle is on one side
        color = _CONTENTS[zlib.crc32(name.encode()) % len(_CONTENTS)]
        height = (level - 0.5) * z + _THICK
        return [Primitive("cylinder", (off, 0, height), (breadth * y, breadth * y, _THICK), color, solid=False)]


def shown_states(item: Furniture | Object) -> frozenset[str]:
    """Predicates that can be seen of a thing, whichever way they are."""
    can, shown = affordances_of(item.category), set()
    if isinstance(item, Furniture):
        model = furniture_model(item)
        lit = any(box.lit for box in (*model.boxes, *(box for part in model.parts for box in part.boxes)))
    else:
        look = object_model(item)
        lit = any(solid.lit for solid in primitives(look))
        if look.shape in _BRIM and "fill" in can:
            shown.add(PREDICATES[State.FILLED])
    if lit and "power_on" in can:
        shown.add(PREDICATES[State.POWERED])
    if "clean" in can:
        shown.add(PREDICATES[State.CLEAN])
    return frozenset(shown)
