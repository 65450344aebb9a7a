"""The robot in its own pictures: it stands by a thing, its arm anyhow, at times with something between its fingers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import Pose2, apply, inverse, transform
from dadu.core.robot import RobotDescription
from dadu.learning.pictures.views import TRIES
from dadu.perception.upright import quarter_turns
from dadu.robots.gaze import look_joints
from dadu.robots.kinematics import Kinematics
from dadu.sim.mujoco import space
from dadu.sim.mujoco.physics_world import PhysicsWorld

_AWAY = (0.5, 1.3)
"""of the base from what it looks at [m]"""
_PARKED = Pose2(-300.0, -300.0, 0.0)
"""where a robot is that is not in the picture"""
_HOLDS, _WATCHES = 0.5, 0.5
"""how often it holds something; how often it then looks at its hand"""
_GRASPED = 0.09
"""greatest width of what it holds [m]"""
_SHAKE = (0.004, 0.01)
"""how far the camera is off its mount, standard deviation [m, rad]"""


@dataclass(frozen=True)
class OwnView:
    """What the robot sees and holds."""

    T_map_camera: np.ndarray
    """(4, 4), optical frame"""
    held: str | None


class Posing:
    """Of one world; the robot stays parked except within `pose`."""

    def __init__(self, world: PhysicsWorld) -> None:
        self._world, self._robot = world, world.description
        self._kinematics = Kinematics(world.description)
        self.park()

    def park(self) -> None:
        """Takes the robot out of the home."""
        self._world.body.place(self._world.data, _PARKED, self._robot.home)

    @contextmanager
    def pose(self, target: np.ndarray, rng: np.random.Generator) -> Iterator[OwnView | None]:
        """The robot by `target` (3,) [m] in map, for as long as the context lasts; None where it finds no place."""
        before = self._world.data.qpos.copy()
        try:
            yield self._posed(target, rng)
        finally:
            self._world.data.qpos[:] = before

    def _posed(self, target: np.ndarray, rng: np.random.Generator) -> OwnView | None:
        world, body = self._world, self._world.body
        for _ in range(TRIES):
            away, bearing = rng.uniform(*_AWAY), rng.uniform(-math.pi, math.pi)
            base = Pose2(target[0] + away * math.cos(bearing), target[1] + away * math.sin(bearing),
                         rng.uniform(-math.pi, math.pi))
            if rng.random() < 0.7:  # the arm's side to the target, as for grasping
                facing = math.atan2(target[1] - base.y, target[0] - base.x)
                base = Pose2(base.x, base.y, facing - self._robot.arm_direction + rng.normal(0, 0.3))
            joints = _posture(self._robot, rng)
            aperture = float(rng.uniform(0, self._robot.aperture_max))
            body.place(world.data, base, joints, aperture)
            if not space.robot_overlaps(world, body):
                return self._looking(base, joints, target, rng)
        return None

    def _looking(self, base: Pose2, joints: dict[str, float], target: np.ndarray, rng: np.random.Generator) -> OwnView:
        world, body = self._world, self._world.body
        tool = body.link_pose(world.snapshot(), self._robot.tool_link)[:3, 3]
        held = self._hold(tool, rng) if rng.random() < _HOLDS else None
        point = tool if held is not None and rng.random() < _WATCHES else target
        point = point + rng.normal(0, 0.12, 3)
        head = look_joints(self._kinematics, joints, apply(inverse(base.matrix()), point))
        aperture = body.aperture(world.data) if held is None else self._width(held)
        body.place(world.data, base, {**joints, **head}, aperture)
        camera = body.link_pose(world.snapshot(), self._robot.camera_link)
        shift, turn = rng.normal(0, _SHAKE[0], 3), rng.normal(0, _SHAKE[1], 3)
        shake = transform(np.eye(3) + np.cross(np.eye(3), turn), shift)
        U, _, Vt = np.linalg.svd(shake[:3, :3])
        shake[:3, :3] = U @ Vt
        return OwnView(_upright(camera @ shake), held)

    def _hold(self, tool: np.ndarray, rng: np.random.Generator) -> str | None:
        """Puts a thing between the fingers, upright, and names it."""
        names = [name for name in self._world.placements if self._width(name) < _GRASPED]
        if not names:
            return None
        name = names[int(rng.integers(len(names)))]
        yaw = rng.uniform(-math.pi, math.pi)
        joint = self._world.data.joint(name)
        joint.qpos = (*tool, math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
        return name

    def _width(self, name: str) -> float:
        return min(self._world.placements[name].model.size[:2])


def _upright(T: np.ndarray) -> np.ndarray:
    """T_map_camera (4, 4) turned about its axis by right angles, as the pictures of a camera that lies on its side are
    before anybody looks at them."""
    quarter = np.array([[0.0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    for _ in range(3):
        if quarter_turns(T[:3, :3]) == 0:
            break
        T = T @ quarter
    return T


def _posture(robot: RobotDescription, rng: np.random.Generator) -> dict[str, float]:
    """Joints [m or rad]: at times as when driving, else the arm anywhere."""
    joints = dict(robot.home)
    if rng.random() < 0.2:
        return joints
    for name in robot.arm_joints:
        limit = robot.joints[name]
        joints[name] = float(rng.uniform(limit.lower, limit.upper))
    if rng.random() < 0.6:  # the hand level or hanging, as it mostly is
        for name in robot.arm_joints[-3:]:
            limit = robot.joints[name]
            joints[name] = float(np.clip(rng.choice([0.0, 0.0, -1.5]) + rng.normal(0, 0.1), limit.lower, limit.upper))
    return joints
