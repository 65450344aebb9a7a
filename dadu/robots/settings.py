"""The fields of ``config/robots/NAME.yaml``; their meaning is that of `dadu.core.robot.RobotDescription`."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PositiveFloat, field_validator, model_validator

from dadu.core.config import Settings
from dadu.core.errors import choices
from dadu.robots.drivers.controllers import ControllerNames
from dadu.robots.drivers.stretch_dialects import DriverName
from dadu.skills.table import BASE_CAPABILITIES, SKILLS
from dadu.world.graph import points_in_polygon

_LARGEST = 10.0
"""of a body [m]: more is no length in metres"""


def _metres(length: float) -> float:
    if abs(length) > _LARGEST:
        raise ValueError(f"lengths are in metres, and no body is larger than {_LARGEST:g}")
    return length


def _radians(angle: float) -> float:
    if abs(angle) > 2 * math.pi:
        raise ValueError("angles are in radians, and this is more than a turn")
    return angle


def _rising(span: tuple[float, float]) -> tuple[float, float]:
    if not 0 <= span[0] < span[1]:
        raise ValueError("the first is the nearest or lowest, the second more")
    return span


Length = Annotated[float, AfterValidator(_metres)]
Size = Annotated[PositiveFloat, AfterValidator(_metres)]
Span = Annotated[tuple[Length, Length], AfterValidator(_rising)]


class SpeedSettings(Settings):
    """A limit of the base: [m/s, rad/s] or [m/s^2, rad/s^2]."""

    vx: PositiveFloat
    wz: PositiveFloat
    vy: float = Field(0.0, ge=0)
    """of an omnidirectional base"""


class BaseSettings(Settings):
    """How the base drives, and how the real robot's is told to."""

    kind: Literal["differential", "omnidirectional", "fixed"] = "differential"
    stamped: bool = False
    """whether its driver takes geometry_msgs/TwistStamped, as ros2_control's diff_drive_controller does from Jazzy on,
    instead of Twist"""


class CalibratedSettings(Settings):
    """What `dadu robot calibrate` takes over from a real robot's URDF, see `dadu.robots.calibration`."""

    counterparts: dict[str, str] = {}
    """our joints and links -> theirs, where they are called otherwise"""
    frames: tuple[str, ...] = ()
    """links that are where theirs are, and are called so"""


class RobotSettings(Settings):
    """One robot. Metres, radians, seconds, newtons; poses in base_link."""

    name: str = Field(pattern=r"^\w[\w-]*$")
    urdf: str
    """beside the YAML file"""
    footprint: list[tuple[Length, Length]] = Field(min_length=3)
    height: Size
    base_link: str = "base_link"
    arm_joints: tuple[str, ...] = Field(min_length=3)
    head_joints: tuple[str, ...] = ()
    acceleration: dict[str, PositiveFloat] = {}
    ranges: dict[str, tuple[float, float]] = {}
    """narrower than the URDF's, where inverse kinematics should keep to one branch of its solutions"""
    tool_link: str
    camera_link: str
    laser_link: str
    arm_direction: Annotated[float, AfterValidator(_radians)]
    reach: Span
    reach_height: Span
    aperture_max: Size
    fingers: dict[str, tuple[float, float]] = {}
    grip_force: PositiveFloat
    max_speed: SpeedSettings | None = None
    """left out where the base is fixed, as `max_acceleration`"""
    max_acceleration: SpeedSettings | None = None
    stow: dict[str, float]
    carry_height: Size = 0.5
    home: dict[str, float] = {}
    capabilities: tuple[str, ...] = BASE_CAPABILITIES
    calibrated: CalibratedSettings = CalibratedSettings()
    base: BaseSettings = BaseSettings()
    drivers: dict[str, str] = {}
    """remappings to the real robot's topics and actions"""
    adapter: str = ""
    """node that stands between the graph and the real robot's driver, where the driver's interfaces are other ones"""
    stretch_driver: DriverName = "stretch_ros2"
    """of `adapter: stretch_adapter`: which of Hello Robot's drivers it speaks to"""
    controllers: ControllerNames | None = None
    """of `adapter: controller_adapter`: what the robot's ros2_control controllers are called, and how its gripper is
    told"""

    @field_validator("footprint")
    @classmethod
    def _round_the_origin(cls, outline: list[tuple[float, float]]) -> list[tuple[float, float]]:
        if not points_in_polygon(outline, [(0.0, 0.0)])[0]:
            raise ValueError("base_link's origin, about which the base turns, is not in it")
        return outline

    @field_validator("capabilities")
    @classmethod
    def _known_skills(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in names if name not in SKILLS]
        if unknown:
            raise ValueError(f"unknown skill {unknown[0]!r}; known: {choices(SKILLS, 40)}")
        return names

    @model_validator(mode="after")
    def _limits_of_the_base(self) -> RobotSettings:
        for name in ("max_speed", "max_acceleration"):
            limits: SpeedSettings | None = getattr(self, name)
            if self.base.kind == "fixed" and limits is not None:
                raise ValueError(f"{name}: base.kind is fixed, which has none; leave it out")
            if self.base.kind != "fixed" and limits is None:
                raise ValueError(f"{name} is missing: {{vx: [m/s], wz: [rad/s]}} of the base, or base: {{kind: fixed}}")
            if limits is not None and (limits.vy > 0) != (self.base.kind == "omnidirectional"):
                raise ValueError(f"{name}.vy is that of a base of kind omnidirectional alone, and it needs one; "
                                 f"base.kind is {self.base.kind}")
        return self

    @model_validator(mode="after")
    def _adapter_takes_the_commands(self) -> RobotSettings:
        if self.base.stamped and self.adapter == "stretch_adapter":
            raise ValueError("base.stamped: stretch_adapter takes Twist; leave it out, or name another adapter")
        return self
