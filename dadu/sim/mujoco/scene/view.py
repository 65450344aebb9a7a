"""A rendered picture of a house from above, with its walls cut down."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from dadu.house.format import House
from dadu.sim.mujoco.offscreen import Offscreen
from dadu.sim.mujoco.scene.house_mjcf import build_spec

WALL_HEIGHT = 1.0
"""[m]"""


def view_from_above(house: House, width: int = 1280, height: int = 960, elevation: float = 62.0) -> np.ndarray:
    """uint8 (height, width, 3): the whole house seen from the south, `elevation` [deg] above the horizon; with the
    shadows and smooth edges that the robot's own camera does without."""
    spec = build_spec(house, wall_height=WALL_HEIGHT)
    spec.visual.quality.offsamples = 8
    spec.visual.quality.shadowsize = 4096
    spec.visual.map.shadowclip = 1.5
    spec.visual.global_.offwidth, spec.visual.global_.offheight = width, height
    spec.lights[0].castshadow = True
    corners = np.concatenate([room.floor for room in house.rooms])
    low, high = corners.min(axis=0), corners.max(axis=0)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    camera = mujoco.MjvCamera()
    camera.lookat[:] = (*(low + high) / 2, 0.0)
    camera.azimuth, camera.elevation = 90.0, -elevation
    half = math.tan(math.radians(model.vis.global_.fovy) / 2)
    across, along = (high - low) / 2 + 0.3
    tilt = math.radians(elevation)
    # The top of the nearest wall, at the bottom of the picture, is the widest: it sets the distance.
    nearer = along * math.cos(tilt) + WALL_HEIGHT * math.sin(tilt)
    camera.distance = max(across * height / width, along * math.sin(tilt)) / half + nearer
    offscreen = Offscreen(model, width, height)
    try:
        offscreen.update(model, data, camera)
        return offscreen.draw()
    finally:
        offscreen.close()
