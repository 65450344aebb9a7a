"""Where a body is and how it moves, read and set from outside: free objects in space, the robot on the floor."""

from __future__ import annotations

from dataclasses import dataclass, field

import mujoco
import numpy as np

from dadu.core.geometry import Pose2, quaternion, transform
from dadu.sim.mujoco.physics import wake
from dadu.sim.mujoco.physics_world import PhysicsWorld
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.model import BASE_JOINTS


def _still() -> np.ndarray:
    return np.zeros(3)


@dataclass(frozen=True)
class Motion:
    """Of a point of a body, along map's axes; each (3,)."""

    linear: np.ndarray = field(default_factory=_still)
    """[m/s], or [m/s^2] of an acceleration"""
    angular: np.ndarray = field(default_factory=_still)
    """[rad/s], or [rad/s^2]"""


def object_pose(world: PhysicsWorld, name: str) -> np.ndarray:
    """T_map_object (4, 4), of the middle of its box."""
    address = world.model.joint(name).qposadr[0]
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, world.data.qpos[address + 3: address + 7])
    return transform(R.reshape(3, 3), world.data.qpos[address: address + 3])


def object_motion(world: PhysicsWorld, name: str, offset: np.ndarray) -> tuple[Motion, Motion]:
    """Velocity and acceleration of the point `offset` (3,) [m] away, along map's axes, from the middle of its box."""
    first = world.model.joint(name).dofadr[0]
    R = object_pose(world, name)[:3, :3]  # MuJoCo has a free joint's turning in the body's own axes
    velocity, acceleration = world.data.qvel[first: first + 6], world.data.qacc[first: first + 6]
    turning, speeding = R @ velocity[3:], R @ acceleration[3:]
    inward = np.cross(turning, np.cross(turning, offset))
    return (Motion(velocity[:3] + np.cross(turning, offset), turning),
            Motion(acceleration[:3] + np.cross(speeding, offset) + inward, speeding))


def robot_motion(world: PhysicsWorld, body: RobotBody) -> tuple[Motion, Motion]:
    """Velocity and acceleration of base_link."""
    dofs = [world.model.joint(body.prefix + name).dofadr[0] for name in BASE_JOINTS]
    velocity, acceleration = (Motion(np.array([x, y, 0.0]), np.array([0.0, 0.0, turn]))
                              for x, y, turn in (world.data.qvel[dofs], world.data.qacc[dofs]))
    return velocity, acceleration


def put_object(world: PhysicsWorld, name: str, T: np.ndarray | None, motion: Motion | None, offset: np.ndarray) -> None:
    """Sets T_map_object (4, 4), or the velocity of the point `offset` away as in `object_motion`, or both."""
    joint = world.data.joint(name)
    if T is not None:
        x, y, z, w = quaternion(T[:3, :3])
        joint.qpos = (*T[:3, 3], w, x, y, z)
    if motion is not None:
        R = object_pose(world, name)[:3, :3]
        joint.qvel = (*(motion.linear - np.cross(motion.angular, offset)), *(R.T @ motion.angular))
    wake(world.model, world.data)


def put_robot(world: PhysicsWorld, body: RobotBody, pose: Pose2 | None, motion: Motion | None) -> None:
    """Sets base_link in map, or its velocity, or both; the arm stays as it is, and the wheels' driver goes on."""
    joints = [world.data.joint(body.prefix + name) for name in BASE_JOINTS]
    if pose is not None:
        for joint, value in zip(joints, pose):
            joint.qpos = value
    if motion is not None:
        for joint, value in zip(joints, (*motion.linear[:2], motion.angular[2])):
            joint.qvel = value
    wake(world.model, world.data)


def carry_over(old: PhysicsWorld, new: PhysicsWorld) -> None:
    """Time, and the state of all that is in both: joints, drives, what is set by hand, states of things."""
    new.data.time = old.data.time
    for there in (old.model.joint(i) for i in range(old.model.njnt)):
        if mujoco.mj_name2id(new.model, mujoco.mjtObj.mjOBJ_JOINT, there.name) >= 0:
            before, now = old.data.joint(there.name), new.data.joint(there.name)
            now.qpos, now.qvel = before.qpos, before.qvel
    for drive in (old.model.actuator(i) for i in range(old.model.nu)):
        new.data.actuator(drive.name).ctrl = old.data.actuator(drive.name).ctrl
        new.model.actuator(drive.name).forcerange = drive.forcerange
    new.data.mocap_pos[:], new.data.mocap_quat[:] = old.data.mocap_pos, old.data.mocap_quat
    for name in new.states.keys() & old.states.keys():
        new.states[name].update(old.states[name])
    wake(new.model, new.data)
