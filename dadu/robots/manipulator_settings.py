"""Speeds, margins and thresholds of manipulation, in one place. Where they were measured: docs and tests."""

from __future__ import annotations

from pydantic import PositiveInt

from dadu.core.config import Settings


class IkSettings(Settings):
    """How `dadu.robots.ik.solve` searches."""

    iterations: int = 60
    starts: int = 4
    """the seed, then random ones"""
    damping: float = 0.03
    position_tolerance: float = 0.001
    """[m]"""
    rotation_tolerance: float = 0.01
    """[rad]"""
    max_step: float = 0.3
    """largest change of a variable in an iteration [m or rad]"""


class MotionSettings(Settings):
    """How the arm and the base move."""

    speed: float = 0.9
    """share of the joints' speed and acceleration limits used"""
    drive_speed: float = 0.2
    """base, beside furniture [m/s]"""
    drive_acceleration: float = 0.3
    """[m/s^2]"""
    drive_gain: float = 2.0
    """[1/s]"""
    drive_tolerance: float = 0.006
    """[m]"""
    joint_tolerance: float = 0.012
    """[m or rad]: a motion has arrived"""
    settle_time: float = 1.5
    """beyond the planned duration, before a motion counts as stalled [s]"""
    driver_delay: float = 0.8
    """how late a driver may be with a trajectory, beside which nothing is amiss [s]"""
    stall_error: float = 0.06
    """lag behind the plan that means the arm is blocked [m or rad]"""
    sample: float = 0.1
    """between the waypoints of a trajectory [s]"""


class GripperSettings(Settings):
    """The hand: what its shape needs for room, and how its readings are told apart."""

    squeeze: float = -0.03
    """closing goal [m]; beyond closed, else effort falls with the object's width"""
    held_aperture: float = 0.002
    """above it, and ..."""
    held_effort: float = 0.5
    """... above this share of the grip force: something is held"""
    finger_depth: float = 0.03
    """half length of the pads: how far fingertips pass the grasp centre [m]"""
    half_height: float = 0.035
    """of the palm, fingers level [m]"""
    palm: float = 0.09
    """from the grasp centre back to where the palm begins [m]"""
    half_width: float = 0.06
    """of palm and folded fingers [m]"""
    margin: float = 0.012
    """kept between fingers and object on either side [m]"""


class PickSettings(Settings):
    """How an object is taken."""

    max_drive: float = 0.35
    """base shift along its x axis while reaching [m]"""
    approach: float = 0.10
    """straight way into the grasp [m]"""
    lift: float = 0.06
    """straight up before anything else [m]"""
    top_only_below: float = 0.05
    """objects less tall are taken from above: the palm would meet the table [m]"""
    attempts: PositiveInt = 2
    """grasps tried before giving up"""
    look_time: float = 4.0
    """longest wait for a fresh picture [s]"""
    match_distance: float = 0.35
    """a detection this near to where memory has the object may be it [m]"""


class PlaceSettings(Settings):
    """How an object is put down."""

    edge: float = 0.03
    """between object and the surface's edge [m]"""
    gap: float = 0.03
    """between the object and other things [m]"""
    hover: float = 0.06
    """start of the guarded descent: height of the object's underside over the surface [m]"""
    descend_speed: float = 0.04
    """[m/s]"""
    drop: float = 0.35
    """greatest fall into something whose rim keeps the hand up [m]"""
    contact_drop: float = 2.5
    """fall of the lift's effort that means the object stands [N]"""
    next_to: float = 0.4
    """greatest distance from the middle of what is put down to what it goes next to [m]: less than what counts as next
    to it, by what sight and hand may err"""


class DoorSettings(Settings):
    """How hinged and sliding parts are moved."""

    sweep: float = 0.3
    """hinges: [rad/s]"""
    slide: float = 0.15
    """drawers: [m/s]"""
    stop: float = 1.48
    """greatest angle a hinge is swept to [rad]"""
    push_radius: float = 0.40
    """from the hinge, where the closed gripper pushes the door shut [m]"""


class ManipulationSettings(Settings):
    """Everything pick, place and articulate can be tuned by."""

    ik: IkSettings = IkSettings()
    motion: MotionSettings = MotionSettings()
    gripper: GripperSettings = GripperSettings()
    pick: PickSettings = PickSettings()
    place: PlaceSettings = PlaceSettings()
    door: DoorSettings = DoorSettings()
