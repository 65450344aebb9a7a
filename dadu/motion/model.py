"""The body as a planner sees it: base, arm and hand with their collision shapes, and which of these may meet.

Pinocchio and coal on the URDF. Shapes that a joint connects, that slide along one line (stages of a telescope), that
belong to the hand, or that touch however the arm is bent never count as meeting each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

import coal
import numpy as np
import pinocchio as pin

from dadu.core.errors import ConfigError, choices
from dadu.core.geometry import Pose2
from dadu.robots.kinematics import Kinematics, Posture

_TRUNK = 1
"""the joint by which the base moves over the floor, the first of the model"""
_BENDS = 50
"""random postures in which what touches at rest is looked at: a chance of a tenth to be free escapes one time in 190"""


@lru_cache(maxsize=8)
def body_model(kinematics: Kinematics) -> BodyModel:
    """The model over `kinematics`, made once. Errors as of `BodyModel`."""
    return BodyModel(kinematics)


class BodyModel:
    """Configurations and collision shapes of one robot; its base is free in the plane."""

    def __init__(self, kinematics: Kinematics) -> None:
        """Errors: ConfigError for a mesh that cannot be read, or links that touch at rest and need not."""
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
        """Pairs of shapes, by index. Errors: ConfigError naming two that touch at rest, and need not."""
        every, supports, parents = self.geometry.copy(), self.model.supports, self.model.parents
        tool = self.model.getFrameId(self.robot.tool_link, pin.FrameType.BODY)
        hand, at_rest = self.model.frames[tool].parentJoint, self._rest(self.robot.stow)
        moves = pin.computeJointJacobians(self.model, self.data, at_rest)
        for (a, one), (b, other) in combinations(enumerate(every.geometryObjects), 2):
            i, j = one.parentJoint, other.parentJoint
            between = moves[:, [self.model.idx_vs[joint] + v for joint in set(supports[i]) ^ set(supports[j])
                                for v in range(self.model.nvs[joint])]]
            in_line = not between[3:].any() and np.linalg.matrix_rank(between, tol=0.1) <= 1  # calibrated axes differ
            if not (in_line or parents[i] == j or parents[j] == i or hand in supports[i] and hand in supports[j]):
                every.addCollisionPair(pin.CollisionPair(a, b))
        pairs, results = [(pair.first, pair.second) for pair in every.collisionPairs], every.createData()

        def touching(q: np.ndarray) -> set[tuple[int, int]]:
            pin.computeCollisions(self.model, self.data, every, results, q, False)
            return {pair for pair, result in zip(pairs, results.collisionResults, strict=True) if result.isCollision()}
        always = found = touching(at_rest) | touching(self._rest(self.robot.home))
        random = np.random.default_rng(0)
        for _ in range(_BENDS if found else 0):
            always = always & touching(self._rest({name: random.uniform(limit.lower, limit.upper)
                                                   for name, limit in self.robot.joints.items()}))
        for pair in sorted(found - always):
            links = choices(every.geometryObjects[shape].name.rpartition("_")[0] for shape in pair)
            raise ConfigError(f"{self.robot.urdf}: the links {links} touch in the posture 'stow' or 'home' of robot "
                              f"{self.robot.name!r}, not in others: give another posture or smaller collision shapes")
        return [pair for pair in pairs if pair not in always]

    def _rest(self, joints: Mapping[str, float]) -> np.ndarray:
        """The configuration with the arm and head at `joints`, the hand closed."""
        return self.configuration(Posture({**self.robot.home, **joints}), 0.0, Pose2(0.0, 0.0, 0.0))


def _boxed(shape: pin.GeometryObject) -> None:
    """Puts a box about a mesh in its place."""
    shape.geometry.computeLocalAABB()
    box = shape.geometry.aabb_local
    shape.placement = shape.placement * pin.SE3(np.eye(3), np.array(box.center()))
    shape.geometry = coal.Box(box.width(), box.height(), box.depth())
