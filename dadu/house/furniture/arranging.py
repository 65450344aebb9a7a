"""Models moved, turned and joined: furniture that stands on other furniture, and footprints that are no rectangle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dadu.core.geometry import Vector3
from dadu.house.catalogue import Size
from dadu.house.format import Notch
from dadu.house.furniture.model import Deck, FurnitureModel, Part, SolidBox


def moved(model: FurnitureModel, shift: Vector3, quarter: int = 0, prefix: str = "") -> FurnitureModel:
    """Turned to the left by `quarter` right angles about its origin, then shifted [m]; names get the prefix."""

    def turned(v: Vector3) -> Vector3:
        x, y, z = v
        for _ in range(quarter % 4):
            x, y = -y, x
        return x, y, z

    def point(v: Vector3) -> Vector3:
        x, y, z = turned(v)
        return x + shift[0], y + shift[1], z + shift[2]

    def box(b: SolidBox) -> SolidBox:
        d, w, h = b.size
        return replace(b, name=prefix + b.name, centre=point(b.centre), size=(w, d, h) if quarter % 2 else b.size)

    def deck(d: Deck) -> Deck:
        x, y, z = point((*d.centre, d.height))
        return replace(d, name=prefix + d.name, centre=(x, y), height=z, size=d.size[::-1] if quarter % 2 else d.size,
                       part=prefix + d.part if d.part else "")

    def part(p: Part) -> Part:
        return replace(p, name=prefix + p.name, origin=point(p.origin), axis=turned(p.axis), handle=point(p.handle),
                       handle_axis=turned(p.handle_axis), boxes=tuple(map(box, p.boxes)),
                       seal=None if p.seal is None else box(p.seal))

    return FurnitureModel(tuple(map(box, model.boxes)), tuple(map(deck, model.decks)), tuple(map(part, model.parts)),
                          tuple(map(part, model.switches)))


def notched(build: Callable[[Size], FurnitureModel], size: Size, notch: Notch) -> FurnitureModel:
    """A run along the back, as wide as the whole, and one in front of it on each side that the notch leaves, facing
    the notch. `build` makes a piece of a size (depth, width, height [m])."""
    d, w, h = size
    models = [moved(build((d - notch.depth, w, h)), (-notch.depth / 2, 0.0, 0.0))]
    sides = {"right": (1,), "left": (-1,), "middle": (1, -1)}[notch.side]
    run = (w - notch.width) / len(sides)
    for side in sides:  # the wing on the left of a notch on the right faces +y
        wing = moved(build((run, notch.depth, h)), (d / 2 - notch.depth / 2, -side * (w - run) / 2, 0.0), side,
                     "left_" if side > 0 else "right_")
        models.append(wing)
    return FurnitureModel(*(tuple(item for model in models for item in getattr(model, kind))
                            for kind in ("boxes", "decks", "parts", "switches")))
