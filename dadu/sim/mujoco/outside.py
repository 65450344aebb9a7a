"""The robot seen from outside: the house with its walls cut down, and a camera that goes along above it.

`OutsideCamera` draws any geometry of a model, one that runs included, without touching it. `ToldWorld` is one of its
own, posed as the true one was recorded to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from dadu.core.geometry import Pose2, quaternion
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.sim.mujoco.offscreen import Offscreen
from dadu.sim.mujoco.physics_world import compile_world
from dadu.sim.mujoco.scene.appearance import Appearance
from dadu.sim.mujoco.scene.house_mjcf import WALL_NAME
from dadu.sim.mujoco.scene.view import WALL_HEIGHT
from dadu.sim.settings import SimulationSettings
from dadu.world.state import WorldState

_DISTANCE, _ELEVATION, _AZIMUTH, _HEIGHT = 4.6, -42.0, 60.0, 0.55
"""of the camera: from what it looks at [m], upwards and around [deg]; and how high that is above the floor [m]"""
_LAG = 0.25
"""share of the way to the robot that the camera goes from one picture to the next: it does not jerk with it"""


class OutsideCamera:
    """Renders without a screen. Use from one thread only: OpenGL contexts belong to threads."""

    def __init__(self, model: mujoco.MjModel, width: int = 640, height: int = 480) -> None:
        """`width`, `height` [px]."""
        self._model, self._camera = model, mujoco.MjvCamera()
        self._offscreen = Offscreen(model, width, height)
        self._camera.distance, self._camera.elevation, self._camera.azimuth = _DISTANCE, _ELEVATION, _AZIMUTH
        self._followed = False
        self._walls = {i for i in range(model.ngeom) if model.geom(i).name.startswith(WALL_NAME)}

    def picture(self, data: mujoco.MjData, robot: Pose2) -> np.ndarray:
        """uint8 (height, width, 3): `data`, whose kinematics must be up to date, the camera following `robot`."""
        self._follow(np.array([robot.x, robot.y, _HEIGHT]))
        self._offscreen.update(self._model, data, self._camera)
        self._cut_walls()
        return self._offscreen.draw()

    def close(self) -> None:
        self._offscreen.close()

    def _follow(self, point: np.ndarray) -> None:
        self._camera.lookat[:] += (_LAG if self._followed else 1.0) * (point - self._camera.lookat)
        self._followed = True

    def _cut_walls(self) -> None:
        """In the scene alone, which is made anew for each picture."""
        scene = self._offscreen.scene
        for geom in scene.geoms[: scene.ngeom]:
            if geom.objtype == mujoco.mjtObj.mjOBJ_GEOM and geom.objid in self._walls:
                bottom, top = geom.pos[2] - geom.size[2], min(geom.pos[2] + geom.size[2], WALL_HEIGHT)
                geom.size[2] = max(0.0, (top - bottom) / 2)
                geom.pos[2] = (top + bottom) / 2 if top > bottom else -1.0  # a lintel goes under the floor


@dataclass(frozen=True)
class RobotPosture:
    joints: Mapping[str, float]
    """[m or rad]"""
    aperture: float
    """of the gripper [m]"""


class ToldWorld:
    """A house and a robot that stand as they are told to."""

    def __init__(self, house: House, robot: RobotDescription, shadows: bool = False) -> None:
        """With `shadows` a picture takes 2.5 times as long. Errors: ConfigError where the house's objects find no
        place."""
        def smooth(spec: mujoco.MjSpec) -> None:
            """Edges without steps; the robot's own camera does without."""
            spec.visual.quality.offsamples = 4
            spec.visual.quality.shadowsize = 1024
            spec.lights[0].castshadow = shadows

        self._world = world = compile_world(house, robot, SimulationSettings(), smooth)
        self.model = world.model
        self._appearance = Appearance(world.model, house, world.placements)

    def posed(self, state: WorldState, posture: RobotPosture) -> mujoco.MjData:
        """The geometry in that state, good until the next; things look as their states are."""
        world, data = self._world, self._world.data
        world.body.place(data, state.robot, posture.joints, posture.aperture)
        for name, value in state.parts.items():
            data.joint(name).qpos[0] = value
        for name, body in state.bodies.items():
            x, y, z, w = quaternion(body.box.R)
            data.joint(name).qpos[:] = (*body.box.centre, w, x, y, z)
        told = {name: body.states for name, body in state.bodies.items()} | dict(state.furniture)
        self._appearance.update({name: {**known, **told.get(name, {})} for name, known in world.states.items()})
        mujoco.mj_kinematics(world.model, data)
        mujoco.mj_camlight(world.model, data)
        return data
