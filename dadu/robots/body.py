"""What the manipulation skills need at hand: the robot, its kinematics and the settings; and how a step gives up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation, RobotDescription
from dadu.robots import ik
from dadu.robots.kinematics import Kinematics, Posture
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.robots.poses import tool_pose

_FOLD_STEPS = 16
"""at which the way of a hand that is folded is looked at"""
_HAND = 0.05
"""about the grasp centre, what the hand takes up [m]"""


@dataclass(frozen=True)
class Manipulator:
    robot: RobotDescription
    kinematics: Kinematics
    settings: ManipulationSettings

    @classmethod
    def from_description(cls, robot: RobotDescription, settings: ManipulationSettings | None = None) -> Manipulator:
        return cls(robot, Kinematics(robot), settings or ManipulationSettings())

    def posture(self, observation: Observation, origin: Pose2 | None = None) -> Posture:
        """Where the body is now, within its limits; the drive counts from `origin` (map), by default from here."""
        drive = 0.0 if origin is None else self.robot.drive_to(origin, observation.base_pose[:2])
        return Posture({name: limit.within(observation.joints[name])
                        for name, limit in self.robot.joints.items() if name in observation.joints}, drive)

    def solve(self, T_base_tool: np.ndarray, seed: Posture, drive: tuple[float, float] | None = None, *,
              near: bool = False) -> Posture:
        """`ik.solve` with this body's settings; `near`: from the seed only. Errors: ik.NoSolution."""
        settings = self.settings.ik.model_copy(update={"starts": 1}) if near else self.settings.ik
        if self.robot.fixed:
            drive = None
        return ik.solve(self.kinematics, T_base_tool, seed, drive, settings=settings)

    def ready(self, observation: Observation) -> Posture:
        """`reaching`, the head as it is."""
        return Posture({**self.posture(observation).joints, **self.reaching.joints})

    @cached_property
    def reaching(self) -> Posture:
        """The arm drawn in, fingers level and ahead: where every search for a reach begins."""
        heading, near = self.robot.arm_direction, self.robot.reach[0] + 0.01
        position = (near * np.cos(heading), near * np.sin(heading), float(np.mean(self.robot.reach_height)))
        found = self.solve(tool_pose(position, heading, 0.0), Posture(dict(self.robot.stow)), (-0.5, 0.5))
        return Posture(found.joints)

    @cached_property
    def folds_past(self) -> tuple[bool, bool]:
        """Two booleans: between `reaching` and driving the hand swings past the base's end that goes first as it shifts
        back, and past the other."""
        start, end = self.reaching.joints, {**self.reaching.joints, **self.robot.stow}
        way = [{name: (1 - share) * start[name] + share * end[name] for name in start}
               for share in np.linspace(0.0, 1.0, _FOLD_STEPS)]
        along = np.array([self.kinematics.tool(joints)[:2, 3] for joints in way]) @ self.robot.shift_direction
        outline = self.robot.footprint @ self.robot.shift_direction
        tail, front = outline.min(), outline.max()
        return bool(along.min() < tail + _HAND), bool(along.max() > front - _HAND)

    def line(self, T_from: np.ndarray, T_to: np.ndarray, seed: Posture, drive: tuple[float, float] | None = None,
             step: float = 0.03) -> list[Posture]:
        """Postures along the straight way between two tool poses (4, 4) of the same orientation, the first left out.

        Errors: ik.NoSolution.
        """
        count = max(1, int(np.ceil(np.linalg.norm(T_to[:3, 3] - T_from[:3, 3]) / step)))
        path = []
        for share in np.linspace(0.0, 1.0, count + 1)[1:]:
            T = T_to.copy()
            T[:3, 3] = (1 - share) * T_from[:3, 3] + share * T_to[:3, 3]
            seed = self.solve(T, seed, drive)
            path.append(seed)
        return path
