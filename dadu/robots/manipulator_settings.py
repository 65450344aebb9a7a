"""Speeds, margins and thresholds of manipulation, in one place. Where they were measured: docs and tests."""

from __future__ import annotations

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt

from dadu.core.config import Settings, Share


class IkSettings(Settings):
    """How `dadu.robots.ik.solve` searches."""

    iterations: PositiveInt = 60
    """at most, from each start"""
    starts: PositiveInt = 4
    """the seed, then random ones"""
    damping: PositiveFloat = 0.03
    """of the least squares, which keeps steps small where the arm is stretched out"""


class MotionSettings(Settings):
    """How the arm and the base move."""

    speed: float = Field(0.9, gt=0, le=1)
    """share of the joints' speed and acceleration limits used"""
    drive_speed: PositiveFloat = 0.2
    """base, beside furniture [m/s]"""
    drive_gain: PositiveFloat = 2.0
    """[1/s]"""
    drive_tolerance: PositiveFloat = 0.006
    """[m]"""
    joint_tolerance: PositiveFloat = 0.012
    """[m or rad]: a motion has arrived"""
    settle_time: NonNegativeFloat = 1.5
    """beyond the planned duration, before a motion counts as stalled [s]"""
    driver_delay: NonNegativeFloat = 0.8
    """how late a driver may be with a trajectory, beside which nothing is amiss [s]"""
    stall_error: PositiveFloat = 0.06
    """lag behind the plan that means the arm is blocked [m or rad]"""
    sample: PositiveFloat = 0.1
    """between the waypoints of a trajectory [s]"""


class GripperSettings(Settings):
    """The hand: what its shape needs for room, and how its readings are told apart."""

    squeeze: float = Field(-0.03, le=0)
    """closing goal [m]; beyond closed, else effort falls with the object's width"""
    held_aperture: NonNegativeFloat = 0.002
    """above it, and ..."""
    held_effort: Share = 0.5
    """... above this share of the grip force: something is held"""
    finger_depth: NonNegativeFloat = 0.03
    """half length of the pads: how far fingertips pass the grasp centre [m]"""
    half_height: NonNegativeFloat = 0.035
    """of the palm, fingers level [m]"""
    palm: NonNegativeFloat = 0.09
    """from the grasp centre back to where the palm begins [m]"""
    half_width: NonNegativeFloat = 0.06
    """of palm and folded fingers [m]"""
    margin: NonNegativeFloat = 0.012
    """kept between fingers and object on either side [m]"""


class PickSettings(Settings):
    """How an object is taken."""

    max_drive: NonNegativeFloat = 0.35
    """base shift along its x axis while reaching [m]"""
    approach: NonNegativeFloat = 0.10
    """straight way into the grasp [m]"""
    lift: NonNegativeFloat = 0.06
    """straight up before anything else [m]"""
    top_only_below: NonNegativeFloat = 0.05
    """objects less tall are taken from above: the palm would meet the table [m]"""
    attempts: PositiveInt = 2
    """grasps tried before giving up"""
    look_time: NonNegativeFloat = 4.0
    """longest wait for a fresh picture [s]"""


class PlaceSettings(Settings):
    """How an object is put down."""

    edge: NonNegativeFloat = 0.03
    """between object and the surface's edge [m]"""
    gap: NonNegativeFloat = 0.03
    """between the object and other things [m]"""
    hover: NonNegativeFloat = 0.06
    """start of the guarded descent: height of the object's underside over the surface [m]"""
    descend_speed: PositiveFloat = 0.04
    """[m/s]"""
    drop: NonNegativeFloat = 0.35
    """greatest fall into something whose rim keeps the hand up [m]"""
    contact_drop: PositiveFloat = 2.5
    """fall of the lift's effort that means the object stands [N]"""
    next_to: NonNegativeFloat = 0.4
    """greatest distance from the middle of what is put down to what it goes next to [m]: less than what counts as next
    to it, by what sight and hand may err"""


class DoorSettings(Settings):
    """How hinged and sliding parts are moved."""

    sweep: PositiveFloat = 0.3
    """hinges: [rad/s]"""
    slide: PositiveFloat = 0.15
    """drawers: [m/s]"""
    stop: PositiveFloat = 1.48
    """greatest angle a hinge is swept to [rad]"""


class ManipulationSettings(Settings):
    """Everything pick, place and articulate can be tuned by."""

    ik: IkSettings = IkSettings()
    motion: MotionSettings = MotionSettings()
    gripper: GripperSettings = GripperSettings()
    pick: PickSettings = PickSettings()
    place: PlaceSettings = PlaceSettings()
    door: DoorSettings = DoorSettings()
