"""Where tool and camera are for given joint positions: Pinocchio on the robot's URDF, with the base as extra freedom.

Frames: ``base`` is base_link where planning began. A `Posture` may move the base from there along its x axis, which a
differential base can do at any time: for an arm that extends sideways it is the missing lateral freedom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import pinocchio as pin

from dadu.core.errors import ConfigError, DaduError, choices
from dadu.core.robot import RobotDescription
from dadu.robots.urdf import joint_ranges, mimic_joints

_IndexedBox: TypeAlias = tuple[int, np.ndarray]
"""index of a collision shape, and half extents (3,) [m] of the box around it"""


class UnknownJoint(DaduError):
    """A joint that the robot does not have."""


@dataclass(frozen=True)
class Posture:
    """The whole body: arm, wrist and head positions [m or rad], and the base relative to where planning began."""

    joints: Mapping[str, float] = field(default_factory=dict)
    drive: float = 0.0
    """[m] along base x"""

    def with_joints(self, joints: Mapping[str, float]) -> Posture:
        """The same with some joints replaced."""
        return replace(self, joints={**self.joints, **joints})


class Kinematics:
    """Forward kinematics and Jacobians of one robot, by joint and frame names."""

    def __init__(self, robot: RobotDescription) -> None:
        """Errors: UnknownJoint when the description names a joint or frame that the URDF lacks; ConfigError for a URDF
        that is none."""
        self.robot = robot
        try:
            self._model = pin.buildModelFromUrdf(str(robot.urdf))
        except ValueError as error:
            raise ConfigError(f"{robot.urdf}: not a valid URDF; the parser said why above ({error})") from None
        self._data = self._model.createData()
        # Beside the arm's and the head's, the URDF's own free joints are the fingers', half the aperture each.
        self._fingers = [name for name in joint_ranges(robot.urdf) if name not in robot.joints]
        self._index = {name: self._joint(name) for name in (*robot.joints, *self._fingers)}
        self._followers = [(self._joint(name), source, factor, offset)
                           for name, source, factor, offset in mimic_joints(robot.urdf)]
        self._velocity = {name: self._model.joints[self._model.getJointId(name)].idx_v for name in robot.joints}
        self._frames = {name: self._frame(name) for name in (robot.tool_link, robot.camera_link)}
        self._geometry = pin.buildGeomFromUrdf(self._model, str(robot.urdf), pin.GeometryType.COLLISION)
        self._geometry_data = self._geometry.createData()
        self._moving_boxes: list[_IndexedBox] = []
        """of what the arm moves"""
        self._hand_boxes: list[_IndexedBox] = []
        self._trunk_boxes: list[_IndexedBox] = []
        """of what the wrist does not move"""
        self._sort_boxes()

    def tool(self, joints: Mapping[str, float]) -> np.ndarray:
        """T_base_tool (4, 4); joints left out are at zero."""
        return self.pose(self.robot.tool_link, joints)

    def camera(self, joints: Mapping[str, float]) -> np.ndarray:
        """T_base_camera (4, 4), optical frame."""
        return self.pose(self.robot.camera_link, joints)

    def pose(self, frame: str, joints: Mapping[str, float]) -> np.ndarray:
        """T_base_frame (4, 4) of any frame in the URDF."""
        if frame not in self._frames:
            self._frames[frame] = self._frame(frame)
        pin.framesForwardKinematics(self._model, self._data, self._configuration(joints))
        return self._data.oMf[self._frames[frame]].homogeneous.copy()

    def tool_at(self, posture: Posture) -> np.ndarray:
        """T_base_tool (4, 4) with the base moved as the posture says."""
        T = self.tool(posture.joints)
        T[0, 3] += posture.drive
        return T

    def jacobian(self, joints: Mapping[str, float]) -> np.ndarray:
        """(6, N): linear [m/s], then angular [rad/s] velocity of the tool in base_link, per arm joint at 1."""
        J = pin.computeFrameJacobian(self._model, self._data, self._configuration(joints),
                                     self._frames[self.robot.tool_link], pin.LOCAL_WORLD_ALIGNED)
        return J[:, [self._velocity[name] for name in self.robot.arm_joints]]

    def lifts(self, joint: str) -> bool:
        """True if `joint` slides straight up and down, as a lift does."""
        J = self.jacobian({})[:, self.robot.arm_joints.index(joint)]
        return bool(abs(J[2]) > 0.99 and np.linalg.norm(J[3:]) < 1e-6)

    @cached_property
    def lift(self) -> str:
        """The arm's joint that slides straight up and down and carries the rest of it; empty where there is none."""
        first = self.robot.arm_joints[0]
        return first if self.lifts(first) else ""

    def boxes(self, joints: Mapping[str, float], aperture: float) -> list[tuple[np.ndarray, np.ndarray]]:
        """Collision shapes of the links that the arm moves, as boxes: T_base_box (4, 4), half extents (3,) [m]."""
        q = self._configuration({**joints, **dict.fromkeys(self._fingers, aperture / 2)})
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._geometry_data, q)
        return [(self._geometry_data.oMg[i].homogeneous.copy(), half) for i, half in self._moving_boxes]

    def touches_itself(self, joints: Mapping[str, float], aperture: float) -> bool:
        """True if the hand runs into the robot's own trunk or arm."""
        q = self._configuration({**joints, **dict.fromkeys(self._fingers, aperture / 2)})
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._geometry_data, q)
        placed = [placement.homogeneous for placement in self._geometry_data.oMg]
        hand = np.concatenate([_grid(half) @ placed[i][:3, :3].T + placed[i][:3, 3] for i, half in self._hand_boxes])
        for i, half in self._trunk_boxes:
            local = (hand - placed[i][:3, 3]) @ placed[i][:3, :3]
            if (np.abs(local) < half).all(axis=1).any():
                return True
        return False

    def _sort_boxes(self) -> None:
        first, wrist = (self._model.getJointId(self.robot.arm_joints[i]) for i in (0, -3))
        for i, shape in enumerate(self._geometry.geometryObjects):
            box, carriers = (i, _half_extents(shape.geometry)), self._model.supports[shape.parentJoint]
            if first in carriers:
                self._moving_boxes.append(box)
            if wrist not in carriers:
                self._trunk_boxes.append(box)
            elif shape.parentJoint != wrist:
                self._hand_boxes.append(box)

    def _configuration(self, joints: Mapping[str, float]) -> np.ndarray:
        q = pin.neutral(self._model)
        for name, value in joints.items():
            if name in self._index:
                q[self._index[name]] = value
        for index, source, factor, offset in self._followers:
            q[index] = factor * q[self._index[source]] + offset
        return q

    def _joint(self, name: str) -> int:
        if not self._model.existJointName(name):
            raise UnknownJoint(f"{self.robot.urdf} has no joint {name!r}; it has: {choices(self._model.names, 40)}")
        return self._model.joints[self._model.getJointId(name)].idx_q

    def _frame(self, name: str) -> int:
        if not self._model.existFrame(name):
            frames = [frame.name for frame in self._model.frames]
            raise UnknownJoint(f"{self.robot.urdf} has no frame {name!r}; it has: {choices(frames, 60)}")
        return self._model.getFrameId(name)


def _half_extents(geometry: pin.CollisionGeometry) -> np.ndarray:
    """(3,) [m] of the box around a collision shape."""
    geometry.computeLocalAABB()
    box = geometry.aabb_local
    return np.array([box.width(), box.height(), box.depth()]) / 2


def _grid(half: np.ndarray) -> np.ndarray:
    """(125, 3) [m]: points that fill a box."""
    steps = np.linspace(-1.0, 1.0, 5)
    return np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3) * half
