"""Stretch's joint states in the project's terms: an aperture for the fingers, newtons for percentages."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import PositiveFloat

from dadu.core.config import Settings
from dadu.robots.set_points import APERTURE

FINGER = "joint_gripper_finger_left"


class JointSettings(Settings):
    """From the driver's units to ours. The two factors are estimates: calibrate them on the robot at hand."""

    finger_length: PositiveFloat = 0.171
    """from a finger's joint to its tip [m], as Hello Robot's own conversion has it"""
    lift_newtons: PositiveFloat = 0.7
    """of the lift, per percent of its greatest effort"""
    grip_newtons: PositiveFloat = 0.5
    """of a finger, per percent of the gripper's greatest effort"""


def joint_states(positions: Mapping[str, float], efforts: Mapping[str, float],
                 settings: JointSettings) -> tuple[dict[str, float], dict[str, float]]:
    """Positions [m or rad] and efforts [N] by joint, from the driver's positions and percentages.

    Efforts without a factor are left out: nothing is better than a number of the wrong unit.
    """
    positions, forces = dict(positions), {}
    if "joint_lift" in efforts:
        forces["joint_lift"] = settings.lift_newtons * efforts["joint_lift"]
    if FINGER in positions:
        positions[APERTURE] = max(0.0, 2.0 * settings.finger_length * positions[FINGER])
        # The motor pulls the fingers shut: its effort is negative then, and positive as they open against something.
        forces[APERTURE] = settings.grip_newtons * max(0.0, -efforts.get(FINGER, 0.0))
    return positions, forces
