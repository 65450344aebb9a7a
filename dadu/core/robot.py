"""What every robot, real or simulated, offers: observations in, commands out, and a description of its body.

Frames follow REP 103 and 105: ``map > odom > base_link``; metres, radians, seconds; x forward, y left, z up. A
``T_a_b`` is a float64 (4, 4) homogeneous matrix that takes coordinates in b to a.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.geometry import Pose2, Vector2

GRAIN = 2.0**-10
"""[m] to which simulated lasers measure and points are told: a millimetre as a power of two, which bags store in half
the bytes"""
RANGE_MIN = 0.02
"""[m]: nearest that a simulated laser measures"""
_FLOOR = 0.04
"""[m]: what a ray meets below is the floor, and by how much a level laser's rays may sink"""


@dataclass(frozen=True)
class CameraFrame:
    """One RGB-D picture, depth registered to colour."""

    stamp: float
    """[s]"""
    rgb: np.ndarray
    """uint8 (H, W, 3)"""
    depth: np.ndarray
    """float32 (H, W) [m] along the optical axis; 0 or non-finite: no reading"""
    K: np.ndarray
    """float64 (3, 3) pinhole intrinsics [px]"""
    T_map_camera: np.ndarray
    """float64 (4, 4); the optical frame of REP 103: x right in the image, y down, z forward"""
    instances: np.ndarray | None = None
    """int32 (H, W), simulation only: 1 + index into the backend's instance names, 0 background"""


@dataclass(frozen=True)
class LaserScan:
    """One planar scan. Ray i points at ``angle_min + i * angle_increment`` in the laser frame, which may be mounted in
    any way: upside down, or tilted."""

    stamp: float
    ranges: np.ndarray
    """float32 (N,) [m]; inf: nothing within `range_max`; NaN: not known"""
    angle_min: float
    angle_increment: float
    range_max: float
    T_base_laser: np.ndarray
    """float64 (4, 4)"""
    own: float = 0.0
    """share of the rays that end on the robot itself, or on what lies on it; NaN in `ranges`"""

    def ends(self, rays: np.ndarray) -> np.ndarray:
        """(N, 2) [m] in base_link: over which places `rays` (N,), by their numbers, end, of those that met any."""
        along = np.asarray(self.ranges, float)[rays, None] * self.directions(rays)[:, :2]
        return along + self.T_base_laser[:2, 3]

    def directions(self, rays: np.ndarray) -> np.ndarray:
        """(N, 3) in base_link, unit vectors: where `rays` (N,), by their numbers, point."""
        angles = self.angle_min + self.angle_increment * rays
        return np.stack([np.cos(angles), np.sin(angles)], axis=1) @ self.T_base_laser[:3, :2].T

    def on_floor(self, rays: np.ndarray) -> np.ndarray:
        """bool (N,): those of `rays` (N,) that meet the floor, as a laser that is tilted does; finite ones only."""
        heights = self.T_base_laser[2, 3] + np.asarray(self.ranges, float)[rays] * self.directions(rays)[:, 2]
        return (heights < _FLOOR) & (heights < self.T_base_laser[2, 3] - _FLOOR)

    @property
    def covered(self) -> bool:
        """True if it tells next to nothing of what is around, since something on the robot is in the way."""
        return self.own > 0.2 and float(np.isfinite(self.ranges).mean()) < 0.1


@dataclass(frozen=True)
class Observation:
    """What a robot senses at one moment. Sensors that have not reported yet are None or empty."""

    stamp: float
    """[s], on the clock in use (simulated or real)"""
    base_pose: Pose2
    """base_link in map, as localised"""
    joints: Mapping[str, float] = field(default_factory=dict)
    """position by joint name [m or rad]; the arm, wrist and head; `RobotDescription` lists the names"""
    efforts: Mapping[str, float] = field(default_factory=dict)
    """actuator effort by joint name [N or Nm]"""
    aperture: float = 0.0
    """gap between the fingertips [m]"""
    grip_effort: float = 0.0
    """closing effort of the gripper [N]"""
    camera: CameraFrame | None = None
    scan: LaserScan | None = None


@dataclass(frozen=True)
class Twist:
    """Base velocity in base_link. A differential base ignores `vy`."""

    vx: float = 0.0
    """[m/s]"""
    wz: float = 0.0
    """[rad/s]"""
    vy: float = 0.0
    """[m/s]"""

    @property
    def speed(self) -> float:
        """[m/s], whatever way"""
        return math.hypot(self.vx, self.vy)


@dataclass(frozen=True)
class Waypoint:
    """One point of a joint trajectory: goal positions at `time` after the start [s]."""

    time: float
    positions: Mapping[str, float]


@dataclass(frozen=True)
class JointTrajectory:
    """Positions over time for a subset of the joints; joints left out hold. A new trajectory replaces the old one."""

    waypoints: tuple[Waypoint, ...]

    @classmethod
    def single_goal(cls, positions: Mapping[str, float], duration: float) -> JointTrajectory:
        """One goal, reached after `duration` [s]."""
        return cls((Waypoint(duration, dict(positions)),))


@dataclass(frozen=True)
class GripperCommand:
    """Goal `aperture` [m] (below 0: squeeze beyond closed) with at most `effort` [N] a finger (0: the robot's own)."""

    aperture: float
    effort: float = 0.0


@dataclass(frozen=True)
class Command:
    """What a skill asks for in one tick. None leaves that part as it was; the base alone stops by itself (watchdog)
    unless a twist is sent in every tick."""

    base: Twist | None = None
    joints: JointTrajectory | None = None
    gripper: GripperCommand | None = None
    hold: bool = False
    """Stop the arm where it is, dropping a trajectory in progress."""

    @classmethod
    def stop(cls) -> Command:
        """Base at rest, arm holding; the gripper keeps its grip."""
        return cls(base=Twist(), hold=True)


class Robot(Protocol):
    """A robot behind one interface; implementations: simulated in process, and over ROS."""

    description: RobotDescription

    def observe(self) -> Observation:
        """The newest observation; never blocks."""
        ...

    def act(self, command: Command) -> None:
        """Hands the command to the drivers; never blocks."""
        ...


@dataclass(frozen=True)
class JointLimit:
    """Range of one joint [m or rad], its top speed [m/s or rad/s] and acceleration."""

    lower: float
    upper: float
    velocity: float
    acceleration: float
    continuous: bool = False
    """turns on and on: its range is one of many alike"""

    def within(self, position: float) -> float:
        """`position` [m or rad] in the range: the nearest there is, or of a continuous joint the same."""
        if self.continuous:
            return self.lower + (position - self.lower) % (self.upper - self.lower)
        return min(max(position, self.lower), self.upper)

    def is_near(self, position: float) -> bool:
        """True for a `position` in the range, or off it by at most half of that, as where a zero was set badly."""
        return self.continuous or abs(position - self.within(position)) <= (self.upper - self.lower) / 2


@dataclass(frozen=True, eq=False)
class RobotDescription:
    """A body, read from ``config/robots/NAME.yaml`` and its URDF by `dadu.robots.load_robot`; used alike by simulation,
    kinematics, costmap and skills."""

    name: str
    urdf: str
    """path of the URDF file"""
    footprint: np.ndarray
    """float64 (N, 2) [m], base_link, counter-clockwise"""
    height: float
    """[m]"""
    joints: Mapping[str, JointLimit]
    """arm, wrist and head joints that a trajectory may name"""
    arm_joints: tuple[str, ...]
    """joints that move the tool, base to tip"""
    head_joints: tuple[str, ...]
    """pan, tilt; empty where the camera sits on the arm"""
    tool_link: str
    """frame of the grasp centre: x along the fingers (approach), y from finger to finger"""
    camera_link: str
    """optical frame of the RGB-D camera"""
    laser_link: str
    arm_direction: float
    """yaw in base_link in which the arm extends [rad]: -pi/2 for Stretch"""
    reach: tuple[float, float]
    """nearest and farthest horizontal distance of the grasp centre from base_link's origin along `arm_direction` [m]"""
    reach_height: tuple[float, float]
    """lowest and highest grasp centre, fingers level [m]"""
    aperture_max: float
    """[m]"""
    grip_force: float
    """default closing force a finger [N]"""
    max_speed: Twist
    """limits of `vx` [m/s], `wz` [rad/s], `vy` [m/s]; what a base of its kind cannot do is 0"""
    max_acceleration: Twist
    """[m/s^2], [rad/s^2]"""
    stow: Mapping[str, float]
    """joint positions for driving"""
    carry_height: float = 0.5
    """of the tool while driving with something in the hand [m]: clear of the base, low for the balance"""
    home: Mapping[str, float] = field(default_factory=dict)
    """joint positions at start"""
    base_link: str = "base_link"
    """the URDF's link that is base_link in the graph"""
    fingers: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """joints of the fingers: position closed, and with `aperture_max` between them"""
    capabilities: tuple[str, ...] = ()
    """skills this body lists, see `dadu.skills.call.SKILLS`"""

    @property
    def fixed(self) -> bool:
        """True if the base stands where it stands."""
        return self.max_speed == Twist()

    @property
    def omnidirectional(self) -> bool:
        """True if the base also drives sideways; it is differential, or fixed, else."""
        return self.max_speed.vy > 0.0

    @property
    def shift_direction(self) -> Vector2:
        """(2,) unit vector in base_link along which the base shifts to help the arm: ahead, the one way of a
        differential base; across the arm, whatever way that points, of an omnidirectional one."""
        return (-math.sin(self.arm_direction), math.cos(self.arm_direction)) if self.omnidirectional else (1.0, 0.0)

    def shifted(self, base: Pose2, drive: float) -> Pose2:
        """`base` (map) shifted by `drive` [m]."""
        x, y = self.shift_direction
        return base * Pose2(drive * x, drive * y, 0.0)

    def drive_to(self, base: Pose2, place: ArrayLike) -> float:
        """By how much the base at `base` (map) has to shift to be abreast of `place` (2,) [m, map] [m]."""
        return float(np.dot(self.shift_direction, base.inverse().apply(place)))
