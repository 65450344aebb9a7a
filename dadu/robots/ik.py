"""Inverse kinematics of the tool: damped least squares within limits, several starts, the base as extra freedom.

Source: damped least squares after Nakamura and Hanafusa (1986); joints at a limit are left out of the step
(active set), so the others take over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pinocchio as pin

from dadu.core.errors import DaduError
from dadu.robots.kinematics import Kinematics, Posture
from dadu.robots.manipulator_settings import IkSettings

ALL = (True,) * 6
"""Every row of a tool pose counts: x, y, z, then rotation about x, y, z of base."""
_STILL = 1e-6
"""a step by less [m or rad] leads nowhere: the nearest that there is"""
_IDENTITY = np.eye(6)
HEIGHT_AND_ROTATION = (False, False, True, True, True, True)
_POSITION, _ROTATION = 0.001, 0.01
"""errors with which a pose is reached [m], [rad]"""
_STEP = 0.3
"""largest change of a variable in an iteration [m or rad]"""


class NoSolution(DaduError):
    """No posture within limits puts the tool there; the text says how near the best one came."""


def solve(kinematics: Kinematics, T_base_tool: np.ndarray, seed: Posture, drive: tuple[float, float] | None = None,
          rows: tuple[bool, ...] = ALL, settings: IkSettings | None = None,
          accept: Callable[[Posture], bool] = lambda posture: True) -> Posture:
    """A posture that puts the tool at `T_base_tool` (4, 4), near `seed` if one is there.

    `drive` is the range of the base's displacement [m]; None keeps the seed's. `rows` says which of the pose's six
    errors count. Joints other than the arm's keep the seed's values. Of several postures it is the first that `accept`
    takes: one in which the arm does not touch its own body. Errors: NoSolution.
    """
    settings = settings or IkSettings()
    problem = _Problem(kinematics, np.asarray(T_base_tool, float), seed, drive or (seed.drive, seed.drive), rows)
    best, refused = np.inf, False
    for start in problem.starts(settings.starts):
        x, position, rotation = problem.descend(start, settings)
        if position <= _POSITION and rotation <= _ROTATION:
            if accept(found := problem.posture(x)):
                return found
            refused = True
        best = min(best, position + 0.3 * rotation)
    x, y, z = T_base_tool[:3, 3]
    why = "its own body would be in the way" if refused else f"the nearest try missed by {100 * best:.1f} cm"
    raise NoSolution(f"the arm cannot bring the tool to ({x:.2f}, {y:.2f}, {z:.2f}) in base_link in that direction; "
                     f"{why}")


class _Problem:
    """Variables x (n,): arm joints, then drive."""

    def __init__(self, kinematics: Kinematics, goal: np.ndarray, seed: Posture, drive: tuple[float, float],
                 rows: tuple[bool, ...]) -> None:
        self.kinematics, self.goal, self.seed, self.rows = kinematics, goal, seed, np.array(rows)
        self.names = kinematics.robot.arm_joints
        limits = [kinematics.robot.joints[name] for name in self.names]
        self.lower = np.array([limit.lower for limit in limits] + [drive[0]])
        self.upper = np.array([limit.upper for limit in limits] + [drive[1]])

    def starts(self, count: int) -> Iterator[np.ndarray]:
        first = np.array([self.seed.joints.get(name, 0.0) for name in self.names] + [self.seed.drive])
        yield np.clip(first, self.lower, self.upper)
        random = np.random.default_rng(0)
        for _ in range(count - 1):
            yield random.uniform(self.lower, self.upper)

    def posture(self, x: np.ndarray) -> Posture:
        joints = {**self.seed.joints, **dict(zip(self.names, map(float, x[:-1]), strict=True))}
        return Posture(joints, drive=float(x[-1]))

    def descend(self, x: np.ndarray, settings: IkSettings) -> tuple[np.ndarray, float, float]:
        """Returns x with its position error [m] and rotation error [rad]."""
        for _ in range(settings.iterations):
            error, J = self.linearise(x)
            position, rotation = float(np.linalg.norm(error[:3])), float(np.linalg.norm(error[3:]))
            if position < 0.2 * _POSITION and rotation < 0.2 * _ROTATION:
                break
            last, x = x, self.step(x, error, J, settings)
            if np.abs(x - last).max() < _STILL:
                break
        return x, position, rotation

    def step(self, x: np.ndarray, error: np.ndarray, J: np.ndarray, settings: IkSettings) -> np.ndarray:
        free = self.upper > self.lower
        damping = (settings.damping**2 * np.linalg.norm(error) + 1e-9) * _IDENTITY
        for _ in range(3):
            A = J[:, free]
            dx = np.zeros_like(x)
            dx[free] = (A.T @ np.linalg.solve(A @ A.T + damping, error)).clip(-_STEP, _STEP)
            blocked = free & (((x <= self.lower) & (dx < 0)) | ((x >= self.upper) & (dx > 0)))
            if not blocked.any():
                break
            free = free & ~blocked
        return (x + dx).clip(self.lower, self.upper)

    def linearise(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tool's error (6,) [m, rad] in base and its derivative (6, n); rows that do not count are zero."""
        J = np.zeros((6, len(x)))
        T, J[:, :-1] = self.kinematics.tool_and_jacobian(self.posture(x).joints)
        J[:2, -1] = shift = np.array(self.kinematics.robot.shift_direction)
        error = np.concatenate([self.goal[:3, 3] - T[:3, 3], pin.log3(self.goal[:3, :3] @ T[:3, :3].T)])
        error[:2] -= x[-1] * shift
        return error * self.rows, J * self.rows[:, None]
