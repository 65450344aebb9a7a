"""When a driver's goal has ended: the rules of ros2_control's trajectory and gripper controllers, without ROS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from dadu.core.robot import GripperCommand, JointTrajectory
from dadu.sim.mujoco.robot.gripper_drive import GripperState


class Ended(Enum):
    """How a goal ended."""

    REACHED = "reached"
    STALLED = "stalled"
    """the gripper squeezes something, or the robot's own closed fingers"""
    PATH_TOLERANCE = "left the path tolerance"
    GOAL_TOLERANCE = "did not arrive"


@dataclass(frozen=True)
class GoalVerdict:
    """An end, and which joint is how far off."""

    ended: Ended
    message: str = ""


@dataclass(frozen=True)
class Tolerances:
    """Per joint [m or rad]; `time` [s]: how long a joint may stand off its goal."""

    path: Mapping[str, float] = field(default_factory=dict)
    goal: Mapping[str, float] = field(default_factory=dict)
    time: float = 0.5


DEFAULT_GOAL_TOLERANCE = 0.02
"""[m or rad]"""


class ArmGoal:
    """One trajectory under way."""

    def __init__(self, trajectory: JointTrajectory, start: float, tolerances: Tolerances) -> None:
        """`start` [s]."""
        self.goal = dict(trajectory.waypoints[-1].positions)
        for waypoint in reversed(trajectory.waypoints):
            self.goal = dict(waypoint.positions) | self.goal
        self._end = start + trajectory.waypoints[-1].time
        self._tolerances = tolerances
        self._nearest, self._progress = float("inf"), start

    def verdict(self, now: float, actual: Mapping[str, float], desired: Mapping[str, float]) -> GoalVerdict | None:
        """None while under way. `desired`: the driver's set-points."""
        for name, tolerance in self._tolerances.path.items():
            if name in desired and abs(desired[name] - actual[name]) > tolerance:
                return GoalVerdict(Ended.PATH_TOLERANCE, f"{name} is {desired[name] - actual[name]:+.3f} off its path")
        if now < self._end:
            return None
        off = {name: goal - actual[name] for name, goal in self.goal.items()
               if abs(goal - actual[name]) > self._tolerances.goal.get(name, DEFAULT_GOAL_TOLERANCE)}
        if not off:
            return GoalVerdict(Ended.REACHED)
        distance = sum(map(abs, off.values()))
        if distance < self._nearest - 1e-3:
            self._nearest, self._progress = distance, now
        if now - max(self._progress, self._end) <= self._tolerances.time:
            return None  # late, but still on its way
        worst = max(off, key=lambda name: abs(off[name]))
        return GoalVerdict(Ended.GOAL_TOLERANCE, f"{worst} is {off[worst]:+.3f} off its goal")


class GripperGoal:
    """One opening or closing under way."""

    STILL = 0.002
    """fingers slower than this stand [m/s of aperture]"""
    SETTLE = 0.2
    """how long they must stand [s]"""
    STUCK = 2.0
    """standing so long short of the goal ends it, too, however little they push: nothing more will come [s]"""
    LONGEST = 6.0
    """in which they must have come to rest [s]"""

    def __init__(self, command: GripperCommand, start: float, limit: float) -> None:
        """`start` [s]; `limit` [N]: the force that is pushed with at most."""
        self._goal = max(0.0, command.aperture)
        self._squeezes = command.aperture <= 0.001
        self._limit = limit
        self._since = self._stamp = self._start = start
        self._aperture: float | None = None

    def verdict(self, now: float, state: GripperState) -> GoalVerdict | None:
        """None while under way."""
        if now <= self._stamp:
            return None
        if self._aperture is None or abs(state.aperture - self._aperture) > self.STILL * (now - self._stamp):
            self._since = now
        self._aperture, self._stamp = state.aperture, now
        if now > self._start + self.LONGEST:
            return GoalVerdict(Ended.GOAL_TOLERANCE, "the fingers have not come to rest")
        if now - self._since < self.SETTLE:
            return None
        pushing = state.effort > 0.9 * self._limit
        if abs(state.aperture - self._goal) <= 0.003 and (pushing or not self._squeezes):
            return GoalVerdict(Ended.REACHED)
        if abs(state.effort) > 0.9 * self._limit or now - self._since > self.STUCK:
            return GoalVerdict(Ended.STALLED, f"stalled at {state.aperture:.3f} m")
        return None
