"""What the simulator's camera sees of a table with a lemon at its one end or at the other, or without."""

from functools import cache

import numpy as np
from small_worlds import CAN, move, simulation

from dadu.perception.upright import upright
from dadu.sim.settings import CameraSettings, LaserSettings, SimulationSettings

SEEING = SimulationSettings(camera=CameraSettings(width=320, height=240, instances=False), laser=LaserSettings(rate=0))


@cache
def picture(at: float | None) -> np.ndarray:
    """uint8 (H, W, 3); `at`: where on the table [m], left of its middle as seen; None: no lemon."""
    lemon = {"name": "lemon_0", "category": "lemon", "on": "table_0", "at": [0.1, -at if at else 0.0]}
    sim = simulation(objects=(CAN,) if at is None else (CAN, lemon), robot=(2.5, 2.3, -np.pi / 2), settings=SEEING)
    try:
        move(sim, {"joint_head_tilt": -0.5, "joint_head_pan": 0.0}, 2.0)
        return upright(sim.robot.observe().camera)
    finally:
        sim.close()
