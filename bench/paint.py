"""What another renderer is told of a MuJoCo model's colours: the things' own, and others for walls and floors."""

from __future__ import annotations

import mujoco
import numpy as np

GAMMA = 2.2
"""of the model's colours, which are for the eye; light adds up in straight ones"""
_OF_MATERIAL = (0.5, 0.5, 0.5, 1.0)
"""a shape of this colour has that of its material"""


def drawn(model: mujoco.MjModel) -> list[int]:
    """Shapes that pictures show."""
    return [i for i in range(model.ngeom) if model.geom_group[i] <= 2]


def colors(model: mujoco.MjModel, rgba: np.ndarray, materials: np.ndarray) -> np.ndarray:
    """(ngeom, 4), of shapes with `rgba` (ngeom, 4) and `materials` int (ngeom,), -1: none."""
    of_material = (materials >= 0) & np.isclose(rgba, _OF_MATERIAL).all(axis=1)
    return np.where(of_material[:, None], model.mat_rgba[materials], rgba)


def repaint(rng: np.random.Generator, model: mujoco.MjModel, owner: np.ndarray, rgba: np.ndarray) -> None:
    """Other colours, in `rgba` (ngeom, 4), for what nobody owns, `owner` int (ngeom,) 0: each room's walls and floors
    alike, walls pale, floors any."""
    rooms: dict[str, np.ndarray] = {}
    for i in (i for i in drawn(model) if owner[i] == 0):
        name = model.geom(i).name
        color = rng.uniform(0.0, 1.0, 3)
        paint = 0.15 + 0.6 * color if "floor" in name else 0.65 + 0.3 * color
        rgba[i, :3] = rooms.setdefault(name.partition("_")[0], paint)
