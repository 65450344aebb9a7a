"""What may go wrong between the robot's sensors and who listens: readings of one kind are lost, come twice, or none."""

from __future__ import annotations

import random

from dadu.core.errors import choices
from dadu.sim.backend import DisturbanceError

SENSORS = {"joints": "state", "laser": "scan", "camera": "camera"}
"""names for people, and what `dadu.sim.engine` calls it; with the joints go odometry and the links' transforms"""
COPIES = {"silence": 0.0, "lose": 0.5, "double": 2.0, "hear": 1.0}
"""how often a reading is passed on, on average, by what is done"""


class SensorFaults:
    """All sensors are heard until something else is asked for."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._copies: dict[str, float] = {}

    def apply(self, kind: str, sensor: str) -> str:
        """From now on, until ``hear``; what was done, in words. Errors: DisturbanceError for an unknown sensor."""
        if sensor not in SENSORS:
            raise DisturbanceError(f"there is no sensor {sensor!r}; there are {choices(SENSORS)}")
        self._copies[SENSORS[sensor]] = COPIES[kind]
        return f"{kind} {sensor}"

    def times(self, reading: str) -> int:
        """How often the next reading of that kind is passed on."""
        copies = self._copies.get(reading, 1.0)
        whole = int(copies)
        return whole + (self._random.random() < copies - whole)
