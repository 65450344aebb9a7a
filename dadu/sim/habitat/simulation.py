"""Habitat behind the interface that the simulator's node drives: its world and pictures, our robot's drivers.

The robot is a figure: its base follows the navigation mesh, its joints their drivers; what the fingers close on sticks
to them and falls by Bullet when they open. Doors and drawers of our own houses move with the hand that holds their
handle. Nothing is pushed.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import mujoco
import numpy as np

from dadu.core.geometry import Pose2, inverse
from dadu.core.robot import GRAIN, RANGE_MIN, CameraFrame, LaserScan, RobotDescription
from dadu.house.format import House
from dadu.sim.backend import Position
from dadu.sim.habitat.client import HabitatClient
from dadu.sim.habitat.dataset import export_dataset
from dadu.sim.habitat.frames import camera_to_habitat, horizontal, to_habitat
from dadu.sim.habitat.grip import find_grip
from dadu.sim.habitat.scene import SceneFile
from dadu.sim.habitat.things import HabitatThings, disturb, foreign_items, quaternion_of
from dadu.sim.mujoco import checkpoint
from dadu.sim.mujoco.camera import intrinsics
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.kinematic_robot import Held, KinematicRobot, robot_only
from dadu.sim.mujoco.robot.model import CAMERA
from dadu.sim.mujoco.robot.sim_robot import SimRobot
from dadu.sim.settings import SimulationSettings
from dadu.world.state import WorldState

PERIOD = 0.02
"""of drivers and Bullet [s]"""


class HabitatSimulation(DrivenBackend):
    """A house in Habitat: one of ours, or a scene of HSSD, ReplicaCAD and their like (`dadu.sim.habitat.scene`).

    The figure's kinematics are MuJoCo's, without its physics.
    """

    robot: KinematicRobot

    def __init__(self, house: House, robot: RobotDescription, seed: int = 0,
                 settings: SimulationSettings | None = None, *, scene: SceneFile | None = None, python: str = "",
                 path: tuple[str, ...] = ()) -> None:
        """`scene`: load this one as it is, in place of the house; `python` and `path` as in `HabitatClient`. Nothing
        varies by `seed`. Errors: HabitatUnavailable, ConfigError."""
        self.house, self.description = house, robot
        settings = settings or SimulationSettings()
        self.settings = settings.model_copy(update={"control_period": PERIOD})
        self._scratch = tempfile.TemporaryDirectory(prefix="dadu-habitat-")
        camera = self.settings.camera
        spec = {"width": camera.width, "height": camera.height, "tall": robot.height, "seed": max(0, seed),
                "hfov": horizontal(camera.field_of_view, camera.width / camera.height)}
        if scene is None:
            exported = export_dataset(house, self._scratch.name)
            scene = SceneFile(dataset=str(exported.config), scene=exported.scene)
            self._client = HabitatClient(scene.model_dump() | spec, python, path)
            self.things = HabitatThings(house, exported.items, self._client)
        else:
            self._client = HabitatClient(scene.model_dump() | spec, python, path)
            self.things = HabitatThings(house, foreign_items(self._client.objects), self._client)
        self.instance_names, self.instance_categories = self.things.names, self.things.categories
        self.model = robot_only(robot, camera.field_of_view)
        self.data, self._view = mujoco.MjData(self.model), mujoco.MjData(self.model)
        self.body = RobotBody(self.model, robot)
        self._K = intrinsics(camera)
        self.robot = KinematicRobot(self.body, self.data, self.settings, self.model, self, self)
        self.robots = (self.robot,)
        self._remainder, self._rng = 0.0, np.random.default_rng(max(0, seed))
        self.reset(seed)

    @property
    def time(self) -> float:
        return self.data.time

    @property
    def camera(self) -> HabitatSimulation:
        """Pictures are asked for as of MuJoCo's camera: ``camera.render(view, stamp)``."""
        return self

    def reset(self, seed: int = -1) -> None:
        self.things.reset()
        self.body.place(self.data, Pose2(*self.house.robot.pose), self.description.home)
        mujoco.mj_kinematics(self.model, self.data)
        self.robot.reset()

    def advance(self, dt: float) -> None:
        self._remainder += dt
        while self._remainder >= PERIOD - 1e-9:
            self._remainder -= PERIOD
            self.robot.control(PERIOD)
            self.things.step(PERIOD)
            self.data.time += PERIOD

    def snapshot(self, view: mujoco.MjData | None = None) -> mujoco.MjData:
        """The robot's geometry at this moment, written into `view`."""
        view = self._view if view is None else view
        view.qpos[:] = self.data.qpos
        mujoco.mj_kinematics(self.model, view)
        mujoco.mj_camlight(self.model, view)
        return view

    def render(self, view: mujoco.MjData | None = None, stamp: float | None = None) -> CameraFrame:
        """The camera's picture with instances; `view`: the robot at that moment."""
        view = self.snapshot() if view is None else view
        i = self.model.camera(self.body.prefix + CAMERA).id
        T_map_camera = np.eye(4)
        T_map_camera[:3, :3] = view.cam_xmat[i].reshape(3, 3) @ np.diag([1.0, -1.0, -1.0])
        T_map_camera[:3, 3] = view.cam_xpos[i]
        T = camera_to_habitat(T_map_camera)
        seen = self._client.call("render", position=T[:3, 3], rotation=np.array(quaternion_of(T)))
        depth = np.where(seen["depth"] > self.settings.camera.max_depth, 0.0, seen["depth"]).astype(np.float32)
        instances = self.things.instances(seen["semantic"]) if self.settings.camera.instances else None
        return CameraFrame(self.time if stamp is None else stamp, seen["rgb"], depth, self._K, T_map_camera, instances)

    def scan(self, view: mujoco.MjData | None = None) -> LaserScan:
        """The laser's reading, by rays into Bullet's world, with noise."""
        view, laser = self.snapshot() if view is None else view, self.settings.laser
        T_map_laser = self.body.link_pose(view, self.description.laser_link)
        angles = -math.pi + 2 * math.pi / laser.rays * np.arange(laser.rays)
        level = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
        ranges = self._client.call("rays", {"reach": laser.range_max}, origin=to_habitat(T_map_laser[:3, 3]),
                                   directions=to_habitat(level @ T_map_laser[:3, :3].T))["ranges"]
        hit = np.isfinite(ranges)
        measured = ranges[hit] + self._rng.normal(0.0, laser.noise, int(hit.sum()))
        ranges[hit] = np.maximum(RANGE_MIN, np.rint(measured / GRAIN) * GRAIN)
        ranges[ranges > laser.range_max] = np.inf  # by its noise
        T_map_base = self.body.link_pose(view, self.description.base_link)
        return LaserScan(self.time, ranges.astype(np.float32), -math.pi, 2 * math.pi / laser.rays, laser.range_max,
                         inverse(T_map_base) @ T_map_laser)

    def truth_of(self, robot: SimRobot) -> WorldState:
        held = self.robot.held.name if self.robot.held is not None else ""
        return self.things.state(self.time, self.body.base_pose(self.data), held)

    def disturb(self, kind: str, object: str = "", target: str = "", position: Position = (0.0, 0.0, 0.0)) -> str:
        return disturb(self.things, kind, object, target, position)

    def save(self, path: str | Path, **extra: np.ndarray) -> None:
        """The robot, as `Simulation.save`, and where everything is."""
        checkpoint.save(path, self.model, self.data, self.robots, self.house.house, {**extra, **self.things.arrays()})

    def restore(self, path: str | Path) -> dict[str, np.ndarray]:
        """Goes on from a saved state; what was held is let go. Errors: CheckpointError."""
        extra = checkpoint.restore(path, self.model, self.data, self.robots, self.house.house)
        self.things.restore(extra)
        return extra

    def close(self) -> None:
        self._client.close()
        self._scratch.cleanup()

    # What `KinematicRobot` asks of its surroundings.

    def drive(self, start: Pose2, end: Pose2) -> Pose2:
        ends = to_habitat(np.array([[*start[:2], 0.0], [*end[:2], 0.0]]))
        x, _, z = self._client.call("move", start=ends[0], end=ends[1])["reached"]
        return Pose2(float(x), float(-z), end.yaw)

    def grip(self, T_map_tool: np.ndarray, aperture: float) -> Held | None:
        return find_grip(self.things, T_map_tool, aperture)
