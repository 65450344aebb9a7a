"""Long-term memory: a grid map of the home with semantic labels, which room and which furniture every cell belongs to.

Source: DaDu-E's long-term memory, a grid of obstacles below, and text labels that correspond to its cells above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dadu.world.graph import Entity, Kind, WorldGraph, points_in_polygon
from dadu.world.occupancy import UNKNOWN, OccupancyMap

RESOLUTION = 0.05
"""[m] of the grid where no occupancy map is at hand"""
MARGIN = 0.5
"""[m] around all that is known, where no occupancy map is at hand"""
NOTHING = 0
"""label of cells that belong to nothing known"""


@dataclass(frozen=True)
class Place:
    """What is known of one point of the map; empty ids where nothing is."""

    room: str
    furniture: str
    occupancy: int
    """0 free, 100 occupied, -1 unknown"""


@dataclass(frozen=True)
class LabelledMap:
    """Labels on an occupancy grid. Layer cells hold indices into `names`, 0 for nothing."""

    occupancy: OccupancyMap
    names: tuple[str, ...]
    """ids of rooms and furniture; ``names[0]`` is empty"""
    rooms: np.ndarray
    """int16 (rows, cols)"""
    furniture: np.ndarray
    """int16 (rows, cols): what stands there, seen from above"""

    def at(self, xy: Sequence[float]) -> Place:
        """What is at a point (2,) of the map [m]."""
        cell = self.occupancy.cells(xy)
        if not self.occupancy.contains(cell):
            return Place("", "", UNKNOWN)
        index = tuple(cell)
        return Place(self.names[self.rooms[index]], self.names[self.furniture[index]],
                     int(self.occupancy.grid[index]))

    def cells(self, name: str) -> np.ndarray:
        """int (N, 2): the cells, row and column, of a room or piece of furniture; none for an unknown name."""
        if not name or name not in self.names:
            return np.zeros((0, 2), int)
        label = self.names.index(name)
        return np.argwhere((self.rooms == label) | (self.furniture == label))


def draw_map(graph: WorldGraph, occupancy: OccupancyMap | None = None) -> LabelledMap:
    """The labels of all rooms and furniture in `graph`, on the grid of `occupancy`, or on one of unknown cells that
    holds all of them."""
    rooms, pieces = graph.of(Kind.ROOM), graph.of(Kind.FURNITURE)
    grid = occupancy if occupancy is not None else _blank([_outline(e) for e in (*rooms, *pieces)])
    names = ("", *(e.id for e in (*rooms, *pieces)))
    layers = np.zeros((2, *grid.shape), np.int16)
    for label, entity in enumerate((*rooms, *pieces), 1):
        _fill(layers[0 if label <= len(rooms) else 1], grid, _outline(entity), label)
    return LabelledMap(grid, names, layers[0], layers[1])


class LongTermMemory:
    """The newest occupancy map with labels from the world graph; drawn anew when either has changed."""

    def __init__(self, occupancy: OccupancyMap | None = None) -> None:
        self.occupancy = occupancy
        self._drawn: LabelledMap | None = None
        self._places: tuple[Any, ...] = ()
        self._beneath: OccupancyMap | None = None

    def take(self, occupancy: OccupancyMap) -> None:
        """A newer map of obstacles."""
        self.occupancy = occupancy

    def map(self, graph: WorldGraph) -> LabelledMap:
        """The map as of now."""
        places = tuple((e.id, e.position, e.yaw, e.size, e.polygon) for e in graph
                       if e.kind in (Kind.ROOM, Kind.FURNITURE))
        if self._drawn is None or places != self._places or self.occupancy is not self._beneath:
            self._drawn, self._places, self._beneath = draw_map(graph, self.occupancy), places, self.occupancy
        return self._drawn


def _outline(entity: Entity) -> np.ndarray:
    """float (N, 2) [m]: a room's polygon, or the footprint of furniture."""
    if entity.kind is Kind.ROOM:
        return np.asarray(entity.polygon, float).reshape(-1, 2)
    dx, dy = entity.size[0] / 2, entity.size[1] / 2
    return entity.pose.apply(np.array([(-dx, -dy), (dx, -dy), (dx, dy), (-dx, dy)]))


def _blank(outlines: Sequence[np.ndarray]) -> OccupancyMap:
    corners = np.concatenate([np.zeros((1, 2)), *outlines])
    return OccupancyMap.unknown(corners.min(axis=0) - MARGIN, corners.max(axis=0) + MARGIN, RESOLUTION)


def _fill(layer: np.ndarray, grid: OccupancyMap, outline: np.ndarray, label: int) -> None:
    """Writes `label` into the cells whose centres lie within an outline (N, 2) [m]."""
    if len(outline) < 3:
        return
    low, high = grid.cells([outline.min(axis=0), outline.max(axis=0)])
    first, last = np.maximum(low, 0), np.minimum(high + 1, grid.shape)
    if (first >= last).any():
        return
    rows, columns = np.mgrid[first[0]:last[0], first[1]:last[1]]
    cells = np.stack([rows.ravel(), columns.ravel()], axis=1)
    covered = cells[points_in_polygon(outline, grid.centres(cells))]
    layer[covered[:, 0], covered[:, 1]] = label
