"""Stretch's joint states in the project's terms: an aperture for the fingers, newtons for percentages."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import PositiveFloat

from dadu.core.config import Settings
from dadu.robots.drivers.stretch_dialects import DIALECTS, Dialect
from dadu.robots.set_points import APERTURE


class JointSettings(Settings):
    """From the driver's units to ours. The two factors are estimates: calibrate them on the robot at hand."""

    finger_length: PositiveFloat | None = None
    """half the gap between the fingertips per radian of a finger's joint [m]; None: as its maker has it"""
    lift_newtons: PositiveFloat = 0.7
    """of the lift, per percent of its greatest effort"""
    grip_newtons: PositiveFloat = 0.5
    """of a finger, per percent of the gripper's greatest effort"""


def joint_states(positions: Mapping[str, float], efforts: Mapping[str, float],
                 settings: JointSettings, dialect: Dialect = DIALECTS["stretch_ros2"],
                 ) -> tuple[dict[str, float], dict[str, float]]:
    """Positions [m or rad] and efforts [N] by joint, from the driver's positions and percentages.

    Efforts without a factor are left out: nothing is better than a number of the wrong unit.
    """
    positions, forces = dict(positions), {}
    for ours, (part, times) in dialect.shares.items():
        if part in positions:
            positions[ours] = times * positions[part]
    if dialect.lift in efforts:
        forces[dialect.lift] = settings.lift_newtons * efforts[dialect.lift]
    if dialect.finger in positions:
        length = settings.finger_length or dialect.finger_length
        positions[APERTURE] = max(0.0, 2.0 * length * positions[dialect.finger])
        # The motor pulls the fingers shut: its effort is negative then, and positive as they open against something.
        forces[APERTURE] = settings.grip_newtons * max(0.0, -efforts.get(dialect.finger, 0.0))
    return positions, forces
