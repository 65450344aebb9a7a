"""Feeling that a held object stands: the effort that lowers it falls when the support takes the load."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dadu.core.robot import Observation
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture

SETTLING = 0.4
"""of a descent whose efforts still swing [s]"""
BASELINE = 5
"""observations that make the baseline"""


class Touchdown:
    """Called with every observation of a descent; true once the object stands.

    Where the robot reports no efforts, the descent ends by itself at its last posture.
    """

    def __init__(self, body: Manipulator, descent: Sequence[Posture]) -> None:
        first, last = descent[0].joints, descent[-1].joints
        joint = max(body.robot.arm_joints, key=lambda name: abs(last[name] - first[name]))
        self._kinematics = body.kinematics
        # A lift feels the load itself; an arm of turning joints feels it in all of them.
        self._joints = (joint,) if body.kinematics.lifts(joint) else body.robot.arm_joints
        self._drop = body.settings.place.contact_drop
        self._start: float | None = None
        self._efforts: list[float] = []

    def __call__(self, observation: Observation) -> bool:
        self._start = observation.stamp if self._start is None else self._start
        known = all(name in observation.efforts for name in self._joints)
        if not known or observation.stamp < self._start + SETTLING:
            return False
        effort = self._lifting(observation)
        if len(self._efforts) < BASELINE:
            self._efforts.append(effort)
            return False
        return effort < float(np.median(self._efforts)) - self._drop

    def _lifting(self, observation: Observation) -> float:
        """Upward force of the tool [N]: efforts are the force times the joints' Jacobian."""
        efforts = np.array([observation.efforts[name] for name in self._joints])
        if len(efforts) == 1:
            return float(efforts[0])
        J = self._kinematics.jacobian(observation.joints)
        return float(np.linalg.lstsq(J[:3].T, efforts, rcond=None)[0][2])
