"""The likelihood field of a map: how far a laser hit lies from the nearest surface, smooth enough to differentiate.

Source: Thrun, Burgard, Fox, "Probabilistic Robotics", section 6.4. A drawn map fills bodies: their surface is the
border of the occupied cells. A map made from scans marks where hits were: the surface runs through the cells' centres.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import distance_transform_edt

from dadu.world.occupancy import OccupancyMap

_FAR = 0.5  # beyond it a hit says nothing [m]


class LikelihoodField:
    """Distance to the nearest surface, interpolated between cell centres; negative inside filled bodies."""

    def __init__(self, map: OccupancyMap, filled: bool) -> None:
        occupied = map.grid >= 50
        cells = distance_transform_edt(~occupied) if occupied.any() else np.full(map.shape, np.inf)
        if filled:
            cells = np.where(occupied, 0.5 - distance_transform_edt(occupied), cells - 0.5)
        self._distance = np.clip(cells * map.resolution, -_FAR, _FAR)
        self._map = map

    def sample(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances (...) [m] and their gradients (..., 2) at points (..., 2) in map; far outside the map."""
        rows, cols = self._map.shape
        at = (points - self._map.origin) / self._map.resolution - 0.5
        col = np.clip(np.floor(at[..., 0]), 0, cols - 2).astype(int)
        row = np.clip(np.floor(at[..., 1]), 0, rows - 2).astype(int)
        u, v = at[..., 0] - col, at[..., 1] - row
        inside = (u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)
        d = self._distance
        d00, d01, d10, d11 = d[row, col], d[row, col + 1], d[row + 1, col], d[row + 1, col + 1]
        value = (1 - v) * ((1 - u) * d00 + u * d01) + v * ((1 - u) * d10 + u * d11)
        gradient = np.stack([(1 - v) * (d01 - d00) + v * (d11 - d10), (1 - u) * (d10 - d00) + u * (d11 - d01)],
                            axis=-1) / self._map.resolution
        return np.where(inside, value, _FAR), np.where(inside[..., None], gradient, 0.0)
