"""Things look as they are: whenever a state changes, so do the surfaces and shapes that show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import mujoco
import numpy as np

from dadu.house.format import House
from dadu.house.placement import Placement
from dadu.sim.mujoco.scene.looks import material_name
from dadu.sim.mujoco.scene.state_look import ShapeLook, furniture_looks, object_looks, shown_states

NOT_DRAWN = 5
"""a group of geoms that MuJoCo leaves out of pictures"""
States = Mapping[str, bool]
"""by predicate"""


def looks(model: mujoco.MjModel) -> tuple[np.ndarray, ...]:
    """All that shows of a model, beside where things are, and may change while it runs; views of it, of any shape
    (...), unitless or [m]."""
    headlight = model.vis.headlight
    return (model.geom_rgba, model.geom_matid, model.light_active, model.light_diffuse, model.light_specular,
            model.light_pos, model.light_dir, headlight.ambient, headlight.diffuse)


class Appearance:
    """Of the things of one model."""

    def __init__(self, model: mujoco.MjModel, house: House, placements: Mapping[str, Placement]) -> None:
        self._model = model
        looks: dict[str, Callable[[States], Iterable[ShapeLook]]] = {
            piece.name: partial(furniture_looks, piece) for piece in house.furniture if shown_states(piece)}
        looks |= {name: partial(object_looks, placement) for name, placement in placements.items()
                  if shown_states(placement.thing)}
        self._looks = looks
        self._told: dict[str, States] = {}

    def update(self, states: Mapping[str, States]) -> None:
        """`states`: of things and furniture, by name. Only what has changed is looked at."""
        for name, looks in self._looks.items():
            if self._told.get(name) != states[name]:
                self._told[name] = dict(states[name])
                for look in looks(states[name]):
                    model, geom = self._model, self._model.geom(look.shape).id
                    model.geom_matid[geom] = model.mat(material_name(*look.surface)).id
                    model.geom_rgba[geom, 3] = float(look.shown)

    def forget(self) -> None:
        """Somebody else has changed colours and materials: the next `update` is of everything."""
        self._told.clear()
