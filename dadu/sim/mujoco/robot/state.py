"""What the robot's drivers report between two steps: joints, efforts, velocities and the pose of every link."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Twist
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.gripper_drive import GripperState


@dataclass(frozen=True)
class LinkPose:
    """One link in its parent link."""

    parent: str
    child: str
    T: np.ndarray
    """T_parent_child (4, 4)"""


@dataclass(frozen=True)
class RobotState:
    """One sample."""

    stamp: float
    base: Pose2
    """true base_link in map"""
    twist: Twist
    """true velocity in base_link"""
    joints: dict[str, float]
    """[m or rad]"""
    efforts: dict[str, float]
    """[N or Nm]"""
    gripper: GripperState
    links: tuple[LinkPose, ...]
    """the links that move against their parents"""


def robot_state(body: RobotBody, data: mujoco.MjData, view: mujoco.MjData) -> RobotState:
    """The state now, as `data` has it; `view` is the simulation's newest snapshot."""
    return RobotState(
        stamp=data.time,
        base=body.base_pose(data),
        twist=body.base_twist(data),
        joints=dict(zip(body.joints, body.positions(data).tolist())),
        efforts=dict(zip(body.joints, body.efforts(data).tolist())),
        gripper=body.gripper(data),
        links=tuple(link_poses(body, view, body.moving_links)),
    )


def link_poses(body: RobotBody, view: mujoco.MjData, links: tuple[tuple[str, str], ...]) -> list[LinkPose]:
    """Of (parent, child) pairs."""
    poses = body.poses_in_parents(view, links)
    return [LinkPose(parent, child, T) for (parent, child), T in zip(links, poses)]
