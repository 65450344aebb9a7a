"""A lock-step bench: the simulated flat, a robot put straight at its place, detections as perception makes them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np

from dadu.core.geometry import Pose2, apply, inverse
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.manipulation.support import surfaces
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.robots import load_robot
from dadu.sim.mujoco.robot.model import BASE_JOINTS
from dadu.sim.mujoco.simulation import Simulation
from dadu.skills.generator import Skill, run
from dadu.skills.outcome import SkillResult
from dadu.skills.scene import Scene
from dadu.world.graph import Relation, WorldGraph


class Bench:
    """The graph knows all objects of the house file; what is scattered by the seed it has to see."""

    def __init__(self, seed: int = -1, house: str = "flat", robot: str | Path = "stretch") -> None:
        self.robot = load_robot(robot)
        self.house = load_house(house)
        self.sim = Simulation(self.house, self.robot, seed)
        categories = dict(zip(self.sim.instance_names, self.sim.instance_categories, strict=True))
        self.detector = InstanceDetector(self.sim.instance_names, categories)
        self.scene = Scene(graph=build_graph(self.house, "all"))
        self._stamp = -1.0

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
        camera = self.sim.robot.observe().camera
        if camera is not None and camera.stamp != self._stamp:
            self._stamp = camera.stamp
            self.scene.frame = perceive(camera, self.detector)

    def run(self, skill: Skill, timeout: float = 150.0) -> SkillResult:
        return run(skill, self.sim.robot, self.advance, timeout=timeout)

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
