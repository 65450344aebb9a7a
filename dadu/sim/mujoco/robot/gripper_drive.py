"""The gripper's driver: moves the fingers at a limited speed and squeezes with a limited force."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.core.robot import GripperCommand, RobotDescription
from dadu.sim.mujoco.robot.model import GRIP_TARGET_CLOSED

_SPEED = 0.05
"""of each finger [m/s]"""
_CLOSED = 0.001
"""an aperture below this means: squeeze [m]"""


@dataclass(frozen=True)
class GripperState:
    """What the driver reports."""

    aperture: float
    """gap between the fingertips [m]"""
    effort: float
    """closing force of a finger [N]"""


class GripperDrive:
    """Set-point of one finger's way from closed [m] (half of the aperture), and the force limit."""

    def __init__(self, robot: RobotDescription) -> None:
        self._robot = robot
        self.reset()

    def reset(self, aperture: float = 0.0) -> None:
        """At rest at `aperture` [m], with the robot's own force."""
        self.resume(aperture / 2, self._robot.grip_force)

    def resume(self, setpoint: float, force: float) -> None:
        """Goes on holding with a finger's `setpoint` [m] and force limit [N]."""
        self.setpoint = self._goal = setpoint
        self.force = force
        self.settled = False
        """whether nothing more will change until the next command"""

    def command(self, command: GripperCommand) -> None:
        """A goal at or below zero squeezes with the force limit; others are kept, as far as the force allows."""
        aperture = min(command.aperture, self._robot.aperture_max)
        self._goal = aperture / 2 if aperture > _CLOSED else GRIP_TARGET_CLOSED
        self.force = min(command.effort, 2 * self._robot.grip_force) if command.effort > 0 else self._robot.grip_force
        self.settled = False

    def arrived(self, state: GripperState, tolerance: float = 0.003) -> bool:
        """True if the fingers are where they were told to be."""
        return abs(state.aperture / 2 - max(0.0, self._goal)) <= tolerance

    def step(self, measured: float, dt: float) -> float:
        """The finger's set-point [m] for the next `dt` [s]; `measured`: half of the aperture [m].

        Opening starts from where the fingers are, not from the target beyond closed that squeezed until now.
        """
        if self._goal > self.setpoint:
            self.setpoint = min(max(self.setpoint, measured), self._goal)
        self.setpoint += max(-_SPEED * dt, min(_SPEED * dt, self._goal - self.setpoint))
        self.settled = self.setpoint == self._goal
        return self.setpoint
