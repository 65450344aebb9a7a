"""The robot's encoders and motors in a running state, in plain numbers.

Views of MuJoCo's arrays are taken once: what the drivers do a hundred times a second, between two steps that leave
nothing of them in the processor's caches, is paid for by what it touches rather than by what it computes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import mujoco

from dadu.core.robot import RobotDescription, Twist
from dadu.sim.mujoco.robot.body import RobotBody


class Motors:
    """Reads positions from one state and writes goals to it."""

    def __init__(self, body: RobotBody, data: mujoco.MjData) -> None:
        model = body.model
        self._qpos: memoryview[float] = memoryview(data.qpos)
        self._ctrl: memoryview[float] = memoryview(data.ctrl)
        self._force_limits = model.actuator_forcerange[body.grip_drive]
        self._base, self._yaw = body.base_drive.tolist(), int(body.base_addresses[2])
        self._joints, self._encoders = body.joint_drive.tolist(), body.joint_addresses.tolist()
        self._grip = body.grip_drive
        kp = model.actuator_gainprm[body.joint_drive, 0]
        self._damping = (-model.actuator_biasprm[body.joint_drive, 2] / kp).tolist()
        self.slack = (1.5 * model.actuator_forcerange[body.joint_drive, 1] / kp).tolist()
        """(n,) how far a set-point may lead its joint: half as much again as saturates the drive [m or rad]"""

    @property
    def positions(self) -> list[float]:
        """(n,) of the joints [m or rad]."""
        qpos = self._qpos
        return [qpos[i] for i in self._encoders]

    def drive_base(self, twist: Twist, dt: float) -> None:
        """Sets the base's velocity for `dt` [s]; the heading is taken at the middle of that time."""
        x, y, turn = self._base
        yaw = self._qpos[self._yaw] + twist.wz * dt / 2
        c, s = math.cos(yaw), math.sin(yaw)
        ctrl = self._ctrl
        ctrl[x], ctrl[y], ctrl[turn] = c * twist.vx - s * twist.vy, s * twist.vx + c * twist.vy, twist.wz

    def drive_joints(self, changed: Iterable[int], position: Sequence[float], velocity: Sequence[float]) -> None:
        """Sets the goals (n,) of joints that `changed`. The velocity (n,) cancels the lag of the drives' damping."""
        for i in changed:
            self._ctrl[self._joints[i]] = position[i] + self._damping[i] * velocity[i]

    def drive_gripper(self, setpoint: float, force: float) -> None:
        """Sets one finger's goal [m] and force limit [N]."""
        self._force_limits[:] = -2.0 * force, 2.0 * force
        self._ctrl[self._grip] = setpoint


class BaseDrive:
    """From commanded twists to the twist that the wheels follow now."""

    def __init__(self, robot: RobotDescription, watchdog: float) -> None:
        """`watchdog` [s]: silence after which the base brakes."""
        self._speed, self._acceleration, self._watchdog = robot.max_speed, robot.max_acceleration, watchdog
        self.reset()

    def reset(self) -> None:
        """At rest, nothing commanded."""
        self.twist = Twist()
        self._goal = Twist()
        self._heard = -1e9

    def command(self, twist: Twist, now: float) -> None:
        """Takes a new goal velocity at time `now` [s]."""
        self._goal, self._heard = twist, now

    def settled(self, now: float) -> bool:
        """True if it stands at time `now` [s], and is not told to move."""
        return self.twist == self._wanted(now) == Twist()

    def _wanted(self, now: float) -> Twist:
        return self._goal if now - self._heard <= self._watchdog else Twist()

    def step(self, now: float, dt: float) -> Twist:
        """The velocity in base_link for the next `dt` [s]."""
        goal = self._wanted(now)
        twist, top, change = self.twist, self._speed, self._acceleration
        if twist != goal:
            self.twist = Twist(_approach(twist.vx, goal.vx, top.vx, change.vx * dt),
                               _approach(twist.wz, goal.wz, top.wz, change.wz * dt),
                               _approach(twist.vy, goal.vy, top.vy, change.vy * dt))
        return self.twist


def _approach(value: float, goal: float, limit: float, step: float) -> float:
    goal = max(-limit, min(limit, goal))
    return value + max(-step, min(step, goal - value))
