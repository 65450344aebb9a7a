"""Volumes that entities are looked for in: spheres, boxes along the axes, convex hulls."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from scipy.optimize import linprog

from dadu.sim.control.codes import ResultCode, Unfulfilled
from dadu.world.boxes import OrientedBox


class VolumeKind(IntEnum):
    """As in simulation_interfaces/msg/Bounds."""

    EMPTY = 0
    BOX = 1
    CONVEX_HULL = 2
    SPHERE = 3


@dataclass(frozen=True)
class Volume:
    """`points` (n, 3) [m] in map: none; two corners of a box; three or more of a hull; centre and (radius, -, -) of a
    sphere. Errors: Unfulfilled."""

    kind: VolumeKind = VolumeKind.EMPTY
    points: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))

    def __post_init__(self) -> None:
        count, kind = len(self.points), self.kind
        valid = {VolumeKind.EMPTY: count == 0, VolumeKind.BOX: count == 2, VolumeKind.CONVEX_HULL: count >= 3,
                 VolumeKind.SPHERE: count == 2 and self.points[-1, 0] >= 0}[kind]
        if not valid or not np.isfinite(self.points).all():
            raise Unfulfilled(ResultCode.OPERATION_FAILED, f"bounds of type {kind.name} with {count} points are none: "
                              "a box has two corners, a hull three points or more, a sphere a centre and a radius")

    def overlaps(self, box: OrientedBox) -> bool:
        """True if they share a point; everything overlaps with an empty volume."""
        if self.kind is VolumeKind.EMPTY:
            return True
        if self.kind is VolumeKind.SPHERE:
            outside = np.maximum(np.abs(box.local(self.points[0])) - box.size / 2, 0.0)
            return bool(np.linalg.norm(outside) <= self.points[1, 0])
        return _hull_overlaps(_corners(self.points) if self.kind is VolumeKind.BOX else self.points, box)


def _corners(opposite: np.ndarray) -> np.ndarray:
    """(8, 3) of the box along the axes between two corners (2, 3)."""
    return np.stack(np.meshgrid(*opposite.T), -1).reshape(-1, 3)


def _hull_overlaps(points: np.ndarray, box: OrientedBox) -> bool:
    """True if some convex combination of the points lies in the box: a linear programme without an objective, which
    holds for flat hulls, too."""
    local = box.local(points).T
    half = box.size / 2 + 1e-9
    found = linprog(np.zeros(len(points)), A_ub=np.concatenate([local, -local]), b_ub=np.concatenate([half, half]),
                    A_eq=np.ones((1, len(points))), b_eq=[1.0], bounds=(0, 1))
    return bool(found.status == 0)
