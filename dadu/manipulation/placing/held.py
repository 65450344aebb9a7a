"""What the thing in the hand covers: its sides are along and across the fingers, which closed upon two of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import inverse, rotation_z, transform
from dadu.manipulation.grasp.synthesis import PAD_DEPTH
from dadu.motion.scene import Load
from dadu.robots.poses import heading_of

RIM, WIDE = 0.03, 0.12
"""between fingers that hold a thing by its rim, at most, and how wide it is both ways, at least: what is narrower is
held by its sides [m]"""
SAME = 0.025
"""by which a side that is seen and the fingers on it may differ [m]"""
WITHIN = 0.01
"""the box about a thing that is seen is larger than the thing by so much [m]"""
_LEAST = 1e-3
"""extent of a box [m]"""
UNDERSIDE = 0.02
"""of what hovers over a surface nothing is checked so near to it [m]: what is seen of edges is seen too high"""
TIP = 0.44
"""sine of the angle by which a bowl tips that hangs by its rim, as measured in simulation"""


@dataclass(frozen=True)
class HeldExtent:
    """A rectangle on the floor that turns with the hand."""

    along: float
    """in the direction of the fingers [m]"""
    across: float
    """from finger to finger [m]"""
    ahead: float = 0.0
    """its middle, before the grasp centre [m]"""
    aside: float = 0.0
    """its middle, to the left of the grasp centre as the fingers point [m]"""
    droop: float = 0.0
    """how far its other side may hang below the one that is held [m]"""

    @property
    def radius(self) -> float:
        """Of the circle around it [m]."""
        return float(np.hypot(self.along, self.across)) / 2

    def middle(self, heading: float) -> np.ndarray:
        """(3,) [m] from the grasp centre to its middle, level, where the fingers point to `heading` [rad], in the frame
        of that."""
        c, s = np.cos(heading), np.sin(heading)
        return np.array([c * self.ahead - s * self.aside, s * self.ahead + c * self.aside, 0.0])

    def extents(self, turn: float) -> np.ndarray:
        """(2,) half extents [m] along x and y of a frame in which the fingers point `turn` [rad] from x."""
        c, s = abs(np.cos(turn)), abs(np.sin(turn))
        return np.array([c * self.along + s * self.across, s * self.along + c * self.across]) / 2


def held_extent(size: tuple[float, float, float], aperture: float, tilt: float) -> HeldExtent:
    """Of a thing of `size` [m] between fingers `aperture` [m] apart that point `tilt` [rad] below level.

    Where no side of it is as wide as that its other side hangs lower. What is held by its rim lies to the left of the
    fingers, as `dadu.manipulation.grasp.synthesis` grasps bowls; what is held otherwise may lie anyhow: a square about
    it.
    """
    length, width = size[:2]
    across = min(length, width, key=lambda side: abs(side - aperture))
    if abs(across - aperture) > SAME:
        longer, droop = max(length, width), TIP * max(length, width)
        if aperture < RIM and min(length, width) >= WIDE:
            return HeldExtent(longer, longer, aside=longer / 2, droop=droop)
        side = float(np.hypot(length, width))
        return HeldExtent(side, side, droop=droop / 2)  # about its middle
    along = width if across == length else length
    return HeldExtent(along, across, float(max(0.0, along / 2 - PAD_DEPTH) * np.cos(tilt)))


def box_in_hand(T_base_tool: np.ndarray, held: HeldExtent, height: float, above: float) -> Load:
    """The box about an upright thing of `height` [m], its underside `above` [m] below
    the grasp centre of a hand at `T_base_tool` (4, 4)."""
    heading = heading_of(T_base_tool)
    middle = held.middle(heading)
    middle[2] = (height + UNDERSIDE - held.droop) / 2 - above
    T_base_box = transform(rotation_z(heading), T_base_tool[:3, 3] + middle)
    size = np.array([held.along - WITHIN, held.across - WITHIN, height + held.droop - UNDERSIDE - WITHIN])
    return Load(inverse(T_base_tool) @ T_base_box, np.maximum(size, _LEAST))
