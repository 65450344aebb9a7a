"""What arm and head do while the base drives: lowered and looking ahead as it sets off, up and turned to the work as it
arrives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dadu.core.geometry import Pose2, apply, inverse
from dadu.core.robot import JointTrajectory, Observation
from dadu.navigation.head_motion import head_joints_ahead, head_joints_towards
from dadu.navigation.posture import NEARLY, PATIENCE, THERE, lowered, raised_to
from dadu.robots.kinematics import Kinematics
from dadu.robots.manipulator_settings import MotionSettings
from dadu.robots.timing import one_by_one
from dadu.skills.outcome import Code, Detail, SkillFailed


class ArmMotionWhileDriving:
    """One drive's arm and head. Stretch's driver takes no velocities beside a trajectory, but turns on the spot and
    shifts straight: while the lift moves (`lift_moves`) the base does no more than that."""

    def __init__(self, kinematics: Kinematics, goal: Pose2, look: Sequence[np.ndarray], work: np.ndarray | None,
                 holding: bool, motion: MotionSettings | None = None) -> None:
        """`look`: points (3,) [m] in base_link at `goal` (map), `work`: one in map, that the hand rises to, too."""
        self._kinematics, self._holding, self._motion = kinematics, holding, motion or MotionSettings()
        self._work = None if work is None else apply(inverse(goal.matrix()), work)
        self._look = look if self._work is None else [self._work]
        self._lift: dict[str, float] = {}
        self._deadline = float("inf")
        self.arriving = False
        """whether arm and head have been sent to where they are wanted at the goal"""

    def set_off(self, observation: Observation) -> JointTrajectory | None:
        """The lift down, the head ahead."""
        self.arriving = False
        down = lowered(self._kinematics, observation.joints, self._holding)
        return self._send(observation, down, head_joints_ahead(self._kinematics.robot))

    def arrive(self, observation: Observation) -> JointTrajectory | None:
        """The lift up to the work, the head turned to it."""
        self.arriving = True
        joints = observation.joints
        up = {} if self._work is None else raised_to(self._kinematics, joints, float(self._work[2]))
        return self._send(observation, up, head_joints_towards(self._kinematics, joints, self._look))

    def lift_moves(self, observation: Observation) -> bool:
        """True if the lift still moves. Errors: SkillFailed (arm_stalled) where it does not come down."""
        off = max((abs(goal - observation.joints[name]) for name, goal in self._lift.items()), default=0.0)
        if off <= THERE:
            return False
        if observation.stamp <= self._deadline:
            return True
        if off > NEARLY and not self.arriving:
            raise SkillFailed(Code.EXECUTION_FAILED, "the arm could not be lowered for driving; something is in its "
                              "way", Detail.ARM_STALLED)
        return False

    def _send(self, observation: Observation, lift: dict[str, float], head: dict[str, float]) -> JointTrajectory | None:
        trajectory = one_by_one(self._kinematics.robot, observation.joints, {**lift, **head}, self._motion)
        planned = trajectory.waypoints[-1].time if trajectory is not None else 0.0
        self._lift, self._deadline = lift, observation.stamp + planned + PATIENCE
        return trajectory
