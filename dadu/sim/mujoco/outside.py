"""The robot seen from outside: the house with its walls cut down, and a camera that goes along above it.

A world of its own, posed as the true one is told to be: whatever runs or was recorded is looked at without touching it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
from mujoco.egl import GLContext

from dadu.core.geometry import quaternion
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.sim.mujoco.physics_world import compile_world
from dadu.sim.mujoco.scene.appearance import Appearance
from dadu.sim.settings import SimulationSettings
from dadu.world.state import WorldState

_WALLS = 1.0
"""[m]: lower than the camera looks over, higher than what would hide that they are walls"""
_DISTANCE, _ELEVATION, _AZIMUTH, _HEIGHT = 4.6, -42.0, 60.0, 0.55
"""of the camera: from what it looks at [m], upwards and around [deg]; and how high that is above the floor [m]"""
_LAG = 0.25
"""share of the way to the robot that the camera goes from one picture to the next: it does not jerk with it"""


@dataclass(frozen=True)
class RobotPosture:
    """Of the robot's body."""

    joints: Mapping[str, float]
    """[m or rad]"""
    aperture: float
    """of the gripper [m]"""


class OutsideCamera:
    """Renders without a screen. Use from one thread only: OpenGL contexts belong to threads."""

    def __init__(self, house: House, robot: RobotDescription, width: int = 640, height: int = 480,
                 shadows: bool = False) -> None:
        """`width`, `height` [px]; with `shadows` a picture takes 2.5 times as long. Errors: ConfigError where the
        house's objects find no place."""
        self.size = width, height
        look = _smooth(width, height, shadows)
        self._world = world = compile_world(house, robot, SimulationSettings(), look, _WALLS)
        self._appearance = Appearance(world.model, house, world.placements)
        self._context = GLContext(width, height)
        self._context.make_current()
        self._renderer = mujoco.MjrContext(world.model, mujoco.mjtFontScale.mjFONTSCALE_100)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._renderer)
        self._scene = mujoco.MjvScene(world.model, maxgeom=2 * world.model.ngeom + 100)
        self._options, self._camera = mujoco.MjvOption(), mujoco.MjvCamera()
        self._camera.distance, self._camera.elevation, self._camera.azimuth = _DISTANCE, _ELEVATION, _AZIMUTH
        self._followed = False

    def picture(self, state: WorldState, posture: RobotPosture) -> np.ndarray:
        """uint8 (height, width, 3): the world in that state, the camera following."""
        world, width, height = self._world, *self.size
        self._pose(state, posture)
        self._follow(np.array([*state.robot[:2], _HEIGHT]))
        self._context.make_current()
        mujoco.mj_kinematics(world.model, world.data)
        mujoco.mj_camlight(world.model, world.data)
        mujoco.mjv_updateScene(world.model, world.data, self._options, None, self._camera,
                               mujoco.mjtCatBit.mjCAT_ALL, self._scene)
        view = mujoco.MjrRect(0, 0, width, height)
        pixels: np.ndarray = np.empty((height, width, 3), np.uint8)
        mujoco.mjr_render(view, self._scene, self._renderer)
        mujoco.mjr_readPixels(pixels, None, view, self._renderer)
        return np.ascontiguousarray(pixels[::-1])

    def close(self) -> None:
        """Frees the context."""
        self._renderer.free()
        self._context.free()

    def _pose(self, state: WorldState, posture: RobotPosture) -> None:
        world, data = self._world, self._world.data
        world.body.place(data, state.robot, posture.joints, posture.aperture)
        for name, value in state.parts.items():
            data.joint(name).qpos[0] = value
        for name, body in state.bodies.items():
            x, y, z, w = quaternion(body.box.R)
            data.joint(name).qpos[:] = (*body.box.centre, w, x, y, z)
        told = {name: body.states for name, body in state.bodies.items()} | dict(state.furniture)
        self._appearance.update({name: {**known, **told.get(name, {})} for name, known in world.states.items()})

    def _follow(self, point: np.ndarray) -> None:
        self._camera.lookat[:] += (_LAG if self._followed else 1.0) * (point - self._camera.lookat)
        self._followed = True


def _smooth(width: int, height: int, shadows: bool) -> Callable[[mujoco.MjSpec], None]:
    """Edges without steps; the robot's own camera does without."""
    def add(spec: mujoco.MjSpec) -> None:
        spec.visual.quality.offsamples = 4
        spec.visual.quality.shadowsize = 1024
        spec.visual.global_.offwidth, spec.visual.global_.offheight = width, height
        spec.lights[0].castshadow = shadows
    return add
