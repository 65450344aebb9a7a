"""A lock-step bench: the simulated flat, a robot put straight at its place, detections as perception makes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import mujoco
import numpy as np

from dadu.core.geometry import Pose2, apply, inverse
from dadu.core.robot import CameraFrame, Command, Observation
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.manipulation.support import surfaces
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.robots import load_robot
from dadu.sim.mujoco.robot.model import BASE_JOINTS
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.settings import SimulationSettings
from dadu.skills.generator import Skill, run
from dadu.skills.outcome import SkillResult
from dadu.skills.scene import Scene
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Relation, WorldGraph


class Picture:
    """What `CameraFrame` has, drawn and searched once somebody looks at it, of the world as it was when it was taken:
    skills look at few of those that come."""

    def __init__(self, sim: Simulation, detector: InstanceDetector) -> None:
        self.stamp, self._sim, self._detector = sim.time, sim, detector
        self._view = sim.snapshot(mujoco.MjData(sim.model))

    @cached_property
    def drawn(self) -> CameraFrame:
        return self._sim.robot.sensors.camera.render(self._view, self.stamp)

    @cached_property
    def seen(self) -> DetectionFrame:
        return perceive(self.drawn, self._detector)

    def __getattr__(self, name: str):
        return getattr(self.drawn, name)


class _Scene(Scene):
    """With what is seen in the newest picture."""

    look: Callable[[], DetectionFrame | None]

    @property
    def frame(self) -> DetectionFrame | None:
        return self.look()

    @frame.setter
    def frame(self, frame: DetectionFrame | None) -> None:
        self.look = lambda: frame


class Bench:
    """The graph knows all objects of the house file; what is scattered by the seed it has to see."""

    def __init__(self, seed: int = -1, house: str = "flat", robot: str | Path = "stretch",
                 person: bool = False) -> None:
        self.robot = load_robot(robot)
        self.house = load_house(house)
        settings = SimulationSettings(person=person)
        self._period = 1.0 / settings.camera.rate
        without = settings.camera.model_copy(update={"rate": 0.0})  # the pictures are the bench's
        self.sim = Simulation(self.house, self.robot, seed, settings.model_copy(update={"camera": without}))
        categories = dict(zip(self.sim.instance_names, self.sim.instance_categories, strict=True))
        self.detector = InstanceDetector(self.sim.instance_names, categories)
        self.scene = _Scene(graph=build_graph(self.house, "all"))
        self._picture: Picture | None = None
        self._due = 0.0

    def facing(self, target, outward: float, distance: float, aside: float = 0.0) -> Pose2:
        """A base pose `distance` [m] from `target` (2,) along `outward` [rad], the arm side towards it."""
        c, s = np.cos(outward), np.sin(outward)
        return Pose2(target[0] + distance * c - aside * s, target[1] + distance * s + aside * c,
                     outward + np.pi - self.robot.arm_direction)

    def stand(self, target, outward: float, distance: float, aside: float = 0.0) -> None:
        """Puts the robot there."""
        self.place_robot(self.facing(target, outward, distance, aside))

    def place_robot(self, pose: Pose2) -> None:
        self.sim.body.place(self.sim.data, pose, self.robot.home)
        self.sim.robot.reset()
        self._due = 0.0
        self.advance(0.5)

    def carry_to(self, pose: Pose2, held: str) -> None:
        """Moves base and held object together, grip and all: stands in for driving."""
        data = self.sim.data
        T = pose.matrix() @ inverse(self.sim.body.base_pose(data).matrix())
        start = self.sim.model.jnt_qposadr[self.sim.model.body(held).jntadr[0]]
        data.qpos[start:start + 3] = apply(T, data.qpos[start:start + 3])
        turned, turn = np.zeros(4), np.zeros(4)
        mujoco.mju_mat2Quat(turn, T[:3, :3].ravel())
        mujoco.mju_mulQuat(turned, turn, data.qpos[start + 3:start + 7])
        data.qpos[start + 3:start + 7] = turned
        for name, value in zip(BASE_JOINTS, pose, strict=True):
            data.joint(self.sim.body.prefix + name).qpos[0] = value
        mujoco.mj_forward(self.sim.model, data)
        self.advance(0.3)

    def advance(self, dt: float) -> None:
        self.sim.advance(dt)
        if self.sim.time >= self._due - 1e-6:
            picture = self._picture = Picture(self.sim, self.detector)
            self.scene.look = lambda: picture.seen
            self._due = picture.stamp + self._period

    def observe(self) -> Observation:
        return replace(self.sim.robot.observe(), camera=self._picture)

    def act(self, command: Command) -> None:
        self.sim.robot.act(command)

    def run(self, skill: Skill, timeout: float = 150.0) -> SkillResult:
        return run(skill, self, self.advance, timeout=timeout)

    @property
    def graph(self) -> WorldGraph:
        return self.scene.graph

    def position(self, name: str) -> np.ndarray:
        """True position of an object (3,) [m]; for judging, not for the skills."""
        return self.sim.data.body(name).xpos.copy()

    def set_part(self, furniture: str, part: str, value: float) -> None:
        """Opens or closes a part in the simulation and in the graph; a drawer carries along what is in it."""
        joint, entity = self.sim.data.joint(f"{furniture}/{part}"), self.graph[furniture]
        moved = next(p for p in entity.parts if p.name == part)
        if moved.kind == "slide":
            for thing in self.graph.contents(furniture, Relation.IN):
                self.sim.data.joint(thing.id).qpos[:3] += (value - joint.qpos[0]) * np.array(moved.axis)
        joint.qpos[0] = value
        parts = tuple(replace(p, value=value) if p.name == part else p for p in entity.parts)
        self.graph.change(furniture, parts=parts)

    def part(self, furniture: str, part: str) -> float:
        """True value of a part."""
        return float(self.sim.data.joint(f"{furniture}/{part}").qpos[0])

    def surface(self, furniture: str, name: str):
        return next(s for s in surfaces(self.graph[furniture]) if s.name == name)
