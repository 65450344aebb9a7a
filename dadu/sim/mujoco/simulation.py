"""A house and its robots under contact physics, with the sensors and the true state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from dadu.core.errors import DaduError
from dadu.core.geometry import inverse
from dadu.core.robot import GRAIN, RANGE_MIN, CameraFrame, LaserScan, RobotDescription
from dadu.house.format import House
from dadu.house.placement import Placement
from dadu.sim.mujoco import checkpoint, scatter, truth
from dadu.sim.mujoco.disturbance import Disturbances, open_parts
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.motion import carry_over
from dadu.sim.mujoco.physics_world import compile_world
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.model import CAMERA, SOLID_GROUP
from dadu.sim.mujoco.robot.sim_robot import SimRobot
from dadu.sim.mujoco.scene.appearance import Appearance
from dadu.sim.mujoco.scene.figure import FIGURE
from dadu.sim.mujoco.switched import Switched
from dadu.sim.settings import LaserSettings, SimulationSettings
from dadu.world.state import WorldState

if TYPE_CHECKING:
    from dadu.sim.mujoco.camera import Camera


_OWN_GROUP = 5
"""the geom group of the scanner's own robot while its rays are cast: not met, and, as `SOLID_GROUP`, not drawn"""
_MET = np.array([group in (0, SOLID_GROUP) for group in range(6)], np.uint8)
"""the geom groups that rays meet: the world, and the solid shapes of robots"""


class Laser:
    """One scanner on the description's laser link."""

    def __init__(self, model: mujoco.MjModel, body: RobotBody, settings: LaserSettings) -> None:
        self._model, self._body, self._settings = model, body, settings
        self._increment = 2 * np.pi / settings.rays
        angles = -np.pi + self._increment * np.arange(settings.rays)
        self._directions = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
        self._own = body.geoms[model.geom_group[body.geoms] == SOLID_GROUP]
        self._hit = np.empty(settings.rays, np.int32)
        self._distance = np.empty(settings.rays)

    def scan(self, data: mujoco.MjData, stamp: float, rng: np.random.Generator) -> LaserScan:
        """All rays at once, with Gaussian noise; `data` needs up-to-date kinematics."""
        settings = self._settings
        T_map_laser = self._body.link_pose(data, self._body.description.laser_link)
        T_map_base = self._body.link_pose(data, self._body.description.base_link)
        rays = np.ascontiguousarray(self._directions @ T_map_laser[:3, :3].T).ravel()
        self._model.geom_group[self._own] = _OWN_GROUP  # MuJoCo leaves out one body by its number, not a whole robot
        mujoco.mj_multiRay(self._model, data, T_map_laser[:3, 3].copy(), rays, _MET, True, -1, self._hit,
                           self._distance, None, settings.rays, settings.range_max)
        self._model.geom_group[self._own] = SOLID_GROUP
        hit = self._hit >= 0
        ranges = np.full(settings.rays, np.inf, np.float32)
        measured = self._distance[hit] + rng.normal(0.0, settings.noise, int(hit.sum()))
        ranges[hit] = np.maximum(RANGE_MIN, np.rint(measured / GRAIN) * GRAIN)
        ranges[ranges > settings.range_max] = np.inf  # the cutoff leaves out whole geoms, not hits
        return LaserScan(stamp, ranges, -np.pi, self._increment, settings.range_max, inverse(T_map_base) @ T_map_laser)


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
    """Steps the world and the robots' drivers together; deterministic for a house, a seed and the commands given.

    Time goes on over `reset`, so that nobody sees a clock jump back.
    """

    def __init__(self, house: House, robots: RobotDescription | Sequence[RobotDescription], seed: int = 0,
                 settings: SimulationSettings | None = None, placements: dict[str, Placement] | None = None) -> None:
        """`robots`: one or several, who begin as `dadu.robots.starts` has it; `seed` as in `reset`; `placements` in
        place of the house's objects. Errors: ConfigError where robots or objects find no place."""
        self.house = house
        self.settings = settings or SimulationSettings()
        self.world = compile_world(house, robots, self.settings, placements=placements)
        self.description = self.world.description
        self.model, self.data, self.body = self.world.model, self.world.data, self.world.body
        self.placements, self.states = self.world.placements, self.world.states
        people = (FIGURE,) if self.settings.person else ()
        self.instance_names = (*(piece.name for piece in house.furniture), *self.placements, *people)
        self.instance_categories = (*(piece.category for piece in house.furniture),
                                    *(placement.thing.category for placement in self.placements.values()), *people)
        self.robots = tuple(SimRobot(body, self.data, self.settings, _Sensors(self, body))
                            for body in self.world.bodies)
        self.robot = self.robots[0]
        self._fatal = [self.data.warning[kind] for kind in _FATAL]
        timestep = self.model.opt.timestep
        self._substeps = max(1, round(self.settings.control_period / timestep))
        self.control_period = self._substeps * timestep
        """[s], as stepped: a whole number of physics steps"""
        self._remainder = 0.0
        self.inhabitant: Callable[[float], None] = lambda dt: None
        """lets who lives here act for a time [s]"""
        self._switched = Switched(self.world)
        self._disturbances = Disturbances(self.world)
        self._appearance = Appearance(self.model, house, self.placements)
        self.reset(seed)

    @property
    def time(self) -> float:
        return self.data.time

    def advance(self, dt: float) -> None:
        """Steps the world by `dt` [s], to the nearest control period; the rest is carried over."""
        model, data, robots, period = self.model, self.data, self.robots, self.control_period
        self._remainder += dt
        while self._remainder >= period - 1e-9:
            self._remainder -= period
            for robot in robots:
                robot.control(period)
            mujoco.mj_step(model, data, self._substeps)
        self._switched.update()
        self.inhabitant(dt)
        self._check()

    def pass_time(self, dt: float) -> None:
        """Nothing but time goes on where no driver wants anything to move, either."""
        if all(robot.settled for robot in self.robots):
            self.data.time += dt
            self.inhabitant(dt)
        else:
            self.advance(dt)

    def reset(self, seed: int = -1) -> None:
        """Back to the start. -1: exactly as in the house file; from 0 on: objects and robots are moved a little, always
        the same way for the same seed."""
        now = self.data.time
        mujoco.mj_resetData(self.model, self.data)
        open_parts(self.world)
        self.data.time = now
        self._remainder = 0.0
        self.rng = np.random.default_rng(max(0, seed))
        for body, start in zip(self.world.bodies, self.world.starts, strict=True):
            body.place(self.data, start, body.description.home)
        if seed >= 0:
            scatter.scatter(self.world, self.rng)
        mujoco.mj_forward(self.model, self.data)
        for robot in self.robots:
            robot.reset()

    def edited(self, house: House, placements: dict[str, Placement]) -> Simulation:
        """The same moment with other things or furniture in the world: what is in both goes on as it was, so do the
        robots' drivers."""
        new = Simulation(house, self.descriptions, -1, self.settings, placements)
        new.rng, new._remainder = self.rng, self._remainder
        for now, before in zip(new.robots, self.robots, strict=True):
            now.base, now.joints, now.gripper = before.base, before.joints, before.gripper
        carry_over(self.world, new.world)
        return new

    def render(self) -> CameraFrame:
        """As `robot.sensors.render`, which see. Errors: RenderingUnavailable."""
        return self.robot.sensors.render()

    def scan(self, view: mujoco.MjData | None = None) -> LaserScan:
        """As `robot.sensors.scan`, which see."""
        return self.robot.sensors.scan(view)

    def snapshot(self, view: mujoco.MjData | None = None) -> mujoco.MjData:
        """As `PhysicsWorld.snapshot`; things look as their states are."""
        self._appearance.update(self.states)
        return self.world.snapshot(view)

    def truth_of(self, robot: SimRobot) -> WorldState:
        return truth.world_state(self.world, robot.body)

    def disturb(self, kind: str, object: str = "", target: str = "",
                position: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> str:
        """Disturbs the world as a person or a pet would, see `dadu.sim.mujoco.disturbance`; returns what was done.

        Errors: DisturbanceError naming the valid choices.
        """
        return self._disturbances.apply(kind, object, target, position)

    def save(self, path: str | Path, **extra: np.ndarray) -> None:
        """Writes the whole state, drivers and `extra` arrays included, in one atomic step."""
        checkpoint.save(path, self.model, self.data, self.robots, self.house.house, extra)

    def restore(self, path: str | Path) -> dict[str, np.ndarray]:
        """Goes on from a saved state and returns its extra arrays. Errors: CheckpointError where it is of another
        house or robot."""
        return checkpoint.restore(path, self.model, self.data, self.robots, self.house.house)

    def close(self) -> None:
        for robot in self.robots:
            robot.sensors.close()

    def _check(self) -> None:
        """MuJoCo warns, and would otherwise start over at time 0."""
        if any(warning.number for warning in self._fatal):
            raise SimulationDiverged(f"the physics of {self.house.house} diverged at {self.time:.2f} s")

    def instance_of_geom(self) -> np.ndarray:
        """int32 (n,), by geom: 1 + index into `instance_names`; floors, walls and robots are 0."""
        index = {name: i + 1 for i, name in enumerate(self.instance_names)}
        model = self.model
        roots = model.body_rootid[model.geom_bodyid]
        return np.array([index.get(model.body(root).name, 0) for root in roots], np.int32)


class _Sensors:
    """Camera and laser of one robot, see `dadu.sim.mujoco.robot.sim_robot.Sensors`."""

    def __init__(self, simulation: Simulation, body: RobotBody) -> None:
        self._simulation, self._body = simulation, body
        self._camera: Camera | None = None
        self._laser = Laser(simulation.model, body, simulation.settings.laser)

    @property
    def camera(self) -> Camera:
        if self._camera is None:
            simulation = self._simulation
            self._camera = camera_class()(simulation.model, simulation.settings.camera, simulation.instance_of_geom(),
                                          self._body.prefix + CAMERA)
        return self._camera

    def render(self) -> CameraFrame:
        return self.camera.render(self._simulation.snapshot(), self._simulation.time)

    def scan(self, view: mujoco.MjData | None = None) -> LaserScan:
        simulation = self._simulation
        return self._laser.scan(simulation.snapshot() if view is None else view, simulation.time, simulation.rng)

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None
