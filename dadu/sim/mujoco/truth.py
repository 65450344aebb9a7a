"""The true state of a world."""

from __future__ import annotations

import mujoco
import numpy as np

from dadu.sim.mujoco.motion import object_pose
from dadu.sim.mujoco.physics_world import PhysicsWorld
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.scene.figure import standing
from dadu.world.boxes import OrientedBox
from dadu.world.names import PERSON
from dadu.world.state import ObjectState, WorldState


def world_state(world: PhysicsWorld, body: RobotBody) -> WorldState:
    """Poses as of the last step, what the fingers hold, how far parts are open, and states as in the house file;
    `body`: the robot that is meant by "the robot"."""
    data, held = world.data, held_objects(world, body)
    bodies = {}
    for name, placement in world.placements.items():
        T = object_pose(world, name)
        box = OrientedBox(T[:3, 3], T[:3, :3], np.array(placement.model.size))
        bodies[name] = ObjectState(name, placement.thing.category, box, name in held or name in world.holders,
                                   world.states[name], world.holders.get(name, ""))
    states = {piece.name: world.states[piece.name] for piece in world.house.furniture}
    furniture = {name: known for name, known in states.items() if known}
    person = standing(world.model, data)
    others = {} if person is None else {PERSON: person}
    return WorldState(world.data.time, body.base_pose(data), bodies, part_values(world), furniture, others)


def part_values(world: PhysicsWorld) -> dict[str, float]:
    """Value of every ``FURNITURE/PART`` [rad or m]; a switch springs back, and is none."""
    model, data = world.model, world.data
    hinged = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
    furniture = {piece.name for piece in world.house.furniture}
    joints = (model.joint(i) for i in range(model.njnt)
              if model.jnt_type[i] in hinged and not model.jnt_stiffness[i])
    return {joint.name: float(data.qpos[joint.qposadr[0]]) for joint in joints if joint.name.split("/")[0] in furniture}


def held_objects(world: PhysicsWorld, body: RobotBody) -> set[str]:
    """Objects that both fingers of a robot press on and that touch nothing but it."""
    model = world.model
    names = {model.body(name).id: name for name in world.placements}
    whose = model.geom_bodyid.tolist()
    pressed: dict[str, set[int]] = {}
    carried: set[str] = set()
    for first, second in world.data.contact.geom.tolist():
        for geom, other in ((first, second), (second, first)):
            name = names.get(whose[geom])
            if name is None:
                continue
            if other in body.pads:
                pressed.setdefault(name, set()).add(other)
            elif not body.owns(other):
                carried.add(name)
    return {name for name, pads in pressed.items() if len(pads) == len(body.pads)} - carried
