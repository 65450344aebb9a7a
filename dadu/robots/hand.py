"""The gripper: opening, closing, and telling from aperture and effort whether it holds something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dadu.core.robot import Command, GripperCommand, Observation, RobotDescription, Twist
from dadu.robots.manipulator_settings import GripperSettings

if TYPE_CHECKING:  # who only asks whether something is held needs no kinematics, which takes 50 MB
    from dadu.robots.body import Manipulator
    from dadu.robots.motion import Motion

STILL = 0.0015
"""change of the aperture within `STILL_TIME` that counts as rest [m]"""
STILL_TIME = 0.25
LONGEST = 4.0
"""a closing or opening [s]"""


def holding(observation: Observation, robot: RobotDescription, settings: GripperSettings | None = None) -> bool:
    """True if the gripper holds something: apart *and* pressing. Either alone cannot tell."""
    return presses(observation.aperture, observation.grip_effort, robot, settings)


def presses(aperture: float, effort: float, robot: RobotDescription, settings: GripperSettings | None = None) -> bool:
    """True if fingers `aperture` [m] apart that close with `effort` [N] hold something."""
    settings = settings or GripperSettings()
    return aperture > settings.held_aperture and effort > settings.held_effort * robot.grip_force


def set_opening(observation: Observation, aperture: float) -> Motion:
    """Sends an empty hand to an opening of `aperture` [m] without waiting for it."""
    return (yield Command(base=Twist(), gripper=GripperCommand(aperture)))


def relax(observation: Observation) -> Motion:
    """Leaves the fingers where they are, without force: one that pushes against something would seem to hold it."""
    return (yield Command(base=Twist(), gripper=GripperCommand(observation.aperture)))


def open_hand(body: Manipulator, observation: Observation, aperture: float) -> Motion:
    """Fingers `aperture` [m] apart. From a grip the command first steps to what is measured: the over-closed command
    would otherwise take its time to unwind."""
    if holding(observation, body.robot, body.settings.gripper):
        observation = yield Command(base=Twist(), gripper=GripperCommand(observation.aperture))
    return (yield from _wait_until_still(observation, aperture))


def close_hand(body: Manipulator, observation: Observation) -> Motion:
    """Squeezes until the fingers rest, on something or on each other."""
    return (yield from _wait_until_still(observation, body.settings.gripper.squeeze))


def _wait_until_still(observation: Observation, goal: float) -> Motion:
    start = since = observation.stamp
    rest = observation.aperture
    command = Command(base=Twist(), gripper=GripperCommand(goal))
    while True:
        observation = yield command
        command = Command(base=Twist())
        if abs(observation.aperture - rest) > STILL:
            rest, since = observation.aperture, observation.stamp
        arrived = abs(observation.aperture - goal) < 2 * STILL
        waited = observation.stamp - since > STILL_TIME and observation.stamp - start > 2 * STILL_TIME
        if arrived or waited or observation.stamp - start > LONGEST:
            return observation
