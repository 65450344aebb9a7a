"""A house and a robot under contact physics, with the sensors and the true state."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from dadu.core.errors import DaduError
from dadu.core.geometry import Pose2
from dadu.core.robot import CameraFrame, LaserScan, RobotDescription
from dadu.house.format import House
from dadu.house.placement import Placement
from dadu.sim.mujoco import checkpoint, opened, scatter, truth
from dadu.sim.mujoco.disturbance import Disturbances
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.laser import Laser
from dadu.sim.mujoco.motion import carry_over
from dadu.sim.mujoco.physics_world import compile_world
from dadu.sim.mujoco.robot.sim_robot import SimRobot
from dadu.sim.mujoco.scene.appearance import Appearance
from dadu.sim.settings import SimulationSettings
from dadu.world.state import WorldState

if TYPE_CHECKING:
    from dadu.sim.mujoco.camera import Camera

_FATAL = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)


class SimulationDiverged(DaduError):
    """The solver produced no numbers; go back to a checkpoint."""


class RenderingUnavailable(DaduError):
    """The machine cannot draw pictures."""


def camera_class() -> type[Camera]:
    """`dadu.sim.mujoco.camera.Camera`, imported when needed: only pictures need EGL. Errors: RenderingUnavailable."""
    try:
        from dadu.sim.mujoco.camera import Camera
    except (ImportError, AttributeError) as error:  # AttributeError: PyOpenGL where libEGL is missing
        raise RenderingUnavailable(f"the camera needs EGL (Debian, Ubuntu: libegl1 libgl1-mesa-dri): {error}") from None
    return Camera


class Simulation(DrivenBackend):
    """Steps the world and the robot's drivers together; deterministic for a house, a seed and the commands given.

    Time goes on over `reset`, so that nobody sees a clock jump back.
    """

    def __init__(self, house: House, robot: RobotDescription, seed: int = 0,
                 settings: SimulationSettings | None = None, placements: dict[str, Placement] | None = None) -> None:
        """`seed` as in `reset`; `placements` in place of the house's objects. Errors: ConfigError where those find no
        place."""
        self.house, self.description = house, robot
        self.settings = settings or SimulationSettings()
        self.world = compile_world(house, robot, self.settings, placements=placements)
        self.model, self.data, self.body = self.world.model, self.world.data, self.world.body
        self.placements, self.states = self.world.placements, self.world.states
        self.instance_names = (*(piece.name for piece in house.furniture), *self.placements)
        self.instance_categories = (*(piece.category for piece in house.furniture),
                                    *(placement.thing.category for placement in self.placements.values()))
        self.robot = SimRobot(self.body, self.data, self.settings, self.render, self.scan)
        self._fatal = [self.data.warning[kind] for kind in _FATAL]
        timestep = self.model.opt.timestep
        self._substeps = max(1, round(self.settings.control_period / timestep))
        self.control_period = self._substeps * timestep
        """[s], as stepped: a whole number of physics steps"""
        self._remainder = 0.0
        self._camera: Camera | None = None
        self._laser = Laser(self.model, self.body, self.settings.laser)
        self._disturbances = Disturbances(self.world)
        self._appearance = Appearance(self.model, house, self.placements)
        self.reset(seed)

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.data.time

    def advance(self, dt: float) -> None:
        """Steps the world by `dt` [s], to the nearest control period; the rest is carried over."""
        model, data, robot, period = self.model, self.data, self.robot, self.control_period
        self._remainder += dt
        while self._remainder >= period - 1e-9:
            self._remainder -= period
            robot.control(period)
            mujoco.mj_step(model, data, self._substeps)
        self._check()

    def reset(self, seed: int = -1) -> None:
        """Back to the start. -1: exactly as in the house file; from 0 on: objects and robot are moved a little, always
        the same way for the same seed."""
        now = self.data.time
        mujoco.mj_resetData(self.model, self.data)
        opened.open_parts(self.world)
        self.data.time = now
        self._remainder = 0.0
        self._rng = np.random.default_rng(max(0, seed))
        self.body.place(self.data, Pose2(*self.house.robot.pose), self.description.home)
        if seed >= 0:
            scatter.scatter(self.world, self._rng)
        mujoco.mj_forward(self.model, self.data)
        self.robot.reset()

    def edited(self, house: House, placements: dict[str, Placement]) -> Simulation:
        """The same moment with other things or furniture in the world: what is in both goes on as it was, so do the
        robot's drivers."""
        new = Simulation(house, self.description, -1, self.settings, placements)
        new._rng, new._remainder = self._rng, self._remainder
        new.robot.base, new.robot.joints, new.robot.gripper = self.robot.base, self.robot.joints, self.robot.gripper
        carry_over(self.world, new.world)
        return new

    def render(self) -> CameraFrame:
        """The head camera's picture now, with instances. Errors: RenderingUnavailable."""
        return self.camera.render(self.snapshot(), self.time)

    def scan(self, view: mujoco.MjData | None = None) -> LaserScan:
        """The laser's reading now; `view`: a snapshot of this moment, where there is one."""
        return self._laser.scan(self.snapshot() if view is None else view, self.time, self._rng)

    @property
    def camera(self) -> Camera:
        """The `dadu.sim.mujoco.camera.Camera`, made when first used, in the thread that uses it."""
        if self._camera is None:
            self._camera = camera_class()(self.model, self.settings.camera, self._instance_of_geom())
        return self._camera

    def snapshot(self, view: mujoco.MjData | None = None) -> mujoco.MjData:
        """As `PhysicsWorld.snapshot`; things look as their states are."""
        self._appearance.update(self.states)
        return self.world.snapshot(view)

    def ground_truth(self) -> WorldState:
        """The true state. For evaluation and privileged perception only."""
        return truth.world_state(self.world)

    def disturb(self, kind: str, object: str = "", target: str = "",
                position: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> str:
        """Disturbs the world as a person or a pet would, see `dadu.sim.mujoco.disturbance`; returns what was done.

        Errors: DisturbanceError naming the valid choices.
        """
        return self._disturbances.apply(kind, object, target, position)

    def save(self, path: str | Path, **extra: np.ndarray) -> None:
        """Writes the whole state, drivers and `extra` arrays included, in one atomic step."""
        checkpoint.save(path, self.model, self.data, self.robot, self.house.house, extra)

    def restore(self, path: str | Path) -> dict[str, np.ndarray]:
        """Goes on from a saved state and returns its extra arrays. Errors: CheckpointError where it is of another
        house or robot."""
        return checkpoint.restore(path, self.model, self.data, self.robot, self.house.house)

    def close(self) -> None:
        """Frees the rendering context."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _check(self) -> None:
        """MuJoCo warns, and would otherwise start over at time 0."""
        if any(warning.number for warning in self._fatal):
            raise SimulationDiverged(f"the physics of {self.house.house} diverged at {self.time:.2f} s")

    def _instance_of_geom(self) -> np.ndarray:
        """int32 (ngeom,): 1 + index into `instance_names`; floors, walls and the robot are 0."""
        index = {name: i + 1 for i, name in enumerate(self.instance_names)}
        model = self.model
        roots = model.body_rootid[model.geom_bodyid]
        return np.array([index.get(model.body(root).name, 0) for root in roots], np.int32)
