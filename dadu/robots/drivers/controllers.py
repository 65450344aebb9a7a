"""Our commands for an arm and a gripper in the terms of their ros2_control controllers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field, model_validator

from dadu.core.config import Settings
from dadu.core.robot import JointTrajectory, Waypoint
from dadu.robots.hand import STILL_TIME


class LinkageSettings(Settings):
    """How a joint of the gripper goes with the gap between its fingertips: in a straight line between two positions.

    Of Robotiq's linkages the line is off by about a millimetre.
    """

    joint: str
    """as the driver calls it, without the arm's prefix"""
    open: float
    """its position where the fingers are `gap` apart [rad or m]"""
    closed: float
    """its position where they touch"""
    gap: float = Field(gt=0)
    """[m]"""

    @model_validator(mode="after")
    def _two_positions(self) -> LinkageSettings:
        if self.open == self.closed:
            raise ValueError("open and closed must be two positions of the joint")
        return self

    def gap_at(self, position: float) -> float:
        """[m] between the fingertips; never less than nothing."""
        return max(0.0, self.gap * (position - self.closed) / (self.open - self.closed))

    def position_at(self, gap: float) -> float:
        """Of the joint, for a gap [m]; below nothing is closed, which is where a driver squeezes."""
        return self.closed + (self.open - self.closed) * min(max(gap, 0.0), self.gap) / self.gap


class ControllerNames(Settings):
    """What a robot's controllers are called. Names of controllers and topics without the leading slash are wrong."""

    arm: tuple[str, ...] = Field(min_length=1)
    """trajectory controllers; the first one that is there is used: distributions differ"""
    gripper: tuple[str, ...] = ()
    """of the gripper, of type ParallelGripperCommand or GripperCommand; whichever it is, is found out"""
    linkage: LinkageSettings | None = None
    """None: the robot has no gripper that these drive"""
    prefix: str = ""
    """of the joints' names at the driver (ur_robot_driver's ``tf_prefix``)"""
    joint_states: tuple[str, ...] = ("/joint_states",)
    """topics that together report all joints"""
    program_running: str = ""
    """topic (std_msgs/Bool): whether the arm's own program runs; empty: there is none"""
    speed_scaling: str = ""
    """topic (std_msgs/Float64): percent of the speed asked for; empty: there is none"""


def complete(trajectory: JointTrajectory, joints: Sequence[str], measured: Mapping[str, float]) -> JointTrajectory:
    """The same for all `joints`: those left out stay where they are `measured` to be [m or rad], or were sent before.

    Controllers that do not allow partial goals refuse a trajectory that leaves one of theirs out.
    Errors: KeyError for a joint that is neither named nor measured.
    """
    here = {name: measured[name] for name in joints if name not in trajectory.waypoints[0].positions}
    waypoints = []
    for waypoint in trajectory.waypoints:
        here |= waypoint.positions
        waypoints.append(Waypoint(waypoint.time, {name: here[name] for name in joints}))
    return JointTrajectory(tuple(waypoints))


class JointBoard:
    """What several publishers have said of the joints, each of its own: the newest of each joint."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self.positions: dict[str, float] = {}
        self.efforts: dict[str, float] = {}
        self._heard: dict[str, float] = {}

    def hear(self, positions: Mapping[str, float], efforts: Mapping[str, float], now: float) -> None:
        """One message's positions [m or rad] and efforts by joint, heard at `now` [s]."""
        for name, position in positions.items():
            ours = name.removeprefix(self._prefix)
            self.positions[ours], self._heard[ours] = position, now
        self.efforts.update((name.removeprefix(self._prefix), effort) for name, effort in efforts.items())

    def age(self, names: Sequence[str], now: float) -> float:
        """How long ago the one of `names` was heard that has been silent longest [s]; infinite for one never heard."""
        return max((now - self._heard.get(name, -float("inf")) for name in names), default=0.0)


class GripSense:
    """The closing force of a gripper that reports none, from what it was told and whether its fingers still move."""

    STILL = 0.001
    """fingers that stay this close to where they were stand [m of the gap]: held by something soft they tremble, and an
    encoder's count is 0.6 mm"""
    SETTLE = 0.6 * STILL_TIME
    """how long they must [s]: skills look at the force `STILL_TIME` after the fingers came to rest"""
    START = 0.4
    """how long they may take to start [s]"""
    SHORT = 0.004
    """of its goal, from which on something is in the fingers' way [m]"""

    def __init__(self, force: float) -> None:
        """`force` [N]: with which a finger squeezes."""
        self._force = force
        self.command: float | None = None
        """the gap that was asked for last [m]; None: nobody knows"""
        self._told = self._since = -float("inf")
        self.gap = 0.0
        """without what is no movement [m]"""

    def tell(self, command: float, now: float) -> None:
        """The driver has taken a command for a gap [m]."""
        self.command, self._told = command, now

    def feel(self, gap: float, now: float) -> float:
        """The closing force [N] with fingers `gap` [m] apart at `now` [s]."""
        if abs(gap - self.gap) > self.STILL:
            self.gap, self._since = gap, now
        blocked = self.command is not None and gap - max(self.command, 0.0) > self.SHORT
        squeezes = self.command is not None and self.command <= 0.001
        stand = now - self._since >= self.SETTLE and now - self._told >= self.START
        return self._force if (blocked or squeezes) and stand else 0.0
