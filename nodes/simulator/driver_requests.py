"""Goals for arm and gripper as anybody may send them: what is refused of them, and the rest in the library's terms."""

from __future__ import annotations

import math

from control_msgs.action import FollowJointTrajectory, GripperCommand

from dadu.core.robot import GripperCommand as Grip
from dadu.core.robot import RobotDescription
from dadu.replay import messages
from dadu.sim.mujoco.robot.joint_drive import InvalidTrajectory, JointDrive


def arm_refusal(request: FollowJointTrajectory.Goal, limits: JointDrive) -> str:
    """Why this trajectory is not followed; empty: it is."""
    names = request.trajectory.joint_names
    if twice := sorted({name for name in names if names.count(name) > 1}):
        return f"a trajectory names each joint once, not {', '.join(twice)} twice"
    if any(len(point.positions) != len(names) for point in request.trajectory.points):
        return "a trajectory point must have one position for each joint"
    try:
        limits.check(messages.trajectory(request.trajectory))
    except InvalidTrajectory as error:
        return str(error)
    return ""


def grip_refusal(request: GripperCommand.Goal) -> str:
    """Why the fingers are not moved; empty: they are."""
    finite = math.isfinite(request.command.position) and math.isfinite(request.command.max_effort)
    return "" if finite else "position and max_effort must be finite numbers"


def grip(request: GripperCommand.Goal, robot: RobotDescription) -> Grip:
    """No wider than the fingers open: such a goal would never end."""
    return Grip(min(request.command.position, robot.aperture_max), request.command.max_effort)
