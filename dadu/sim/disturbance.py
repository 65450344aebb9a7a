"""What may happen behind the robot's back, whatever simulates it."""

from __future__ import annotations

from dadu.core.errors import DaduError


class DisturbanceError(DaduError):
    """A disturbance that names something that is not there, or that finds no place."""
