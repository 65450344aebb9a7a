"""Settings of the simulated robot and its sensors; those of contacts are in `dadu.sim.mujoco.physics`."""

from __future__ import annotations

from pydantic import Field, PositiveFloat, PositiveInt

from dadu.core.config import Settings
from dadu.sim.mujoco.physics import PhysicsSettings
from dadu.sim.odometry import OdometrySettings
from dadu.sim.pacing import PacingSettings
from dadu.sim.time_sync import BacklogSettings


class EngineSettings(Settings):
    """Periods are in simulated seconds, multiples of `step`."""

    step: PositiveFloat = 0.02
    """between two clock messages [s]"""
    state_period: PositiveFloat = 0.04
    """joints, odometry, transforms"""
    resting: PositiveInt = 1
    """while nothing moves and nobody is at work one reading in so many is reported, so many steps are one; 1: all"""
    checkpoint_period: PositiveFloat = 1.0
    """wall time [s]"""
    pacing: PacingSettings = PacingSettings()
    debts: BacklogSettings = BacklogSettings()
    odometry: OdometrySettings = OdometrySettings()


class CameraSettings(Settings):
    """The head camera; colour, depth and instances are one picture."""

    width: PositiveInt = 640
    """[pixels]"""
    height: PositiveInt = 480
    """[pixels]"""
    field_of_view: float = Field(42.0, gt=1, lt=170)
    """along the picture's height [deg]"""
    rate: float = Field(5.0, ge=0)
    """[Hz] of simulated time; 0: never renders"""
    instances: bool = True
    """whether a picture of instances is drawn too, which only ground-truth perception and evaluation need"""
    max_depth: PositiveFloat = 8.0
    """no reading beyond [m]"""


class LaserSettings(Settings):
    """The planar laser, a full turn."""

    rays: PositiveInt = 360
    """of a scan, evenly spread"""
    range_max: PositiveFloat = 10.0
    """[m]"""
    rate: float = Field(10.0, ge=0)
    """[Hz]; 0: never scans"""
    noise: float = Field(0.01, ge=0)
    """standard deviation of a range [m]"""


class SimulationSettings(Settings):
    """Everything that may be set when a house and a robot become a simulation."""

    physics: PhysicsSettings = PhysicsSettings()
    control_period: PositiveFloat = 0.01
    """the drivers' loop [s], a multiple of the physics step"""
    watchdog: PositiveFloat = 0.5
    """the base stops this long after the last twist [s]"""
    camera: CameraSettings = CameraSettings()
    laser: LaserSettings = LaserSettings()
    person: bool = False
    """a second agent, see `dadu.stacks.person`"""
    meshes: str = ""
    """a folder of meshes that things are shown by, see `dadu.sim.mujoco.scene.meshes`; empty: by primitives. A
    mesh has colours of its own, whatever the house says, and shows no dirt, slices or content"""
