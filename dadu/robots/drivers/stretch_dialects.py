"""What Hello Robot's two drivers differ in: names, units, and whether arm and base are told apart.

stretch_ros2 (Stretch 2 and 3) is in one of two modes, and moves its base by increments among an arm's goals.
stretch4_ros2 (Stretch 4) takes velocities and goals beside each other in navigation mode; the newest goal replaces the
one under way, whose motors go on; one that is cancelled stops the joints that it names, the gripper, too, which so lets
go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from dadu.robots.drivers.controllers import LinkageSettings
from dadu.robots.set_points import APERTURE

DriverName = Literal["stretch_ros2", "stretch4_ros2"]


@dataclass(frozen=True)
class Dialect:
    """One driver's. Names of topics, actions and parameters are relative: a robot may be in a namespace."""

    joint_states: str
    velocities_in: str
    """where the adapter hears the graph's velocities"""
    velocities: str
    """where the driver does"""
    goals: str
    lift: str
    finger: str
    """joint whose position tells how far the fingers are apart, and its effort how hard they press"""
    finger_length: float
    """half the gap [m] per radian of `finger`"""
    beside: bool = False
    """True: velocities and goals are taken beside each other, the gripper's alone. False: either, by mode"""
    mode_parameter: str = ""
    """node whose parameter ``mode`` changes it; empty: services do"""
    latched: bool = False
    """True: mode and homing are published when they change, for late subscribers, too. False: again and again"""
    odometry_frame: str = ""
    """what the driver calls ``odom``; empty: that"""
    gripper: LinkageSettings | None = None
    """joint of goals and its units; None: `APERTURE`, in metres"""
    shares: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    """our joints that are reported by a part of theirs: the part, and how many of it make the whole"""

    @property
    def widest(self) -> float:
        """[m] that the fingers open at most, as far as the driver limits it."""
        return self.gripper.gap if self.gripper is not None else float("inf")

    def goal(self, name: str, position: float) -> tuple[str, float]:
        """The driver's name and position of a joint of ours [m or rad]."""
        if name == APERTURE and self.gripper is not None:
            return self.gripper.joint, self.gripper.position_at(position)
        return name, position


DIALECTS: Mapping[str, Dialect] = {
    "stretch_ros2": Dialect(
        joint_states="stretch/joint_states", velocities_in="cmd_vel", velocities="stretch/cmd_vel",
        goals="stretch_controller/follow_joint_trajectory", lift="joint_lift", finger="joint_gripper_finger_left",
        finger_length=0.171),  # as Hello Robot's own conversion has it
    "stretch4_ros2": Dialect(
        joint_states="joint_states", velocities_in="~/cmd_vel", velocities="cmd_vel",
        goals="follow_joint_trajectory", lift="lift_joint", finger="gripper_finger_left_joint",
        finger_length=0.1767,  # 0.150 m apart at 0.4245 rad; off by a millimetre in between
        beside=True, mode_parameter="stretch_driver", latched=True, odometry_frame="wheel_odom",
        gripper=LinkageSettings(joint="gripper_joint", open=300.0, closed=-100.0, gap=0.150),  # [%]
        shares={"arm_joint": ("arm_l4_joint", 5.0)}),  # a fifth for each of four parts, as its source has it
}
