"""A body's state and commands as vectors: the one order in which demonstrations are written and policies are asked."""

from __future__ import annotations

import numpy as np

from dadu.core.robot import Observation, RobotDescription
from dadu.robots.set_points import APERTURE


def joint_names(robot: RobotDescription) -> tuple[str, ...]:
    """Arm, wrist and head, then the gap between the fingertips."""
    return (*robot.joints, APERTURE)


def state_names(robot: RobotDescription) -> list[str]:
    """Joints [m or rad], then where the base takes itself to be, map [m, m, rad]."""
    return [*joint_names(robot), "base_x", "base_y", "base_yaw"]


def action_names(robot: RobotDescription) -> list[str]:
    """Set-points of the joints [m or rad], then the base's velocities [m/s, rad/s, m/s], sideways only of a base that
    can."""
    return [*joint_names(robot), "base_vx", "base_wz", *(["base_vy"] if robot.max_speed.vy else [])]


def state(observation: Observation, robot: RobotDescription) -> np.ndarray:
    """float32 (D,) [m, rad] as `state_names` says; a joint that is not heard of is 0."""
    joints = [observation.joints.get(name, 0.0) for name in robot.joints]
    return np.array([*joints, observation.aperture, *observation.base_pose], np.float32)


def effort(observation: Observation, robot: RobotDescription) -> np.ndarray:
    """float32 (D,) [N or Nm] of the joints, the fingers' closing force last."""
    return np.array([*(observation.efforts.get(name, 0.0) for name in robot.joints), observation.grip_effort],
                    np.float32)
