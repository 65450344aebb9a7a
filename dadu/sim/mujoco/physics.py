"""Physics of the simulated world: the settings with which contact grasps held in trials."""

from __future__ import annotations

import mujoco
from pydantic import PositiveFloat, PositiveInt

from dadu.core.config import Settings

_TOUCH = 1e-12
"""[N]"""
_FRICTION_STIFFNESS = 30.0
"""how much stiffer friction is than contact (MuJoCo's impratio), so that what is held does not creep"""


class PhysicsSettings(Settings):
    """Defaults gave 200 held grasps of 200: elliptic cones with a high `impratio` keep what is held from creeping."""

    timestep: PositiveFloat = 0.002
    """[s]"""
    iterations: PositiveInt = 50
    """of the solver, at most"""
    sleep: bool = True
    """let bodies at rest sleep: some fifteen times faster in a furnished home"""
    friction: tuple[float, float, float] = (0.8, 0.01, 0.001)
    """sliding, torsional [m], rolling [m], of furniture and objects"""
    solref: tuple[float, float] = (0.01, 1.0)
    """time constant [s] and damping ratio of contacts"""
    solimp: tuple[float, float, float] = (0.95, 0.99, 0.001)
    """least and greatest impedance of contacts, and the depth [m] between them (MuJoCo)"""


def apply_physics(spec: mujoco.MjSpec, settings: PhysicsSettings) -> None:
    """Sets the solver's options and the defaults of geoms; multi-point contacts are on by default in MuJoCo 4."""
    option = spec.option
    option.timestep = settings.timestep
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = _FRICTION_STIFFNESS
    option.iterations = settings.iterations
    if settings.sleep:
        option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
    geom = spec.default.geom
    geom.condim = 4
    geom.friction = settings.friction
    geom.solref = settings.solref
    geom.solimp = (*settings.solimp, 0.5, 2.0)


def wake(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Wakes every body and brings all that is derived up to date, after positions were set from outside: a body that
    sleeps would stay where it was for collisions. A force, however small, is what MuJoCo wakes a body for."""
    applied = data.xfrc_applied.copy()
    data.xfrc_applied[1:, 2] += _TOUCH
    mujoco.mj_forward(model, data)
    data.xfrc_applied[:] = applied
