"""The body as a planner sees it: base, arm and hand with their collision shapes, and which of these may meet.

Pinocchio and coal on the URDF. Shapes that a joint connects, or that touch where the body is at rest (a telescope's
stages), never count as meeting each other: so MoveIt's setup assistant has it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations

import coal
import numpy as np
import pinocchio as pin

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2
from dadu.robots.kinematics import Kinematics, Posture

_TRUNK = 1
"""the joint by which the base moves over the floor, the first of the model"""


@lru_cache(maxsize=8)
def body_model(kinematics: Kinematics) -> BodyModel:
    """The model over `kinematics`, made once. Errors: ConfigError for a mesh that cannot be read."""
    return BodyModel(kinematics)


class BodyModel:
    """Configurations and collision shapes of one robot; its base is free in the plane."""

    def __init__(self, kinematics: Kinematics) -> None:
        """Errors: ConfigError for a mesh that cannot be read."""
        self.kinematics, self.robot = kinematics, kinematics.robot
        self.model = pin.buildModelFromXML(kinematics.xml, pin.JointModelPlanar())
        self.data = self.model.createData()
        try:
            self.geometry = pin.buildGeomFromUrdfString(self.model, kinematics.xml, pin.GeometryType.COLLISION)
        except ValueError as error:
            raise ConfigError(f"{self.robot.urdf}: a mesh cannot be read ({error})") from None
        self._prepare()
        first = self.model.getJointId(self.robot.arm_joints[0])
        self.arm_shapes = [i for i, shape in enumerate(self.geometry.geometryObjects)
                           if first in self.model.supports[shape.parentJoint]]
        """indices of the shapes that the arm moves"""
        for pair in self._may_not_meet():
            self.geometry.addCollisionPair(pin.CollisionPair(*pair))

    def configuration(self, posture: Posture, aperture: float, base: Pose2) -> np.ndarray:
        """float64 (n,) [m, rad] as Pinocchio has it: planning began with base_link at `base`, the fingers are
        `aperture` apart [m]."""
        share = aperture / self.robot.aperture_max
        fingers = {name: shut + share * (wide - shut) for name, (shut, wide) in self.robot.fingers.items()}
        x, y, yaw = self.robot.shifted(base, posture.drive)
        place = x, y, math.cos(yaw), math.sin(yaw)
        return np.concatenate([place, self.kinematics.configuration({**posture.joints, **fingers})])

    def load(self, T_tool_box: np.ndarray, size: np.ndarray) -> pin.GeometryObject:
        """A box in the hand: its pose (4, 4), and full extents (3,) [m]."""
        frame = self.model.frames[self.model.getFrameId(self.robot.tool_link, pin.FrameType.BODY)]
        return pin.GeometryObject("load", frame.parentJoint, frame.placement * pin.SE3(T_tool_box), coal.Box(*size))

    def _prepare(self) -> None:
        """Solid shapes; and the first joint's frame is base_link, whatever link carries that in the URDF."""
        T = pin.SE3(self.kinematics.T_base_root)
        for joint in range(_TRUNK + 1, self.model.njoints):
            if self.model.parents[joint] == _TRUNK:
                self.model.jointPlacements[joint] = T * self.model.jointPlacements[joint]
        for shape in self.geometry.geometryObjects:
            if isinstance(shape.geometry, coal.BVHModelBase):  # a mesh is a skin: what is within would not meet it
                _boxed(shape)
            if shape.parentJoint == _TRUNK:
                shape.placement = T * shape.placement
        for frame in self.model.frames:
            if frame.parentJoint == _TRUNK:
                frame.placement = T * frame.placement

    def _may_not_meet(self) -> list[tuple[int, int]]:
        """Pairs of shapes, by index."""
        shapes, parents = list(self.geometry.geometryObjects), self.model.parents
        pairs = []
        for a, b in combinations(range(len(shapes)), 2):
            i, j = shapes[a].parentJoint, shapes[b].parentJoint
            if i != j and parents[i] != j and parents[j] != i:
                pairs.append((a, b))
        every = self.geometry.copy()
        for pair in pairs:
            every.addCollisionPair(pin.CollisionPair(*pair))
        results, touching = every.createData(), set()
        for rest in (self.robot.stow, self.robot.home):
            q = self.configuration(Posture({**self.robot.home, **rest}), 0.0, Pose2(0.0, 0.0, 0.0))
            pin.computeCollisions(self.model, self.data, every, results, q, False)
            touching |= {pair for pair, result in zip(pairs, results.collisionResults, strict=True)
                         if result.isCollision()}
        return [pair for pair in pairs if pair not in touching]


def _boxed(shape: pin.GeometryObject) -> None:
    """Puts a box about a mesh in its place."""
    shape.geometry.computeLocalAABB()
    box = shape.geometry.aabb_local
    shape.placement = shape.placement * pin.SE3(np.eye(3), np.array(box.center()))
    shape.geometry = coal.Box(box.width(), box.height(), box.depth())
