"""The whole state of a simulation in one NumPy archive, so that a killed simulator goes on where it was."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from dadu.core.errors import DaduError
from dadu.sim.mujoco.robot.sim_robot import SimRobot

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class CheckpointError(DaduError):
    """A saved state that cannot be read or belongs to another house or robot."""


def save(path: str | Path, model: mujoco.MjModel, data: mujoco.MjData, robots: Sequence[SimRobot], house: str,
         extra: Mapping[str, np.ndarray]) -> None:
    """Atomic: a reader sees the old file or the new one."""
    path = Path(path)
    state = np.empty(mujoco.mj_stateSize(model, _STATE))
    mujoco.mj_getState(model, data, state, _STATE)
    partial = path.with_suffix(".partial.npz")
    arrays: dict[str, Any] = {f"extra_{name}": value for name, value in extra.items()}
    np.savez(partial, model=_signature(model, robots, house), state=state,
             joints=np.concatenate([robot.joints.position for robot in robots]),
             gripper=np.array([[robot.gripper.setpoint, robot.gripper.force] for robot in robots]), **arrays)
    os.replace(partial, path)


def restore(path: str | Path, model: mujoco.MjModel, data: mujoco.MjData, robots: Sequence[SimRobot], house: str,
            ) -> dict[str, np.ndarray]:
    """Returns the extra arrays. Arms hold where they were, grips stay closed, bases stand.

    Errors: CheckpointError.
    """
    try:
        with np.load(path, allow_pickle=False) as saved:
            signature, state = str(saved["model"]), saved["state"]
            joints, gripper = saved["joints"], saved["gripper"]
            extra = {name.removeprefix("extra_"): saved[name] for name in saved.files if name.startswith("extra_")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: no saved simulation: {error}") from None
    if signature != _signature(model, robots, house):
        raise CheckpointError(f"{path}: saved from another house or robot than {house}")
    mujoco.mj_resetData(model, data)
    mujoco.mj_setState(model, data, state, _STATE)
    positions = iter(joints.tolist())
    for robot, (setpoint, force) in zip(robots, gripper.reshape(-1, 2).tolist(), strict=True):
        robot.reset()
        robot.joints.reset({name: next(positions) for name in robot.joints.names})
        robot.gripper.resume(setpoint, force)
    mujoco.mj_forward(model, data)
    return extra


def _signature(model: mujoco.MjModel, robots: Sequence[SimRobot], house: str) -> str:
    """Tells models apart by house, robots and layout of the state."""
    names = ",".join(model.joint(i).name for i in range(model.njnt))
    return f"{house}:{','.join(robot.description.name for robot in robots)}:{model.nq}:{model.nv}:{names}"
