"""Where in a room the base can stand square to the walls, and get to from a door: all answers at once.

For each of four yaws, the footprint grown by a margin is counted against the blocked cells by a summed-area table. A
pose counts as reached when it is connected, straight ahead or behind, with a place where the base can turn, and that
place with the door: the drives that navigation plans (`dadu.navigation.route`), on whole cells.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import label

from dadu.core.geometry import Pose2
from dadu.navigation.costmap import Costmap

_MARGIN = 0.05
"""between the standing base and obstacles [m]; navigation asks for 0.03"""
_STRAIGHT = 1.2
"""longest drive between standing and turning [m]"""
_SQUARE = 0.02
"""from a right angle [rad]"""


class StandingRoom:
    """Of one costmap as it is now."""

    def __init__(self, costmap: Costmap, door: Pose2) -> None:
        """`door`: a pose where the robot comes in."""
        self._map = costmap.map
        self._parts, _ = label(np.isfinite(costmap.costs()))
        turning = (costmap.distance > costmap.footprint.circumscribed) & (self._parts == self._part(door))
        if not self._part(door):
            turning[:] = False
        polygon = costmap.footprint.polygon
        self._standing, self._reached = [], []
        for quarter in range(4):
            standing = clear_boxes(costmap.blocked, quarter_turned(polygon, quarter), self._map.resolution, _MARGIN)
            self._standing.append(standing)
            self._reached.append(_driven(standing, turning, quarter % 2, round(_STRAIGHT / self._map.resolution)))

    def connected(self, pose: Pose2, other: Pose2) -> bool:
        """True if the robot gets from one pose to another."""
        return bool(self._part(pose)) and self._part(pose) == self._part(other)

    def reaches(self, pose: Pose2) -> bool:
        """True if the base gets to `pose` and stands there freely; False for poses askew to the walls."""
        return self._at(self._reached, pose)

    def stands(self, pose: Pose2) -> bool:
        """True if the base is free at `pose`, however it came there; False for poses askew to the walls."""
        return self._at(self._standing, pose)

    def _at(self, grids: list[np.ndarray], pose: Pose2) -> bool:
        quarter = pose.yaw / (math.pi / 2)
        if abs(quarter - round(quarter)) * math.pi / 2 > _SQUARE:
            return False
        row, column = self._cell(pose)
        grid = grids[round(quarter) % 4]
        return 0 <= row < grid.shape[0] and 0 <= column < grid.shape[1] and bool(grid[row, column])

    def _part(self, pose: Pose2) -> int:
        """The part of the passable floor that a pose is on; 0 for none."""
        row, column = self._cell(pose)
        inside = 0 <= row < self._parts.shape[0] and 0 <= column < self._parts.shape[1]
        return int(self._parts[row, column]) if inside else 0

    def _cell(self, pose: Pose2) -> tuple[int, int]:
        x, y = self._map.origin
        return math.floor((pose.y - y) / self._map.resolution), math.floor((pose.x - x) / self._map.resolution)


def quarter_turned(polygon: np.ndarray, quarter: int) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper corner (2,) [m], about its pose along the axes of map, of a footprint turned by `quarter` right
    angles."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
    corners = polygon @ np.array([[c, s], [-s, c]])
    return corners.min(axis=0), corners.max(axis=0)


def clear_boxes(blocked: np.ndarray, box: tuple[np.ndarray, np.ndarray], resolution: float, margin: float = 0.0
                ) -> np.ndarray:
    """bool (rows, cols): cells around whose centre no blocked cell touches the box and its margin [m]."""
    (c0, r0), (c1, r1) = (np.floor((corner + sign * margin) / resolution + 0.5).astype(int)
                          for corner, sign in zip(box, (-1, 1), strict=True))
    pad = max(abs(v) for v in (c0, r0, c1, r1)) + 1
    table = np.pad(np.pad(blocked, pad, constant_values=True).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    rows, cols = blocked.shape

    def corner(r: int, c: int) -> np.ndarray:
        return table[pad + r:pad + r + rows, pad + c:pad + c + cols]

    return corner(r1 + 1, c1 + 1) - corner(r0, c1 + 1) - corner(r1 + 1, c0) + corner(r0, c0) == 0


def _driven(standing: np.ndarray, turning: np.ndarray, axis: int, steps: int) -> np.ndarray:
    """Standing cells that are connected with a turning cell by at most `steps` standing cells along x (`axis` 0) or y
    (1)."""
    standing, turning = (grid.T if axis else grid for grid in (standing, turning))
    reached = standing & turning
    forwards, backwards = reached.copy(), reached.copy()
    for _ in range(steps):
        forwards[:, 1:] |= forwards[:, :-1] & standing[:, 1:]
        backwards[:, :-1] |= backwards[:, 1:] & standing[:, :-1]
    reached = forwards | backwards
    return reached.T if axis else reached
