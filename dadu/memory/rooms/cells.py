"""Which of several rooms or pieces of furniture every cell of a map belongs to."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dadu.world.graph import Entity, Kind, points_in_polygon
from dadu.world.occupancy import OccupancyMap


def numbered(entities: Iterable[Entity], map: OccupancyMap) -> np.ndarray:
    """int16 (rows, cols): the number, from 1, of the last of `entities` that a cell's centre lies within, seen from
    above; 0 for none."""
    layer = np.zeros(map.shape, np.int16)
    for number, entity in enumerate(entities, 1):
        _fill(layer, map, _outline(entity), number)
    return layer


def _outline(entity: Entity) -> np.ndarray:
    """float (N, 2) [m]: a room's polygon, or the footprint of furniture."""
    if entity.kind is Kind.ROOM:
        return np.asarray(entity.polygon, float).reshape(-1, 2)
    dx, dy = entity.size[0] / 2, entity.size[1] / 2
    return entity.pose.apply(np.array([(-dx, -dy), (dx, -dy), (dx, dy), (-dx, dy)]))


def _fill(layer: np.ndarray, map: OccupancyMap, outline: np.ndarray, number: int) -> None:
    """Writes `number` into the cells whose centres lie within an outline (N, 2) [m]."""
    if len(outline) < 3:
        return
    low, high = map.cells([outline.min(axis=0), outline.max(axis=0)])
    first, last = np.maximum(low, 0), np.minimum(high + 1, map.shape)
    if (first >= last).any():
        return
    rows, columns = np.mgrid[first[0]:last[0], first[1]:last[1]]
    cells = np.stack([rows.ravel(), columns.ravel()], axis=1)
    covered = cells[points_in_polygon(outline, map.centres(cells))]
    layer[covered[:, 0], covered[:, 1]] = number
