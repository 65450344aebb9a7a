"""Where the robot's numbers lie in MuJoCo's arrays: reads joints, efforts and frames, writes poses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

import mujoco
import numpy as np

from dadu.core.geometry import Pose2, transform
from dadu.core.robot import RobotDescription, Twist
from dadu.sim.mujoco.robot.gripper_drive import GripperState
from dadu.sim.mujoco.robot.model import BASE_JOINTS, FINGER_JOINTS, GRIPPER, PADS, prefix_of
from dadu.world.graph import ROBOT


class RobotBody:
    """Index tables for one robot in one model; holds no state."""

    def __init__(self, model: mujoco.MjModel, robot: RobotDescription, name: str = ROBOT) -> None:
        self.description, self.name = robot, name
        self.prefix = prefix_of(name)
        """how its names begin in the model"""
        self.joints = tuple(robot.joints)
        self.model = model
        self.base_addresses = np.array([model.joint(self.prefix + name).qposadr[0] for name in BASE_JOINTS])
        self._base_dof = np.array([model.joint(self.prefix + name).dofadr[0] for name in BASE_JOINTS])
        self.joint_addresses = np.array([model.joint(self.prefix + name).qposadr[0] for name in self.joints])
        self.finger_addresses = np.array([model.joint(self.prefix + name).qposadr[0] for name in FINGER_JOINTS])
        self.base_drive = np.array([model.actuator(self.prefix + name).id for name in BASE_JOINTS])
        self.joint_drive = np.array([model.actuator(self.prefix + name).id for name in self.joints])
        self.grip_drive = model.actuator(self.prefix + GRIPPER).id
        self._root = model.body(self.prefix + self.description.base_link).id
        self._links = {model.body(i).name.removeprefix(self.prefix): i for i in range(model.nbody)
                       if model.body_rootid[i] == self._root}
        self.pads = tuple(int(model.body_geomadr[self._links[name]]) + k for name in PADS
                          for k in range(model.body_geomnum[self._links[name]])
                          if model.geom_contype[model.body_geomadr[self._links[name]] + k])

    def owns(self, geom: int) -> bool:
        """True if a geom belongs to the robot."""
        return self.model.body_rootid[self.model.geom_bodyid[geom]] == self._root

    @cached_property
    def geoms(self) -> np.ndarray:
        """int (n,): indices of all geoms that belong to the robot."""
        return np.flatnonzero(self.model.body_rootid[self.model.geom_bodyid] == self._root)

    def base_pose(self, data: mujoco.MjData) -> Pose2:
        """base_link in map; yaw in (-pi, pi]."""
        x, y, yaw = data.qpos[self.base_addresses]
        return Pose2(float(x), float(y), math.remainder(float(yaw), 2 * math.pi))

    def base_twist(self, data: mujoco.MjData) -> Twist:
        """The true velocity, in base_link."""
        vx, vy, wz = data.qvel[self._base_dof]
        yaw = data.qpos[self.base_addresses[2]]
        c, s = math.cos(yaw), math.sin(yaw)
        return Twist(float(c * vx + s * vy), float(wz), float(c * vy - s * vx))

    def positions(self, data: mujoco.MjData) -> np.ndarray:
        """(n,) in the order of `joints` [m or rad]."""
        return data.qpos[self.joint_addresses]

    def efforts(self, data: mujoco.MjData) -> np.ndarray:
        """(n,) [N or Nm]: what each drive gives; links carry their own weight, so this is what works on them."""
        return data.actuator_force[self.joint_drive]

    def gripper(self, data: mujoco.MjData) -> GripperState:
        """Aperture and closing effort."""
        return GripperState(self.aperture(data), -float(data.actuator_force[self.grip_drive]) / 2)

    def aperture(self, data: mujoco.MjData) -> float:
        """Gap between the fingertips [m]."""
        return max(0.0, float(data.qpos[self.finger_addresses].sum()))

    def link_pose(self, data: mujoco.MjData, link: str) -> np.ndarray:
        """T_map_link (4, 4), as of the last kinematics."""
        i = self._links[link]
        return transform(data.xmat[i].reshape(3, 3), data.xpos[i])

    def poses_in_parents(self, data: mujoco.MjData, links: tuple[tuple[str, str], ...]) -> np.ndarray:
        """T_parent_child (n, 4, 4) [m] of (parent, child) pairs, as of the last kinematics."""
        above, below = np.array([[self._links[name] for name in pair] for pair in links], int).reshape(-1, 2).T
        to_parent = data.xmat[above].reshape(-1, 3, 3).transpose(0, 2, 1)
        poses = np.zeros((len(links), 4, 4))
        poses[:, :3, :3] = to_parent @ data.xmat[below].reshape(-1, 3, 3)
        poses[:, :3, 3:] = to_parent @ (data.xpos[below] - data.xpos[above])[..., None]
        poses[:, 3, 3] = 1.0
        return poses

    @cached_property
    def moving_links(self) -> tuple[tuple[str, str], ...]:
        """(parent, child) of the links on joints."""
        return self._link_pairs(True)

    @cached_property
    def fixed_links(self) -> tuple[tuple[str, str], ...]:
        """(parent, child) of the links that sit fast on their parents."""
        return self._link_pairs(False)

    def _link_pairs(self, moving: bool) -> tuple[tuple[str, str], ...]:
        names = {i: name for name, i in self._links.items()}
        return tuple((names[self.model.body_parentid[i]], name) for name, i in self._links.items()
                     if i != self._root and (self.model.body_jntnum[i] > 0) == moving)

    def place(self, data: mujoco.MjData, pose: Pose2, joints: Mapping[str, float], aperture: float = 0.0) -> None:
        """Puts the body somewhere at rest, drives included."""
        data.qpos[self.base_addresses] = pose
        positions = [joints.get(name, 0.0) for name in self.joints]
        data.qpos[self.joint_addresses] = positions
        data.qpos[self.finger_addresses] = aperture / 2
        # Brings the mimic joints (telescope stages, right finger) in line with the joints they follow.
        model = self.model
        for i in np.flatnonzero(model.eq_type == mujoco.mjtEq.mjEQ_JOINT):
            follower, leader = model.eq_obj1id[i], model.eq_obj2id[i]
            if model.joint(follower).name.startswith(self.prefix):
                value = data.qpos[model.jnt_qposadr[leader]]
                data.qpos[model.jnt_qposadr[follower]] = np.polynomial.polynomial.polyval(value, model.eq_data[i, :5])
        data.ctrl[self.joint_drive] = positions
        data.ctrl[self.grip_drive] = aperture / 2
        data.ctrl[self.base_drive] = 0.0
