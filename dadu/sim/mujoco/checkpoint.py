"""The whole state of a simulation in one NumPy archive, so that a killed simulator goes on where it was."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from dadu.core.errors import DaduError

if TYPE_CHECKING:
    from dadu.sim.mujoco.simulation import Simulation

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class CheckpointError(DaduError):
    """A saved state that cannot be read or belongs to another house or robot."""


def save(simulation: Simulation, path: str | Path, extra: Mapping[str, np.ndarray]) -> None:
    """Atomic: a reader sees the old file or the new one."""
    path = Path(path)
    state = np.empty(mujoco.mj_stateSize(simulation.model, _STATE))
    mujoco.mj_getState(simulation.model, simulation.data, state, _STATE)
    robot = simulation.robot
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, model=_signature(simulation), state=state, joints=robot.joints.position,
             gripper=np.array([robot.gripper.setpoint, robot.gripper.force]),
             **{f"extra_{name}": value for name, value in extra.items()})
    os.replace(partial, path)


def restore(simulation: Simulation, path: str | Path) -> dict[str, np.ndarray]:
    """The arm holds where it was, the grip stays closed, the base stands. Errors: CheckpointError."""
    try:
        with np.load(path, allow_pickle=False) as saved:
            signature, state = str(saved["model"]), saved["state"]
            joints, gripper = saved["joints"], saved["gripper"]
            extra = {name.removeprefix("extra_"): saved[name] for name in saved.files if name.startswith("extra_")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: no saved simulation: {error}") from None
    if signature != _signature(simulation):
        raise CheckpointError(f"{path}: saved from another house or robot than {simulation.house.house}")
    mujoco.mj_resetData(simulation.model, simulation.data)
    mujoco.mj_setState(simulation.model, simulation.data, state, _STATE)
    robot = simulation.robot
    robot.reset()
    robot.joints.reset(dict(zip(robot.joints.names, joints)))
    robot.gripper.resume(float(gripper[0]), float(gripper[1]))
    mujoco.mj_forward(simulation.model, simulation.data)
    return extra


def _signature(simulation: Simulation) -> str:
    """Tells models apart by house, robot and layout of the state."""
    model = simulation.model
    names = ",".join(model.joint(i).name for i in range(model.njnt))
    return f"{simulation.house.house}:{simulation.description.name}:{model.nq}:{model.nv}:{names}"
