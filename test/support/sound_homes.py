"""What makes a home valid: the robot reaches everything, nothing stands in anything else, things come to rest."""

from __future__ import annotations

import math
from collections.abc import Iterator

import mujoco
import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.homes.home import passable
from dadu.homes.reach import RoomReach
from dadu.house.format import House
from dadu.house.overlaps import overlaps
from dadu.house.placement import place_objects
from dadu.house.rasterize import rasterize
from dadu.navigation.costmap import Costmap
from dadu.sim.mujoco.scene.house_mjcf import build_spec

SETTLING = 1.5
"""time that things have to come to rest [s]"""
_MOVED, _TILTED, _MOVING = 0.03, 0.25, 0.02
"""more than this is not at rest where it was put: [m], [rad], [m/s]"""


def faults(house: House, robot: RobotDescription) -> list[str]:
    """A sentence for everything wrong with a home of rectangular rooms; it is also compiled to MuJoCo."""
    try:
        return [*overlaps(house), *_unreachable(house, robot), *_not_at_rest(house)]
    except ConfigError as error:
        return [str(error)]


def _unreachable(house: House, robot: RobotDescription) -> Iterator[str]:
    """By what navigation would answer, see `dadu.homes.reach`."""
    if not passable(house, Costmap(rasterize(house, 0.05, robot.height), robot)):
        yield "the robot does not get through all doors"
    for room in house.rooms:
        doors = [door for door in house.doors if room.name in door.between]
        furniture = [piece for piece in house.furniture if piece.room == room.name]
        reach = RoomReach(room, doors, furniture, robot)
        if not reach.connected():
            yield f"{room.name}: no way from door to door"
        yield from filter(None, map(reach.unusable, furniture))


def _not_at_rest(house: House) -> Iterator[str]:
    """Lets the physics run and tells what moved away, fell over or goes on moving."""
    model = build_spec(house).compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, math.ceil(SETTLING / model.opt.timestep))
    for name, placement in place_objects(house).items():
        joint = data.joint(name)
        shift = float(np.linalg.norm(joint.qpos[:3] - placement.position))
        up = 1 - 2 * float(joint.qpos[4] ** 2 + joint.qpos[5] ** 2)
        speed = float(np.linalg.norm(joint.qvel[:3]))
        if not shift < _MOVED:
            yield f"{name} moved by {shift:.2f} m"
        elif math.acos(np.clip(up, -1, 1)) > _TILTED and placement.model.shape != "sphere":
            yield f"{name} fell over"
        elif speed > _MOVING:
            yield f"{name} is still moving"
