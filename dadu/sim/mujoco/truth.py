"""The true state of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from dadu.world.boxes import Box
from dadu.world.state import Body, WorldState

if TYPE_CHECKING:
    from dadu.sim.mujoco.simulation import Simulation


def world_state(simulation: Simulation) -> WorldState:
    """Poses as of the last step, what the fingers hold, how far parts are open, and states as in the house file."""
    data, held = simulation.data, held_objects(simulation)
    bodies = {}
    for name, placement in simulation.placements.items():
        address = simulation.model.joint(name).qposadr[0]
        R = np.empty(9)
        mujoco.mju_quat2Mat(R, data.qpos[address + 3: address + 7])
        box = Box(data.qpos[address: address + 3].copy(), R.reshape(3, 3), np.array(placement.model.size))
        bodies[name] = Body(name, placement.thing.category, box, name in held, simulation.states[name])
    states = {piece.name: simulation.states[piece.name] for piece in simulation.house.furniture}
    furniture = {name: known for name, known in states.items() if known}
    return WorldState(simulation.time, simulation.body.base_pose(data), bodies, part_values(simulation), furniture)


def part_values(simulation: Simulation) -> dict[str, float]:
    """Value of every ``FURNITURE/PART`` [rad or m]."""
    model, data = simulation.model, simulation.data
    hinged = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
    furniture = {piece.name for piece in simulation.house.furniture}
    joints = (model.joint(i) for i in range(model.njnt) if model.jnt_type[i] in hinged)
    return {joint.name: float(data.qpos[joint.qposadr[0]]) for joint in joints if joint.name.split("/")[0] in furniture}


def held_objects(simulation: Simulation) -> set[str]:
    """Objects that both fingers press on and that touch nothing but the robot."""
    model, body = simulation.model, simulation.body
    pressed: dict[str, set[int]] = {}
    carried: set[str] = set()
    for contact in simulation.data.contact:
        for geom, other in (contact.geom, contact.geom[::-1]):
            name = model.body(model.geom_bodyid[geom]).name
            if name not in simulation.placements:
                continue
            if other in body.pads:
                pressed.setdefault(name, set()).add(int(other))
            elif not body.owns(other):
                carried.add(name)
    return {name for name, pads in pressed.items() if len(pads) == len(body.pads)} - carried
