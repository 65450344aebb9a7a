"""Where tool and camera are for given joint positions: Pinocchio on the robot's URDF, with the base as extra freedom.

Frames: ``base`` is base_link where planning began. A `Posture` may shift the base from there the way that it can go at
any time, along `RobotDescription.shift_direction`: for an arm that extends across that it is the missing freedom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pinocchio as pin

from dadu.core.errors import ConfigError, DaduError, choices
from dadu.core.robot import RobotDescription
from dadu.robots.meshes import with_collision_meshes
from dadu.robots.urdf import SINGLE, read_urdf


class UnknownJoint(DaduError):
    """A joint that the robot does not have."""


@dataclass(frozen=True)
class Posture:
    """The whole body: arm, wrist and head positions [m or rad], and the base relative to where planning began."""

    joints: Mapping[str, float] = field(default_factory=dict)
    drive: float = 0.0
    """[m] along `RobotDescription.shift_direction`"""

    def with_joints(self, joints: Mapping[str, float]) -> Posture:
        """The same with some joints replaced."""
        return replace(self, joints={**self.joints, **joints})


class Kinematics:
    """Forward kinematics and Jacobians of one robot, by joint and frame names."""

    def __init__(self, robot: RobotDescription) -> None:
        """Errors: UnknownJoint when the description names a joint or frame that the URDF lacks; ConfigError for a URDF
        that is none, or whose meshes are missing."""
        self.robot = robot
        self._urdf = read_urdf(robot.urdf)
        self.xml = with_collision_meshes(self._urdf)
        try:
            self._model = pin.buildModelFromXML(self.xml)
        except ValueError as error:
            raise ConfigError(f"{robot.urdf}: not a valid URDF; the parser said why above ({error})") from None
        self._data = self._model.createData()
        self._followers = self._urdf.followers
        self._index = {joint.name: self._joint(joint.name) for joint in self._urdf.joints.values()
                       if joint.kind in SINGLE}
        self._neutral = pin.neutral(self._model)
        self._places = {name: (self._model.joints[id].idx_q, self._model.joints[id].nq)
                        for name, id in self._index.items()}
        for name in (*robot.joints, *robot.fingers):
            self._joint(name)
        self._frames = {name: self._frame(name) for name in (robot.tool_link, robot.camera_link, robot.base_link)}
        pin.framesForwardKinematics(self._model, self._data, self._neutral)
        self._moves = self._arm_moves()
        self.T_base_root = np.linalg.inv(self._data.oMf[self._frames[robot.base_link]].homogeneous)
        self._turned = np.kron(np.eye(2), self.T_base_root[:3, :3])

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
        pin.framesForwardKinematics(self._model, self._data, self.configuration(joints))
        return self.T_base_root @ self._data.oMf[self._frames[frame]].homogeneous

    def tool_at(self, posture: Posture) -> np.ndarray:
        """T_base_tool (4, 4) with the base moved as the posture says."""
        T = self.tool(posture.joints)
        T[:2, 3] += np.multiply(posture.drive, self.robot.shift_direction)
        return T

    def jacobian(self, joints: Mapping[str, float]) -> np.ndarray:
        """(6, N): linear [m/s], then angular [rad/s] velocity of the tool in base_link, per arm joint at 1."""
        return self.tool_and_jacobian(joints)[1]

    def tool_and_jacobian(self, joints: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
        """T_base_tool (4, 4) and `jacobian`, (6, N) [m/s, rad/s] in base_link, in one pass."""
        frame = self._frames[self.robot.tool_link]
        J = pin.computeFrameJacobian(self._model, self._data, self.configuration(joints), frame,
                                     pin.LOCAL_WORLD_ALIGNED)
        return self.T_base_root @ self._data.oMf[frame].homogeneous, self._turned @ J @ self._moves

    def lifts(self, joint: str) -> bool:
        """True if `joint` slides straight up and down, as a lift does."""
        J = self.jacobian({})[:, self.robot.arm_joints.index(joint)]
        return bool(abs(J[2]) > 0.99 and np.linalg.norm(J[3:]) < 1e-6)

    @cached_property
    def camera_on_arm(self) -> bool:
        """True if the arm carries the camera; it is on a head, or fixed, else."""
        frame = self._model.frames[self._frames[self.robot.camera_link]]
        return any(self._index[name] in self._model.supports[frame.parentJoint] for name in self.robot.arm_joints)

    @cached_property
    def holds_any_pose(self) -> bool:
        """True if the arm by itself moves the hand all six ways: it needs no help from the base for a pose in its
        reach."""
        limits = [self.robot.joints[name] for name in self.robot.arm_joints]
        amid = {name: limit.lower + 0.4 * (limit.upper - limit.lower)  # no joint at an end or in its middle, where
                for name, limit in zip(self.robot.arm_joints, limits, strict=True)}  # arms are apt to be singular
        return int(np.linalg.matrix_rank(self.jacobian(amid), tol=1e-2)) == 6

    @cached_property
    def longest_reach(self) -> float:
        """The tool is never farther from base_link's axis [m]: the links, laid end to end, and what slides, all the way
        out."""
        joints = [self._urdf.joints[name] for name in self.robot.arm_joints]
        places = [self.pose(link, {})[:3, 3] for link in (*(joint.child for joint in joints), self.robot.tool_link)]
        out = sum(max(map(abs, joint.range)) for joint in joints if joint.kind == "prismatic")
        return float(np.linalg.norm(places[0][:2]) + np.linalg.norm(np.diff(places, axis=0), axis=1).sum() + out)

    def slides(self, joint: str) -> bool:
        """True if `joint` is no turning one."""
        return self._urdf.joints[joint].kind == "prismatic"

    @cached_property
    def lift(self) -> str:
        """The arm's joint that slides straight up and down and carries the rest of it; empty where there is none."""
        first = self.robot.arm_joints[0]
        return first if self.lifts(first) else ""

    def _arm_moves(self) -> np.ndarray:
        """(nv, N): how fast every joint moves per arm joint at 1, those that follow one among them."""
        moves = np.zeros((self._model.nv, len(self.robot.arm_joints)))
        for name, leader, factor in [*((name, name, 1.0) for name in self.robot.arm_joints),
                                     *((name, leader, factor) for name, leader, factor, _ in self._followers)]:
            if leader in self.robot.arm_joints:
                moves[self._model.joints[self._index[name]].idx_v, self.robot.arm_joints.index(leader)] = factor
        return moves

    def configuration(self, joints: Mapping[str, float]) -> np.ndarray:
        """float64 (n,) [m, rad] as Pinocchio has it; what follows another joint follows it."""
        values = dict(joints)
        for name, leader, factor, offset in self._followers:
            values[name] = factor * values.get(leader, 0.0) + offset
        q = self._neutral.copy()
        for name, value in values.items():
            if name in self._places:
                at, size = self._places[name]  # a continuous one is a cosine and a sine
                if size == 2:
                    q[at:at + 2] = np.cos(value), np.sin(value)
                else:
                    q[at] = value
        return q

    def _joint(self, name: str) -> int:
        if not self._model.existJointName(name):
            raise UnknownJoint(f"{self.robot.urdf} has no joint {name!r}; it has: {choices(self._model.names, 40)}")
        return self._model.getJointId(name)

    def _frame(self, name: str) -> int:
        if not self._model.existFrame(name, pin.FrameType.BODY):  # a joint may have the name of a link
            frames = [frame.name for frame in self._model.frames]
            raise UnknownJoint(f"{self.robot.urdf} has no frame {name!r}; it has: {choices(frames, 60)}")
        return self._model.getFrameId(name, pin.FrameType.BODY)
