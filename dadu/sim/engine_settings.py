"""How a simulation is run as a driver: rates of what it reports, speed, errors of the wheels."""

from __future__ import annotations

from pydantic import PositiveFloat, PositiveInt

from dadu.core.config import Settings
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
