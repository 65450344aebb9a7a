"""What an exploring robot has looked at: what was near to, and in sight of, the places where it turned its head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dadu.core.geometry import Pose2, Vector2
from dadu.world.occupancy import FREE, OccupancyMap

NEAR = (2.5, 1.5)
"""farther than this things are hardly recognised, and what was not, at the second look, nearer by [m]"""
KEPT = 600.0
"""what was looked at longer ago may have changed [s]"""
WORTH = 0.05
"""less than this that was not looked at is not worth turning the head for [m^2]"""
_RAYS = 180


@dataclass
class Survey:
    """Where was looked all round, newest last."""

    _looks: list[tuple[float, Vector2, float]] = field(default_factory=list)
    """what `looked` was told, each time"""

    @property
    def places(self) -> list[Vector2]:
        """(2,) [m] in map each."""
        return [place for _, place, _ in self._looks]

    def looked(self, stamp: float, place: Vector2, least: float = 0.0) -> None:
        """At `stamp` [s] from `place` (2,) [m, map]: all round, or only to what had not been looked at from within
        `least` [m], so that nearer by there may be more to look at."""
        self._looks.append((stamp, place, least))

    def forget(self, stamp: float) -> None:
        """What is too long ago at `stamp` [s]."""
        self._looks = [look for look in self._looks if look[0] > stamp - KEPT]

    def seen(self, map: OccupancyMap, near: float) -> np.ndarray:
        """bool (rows, cols): cells of `map` within `near` [m], and in sight, of a place that was looked from."""
        seen = np.zeros(map.shape, bool)
        for place in (place for _, place, least in self._looks if least <= near):
            rows, columns = visible_cells(map, place, near).T
            seen[rows, columns] = True
        return seen

    def directions(self, map: OccupancyMap, pose: Pose2, turns: Sequence[float], near: float) -> tuple[float, ...]:
        """Those of `turns` [rad, from the base's x axis] in which something within `near` [m] was not looked at."""
        seen, width = self.seen(map, near), float(np.abs(np.diff(turns)).max()) if len(turns) > 1 else np.pi
        cells = visible_cells(map, pose[:2], near)
        new = map.centres(cells[~seen[tuple(cells.T)]]) - pose[:2]
        angles = np.arctan2(new[:, 1], new[:, 0]) - pose.yaw
        off = np.abs((angles[None] - np.asarray(turns)[:, None] + np.pi) % (2 * np.pi) - np.pi)
        enough = WORTH / map.resolution ** 2
        counts = (off <= width / 2).sum(axis=1)
        return tuple(turn for turn, count in zip(turns, counts, strict=True) if count >= enough)


def visible_cells(map: OccupancyMap, place: Sequence[float], radius: float) -> np.ndarray:
    """int (N, 2): row and column of cells that rays from `place` (2,) [m, map] meet within `radius` [m], up to and with
    the first that is not known to be free."""
    angles = np.arange(_RAYS) * (2 * np.pi / _RAYS)
    away = np.arange(0.0, radius, map.resolution)
    points = np.asarray(place) + away[None, :, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)[:, None, :]
    cells = map.cells(points)
    inside = map.contains(cells)
    rows, columns = np.moveaxis(np.where(inside[..., None], cells, 0), -1, 0)
    stops = ~inside | (map.grid[rows, columns] != FREE)
    before = np.cumsum(stops, axis=1) - stops
    met, lit = np.zeros(map.shape, bool), inside & (before == 0)
    met[rows[lit], columns[lit]] = True
    return np.argwhere(met)
