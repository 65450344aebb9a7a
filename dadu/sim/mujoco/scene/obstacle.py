"""A box that can be put in the way, as a person standing there would be; parked under the floor until then."""

from __future__ import annotations

import mujoco
import numpy as np

OBSTACLE = "obstacle"
SIZE = (0.4, 0.4, 1.2)
"""[m]"""
_PARKED = (0.0, 0.0, -10.0)


def add_obstacle(spec: mujoco.MjSpec) -> None:
    """A body that moves only when told to."""
    body = spec.worldbody.add_body(name=OBSTACLE, mocap=True, pos=_PARKED)
    body.add_geom(name=OBSTACLE, type=mujoco.mjtGeom.mjGEOM_BOX, size=np.array(SIZE) / 2, rgba=(0.75, 0.2, 0.2, 1))


def move_obstacle(model: mujoco.MjModel, data: mujoco.MjData, at: tuple[float, float] | None) -> None:
    """Stands it on the floor at x, y of map [m]; None takes it away."""
    i = model.body(OBSTACLE).mocapid[0]
    data.mocap_pos[i] = _PARKED if at is None else (*at, SIZE[2] / 2)
