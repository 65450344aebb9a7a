"""What goes on moving where a world is compiled anew with more or fewer things in it."""

from __future__ import annotations

import mujoco

from dadu.sim.mujoco.physics import wake
from dadu.sim.mujoco.physics_world import PhysicsWorld


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
