"""One solid of which objects are made."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import Vector3

_FILL = {"box": 1.0, "cylinder": math.pi / 4, "sphere": math.pi / 6, "ellipsoid": math.pi / 6, "hull": 0.75}
"""share of its box that a solid fills; of a hull about"""


@dataclass(frozen=True)
class Primitive:
    """One solid in the object's frame."""

    kind: str
    """``box``, ``cylinder`` (upright), ``sphere``, ``ellipsoid`` or ``hull`` (convex, see `points`)"""
    centre: Vector3
    size: Vector3
    """full extents along its own axes [m]"""
    color: str
    solid: bool = True
    """False: for the eye only, no contact and no mass"""
    rotation: tuple[float, float] = (0.0, 0.0)
    """turn about z, then about its own y [rad]"""
    lit: str = ""
    """colour while it shines, where it does so when its owner is switched on"""
    points: tuple[Vector3, ...] = ()
    """vertices of a hull about `centre`, along its own axes [m]"""

    @property
    def volume(self) -> float:
        """[m^3], of a hull roughly"""
        return math.prod(self.size) * _FILL[self.kind]

    @property
    def round(self) -> bool:
        """True if it would roll: a ball, or a round body that lies."""
        lies = self.kind in ("cylinder", "hull") and abs(math.sin(self.rotation[1])) > 0.5
        return self.kind in ("sphere", "ellipsoid") or lies

    @property
    def axes(self) -> np.ndarray:
        """(3, 3), unitless: its own axes as columns in the object's frame."""
        turn, lean = self.rotation
        (c, s), (cl, sl) = (math.cos(turn), math.sin(turn)), (math.cos(lean), math.sin(lean))
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[cl, 0, sl], [0, 1, 0], [-sl, 0, cl]])

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner (3,) [m], in the object's frame, of the upright box round it."""
        R, half = self.axes, np.array(self.size) / 2
        if self.points:
            corners = np.array(self.points) @ R.T
            return self.centre + corners.min(axis=0), self.centre + corners.max(axis=0)
        if self.kind == "cylinder":
            across = np.sqrt((R[:, 0] * half[0]) ** 2 + (R[:, 1] * half[1]) ** 2)
            reach = across + np.abs(R[:, 2]) * half[2]
        elif self.kind == "box":
            reach = np.abs(R) @ half
        else:
            reach = np.sqrt((R**2) @ half**2)
        return self.centre - reach, self.centre + reach
