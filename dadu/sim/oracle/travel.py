"""Ways through a house: where to stand, and how far it is, by shortest paths on a grid."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from scipy.ndimage import distance_transform_edt, label
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from dadu.house.format import House
from dadu.house.polygons import rectangles
from dadu.house.rasterize import rasterize
from dadu.world.occupancy import FREE

RESOLUTION = 0.1
"""[m]"""
_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1), (1, 2), (2, 1), (1, -2), (2, -1))
"""to half of the sixteen neighbours: lengths come out at most 3 % too long"""


Leg: TypeAlias = "tuple[tuple[float, float], tuple[float, float]]"
"""from one point of the map to another [m]"""
APART = 0.5
"""between the middles of two agents [m]: their half widths, 0.2 at most, and a hand's breadth"""


class Ways:
    """The free floor of a house for a base of a given half width. Distances are worked out once a destination."""

    def __init__(self, house: House, radius: float) -> None:
        """`radius` [m] from the base's middle to what it may touch."""
        self._map = rasterize(house, RESOLUTION)
        clearance = (distance_transform_edt(self._map.grid == FREE) - 0.5) * RESOLUTION
        self._free = clearance >= radius
        self._index = np.full(self._map.shape, -1)
        cells = np.argwhere(self._free)
        self._index[self._free] = np.arange(len(cells))
        self._points = self._map.centres(cells)
        self._rooms = self._room_indices(house)[self._free]
        self._names = [room.name for room in house.rooms]
        self._component = label(self._free, np.ones((3, 3)))[0][self._free]
        edges = self._edges(cells)
        self._graph = (edges + edges.T).tocsr()
        self._fields: dict[int, np.ndarray] = {}

    def stop(self, near: tuple[float, float], room: str = "", origin: tuple[float, float] | None = None,
             taken: Mapping[Leg, float] | None = None) -> tuple[float, float] | None:
        """The free place nearest to a point of the map [m], in `room` where one is named, and such that a way leads
        there from `origin` and that it is so far from each of the legs `taken` [m], where that is possible; None where
        nothing is free."""
        wanted = np.ones(len(self._points), bool) if not room else self._rooms == self._names.index(room)
        if origin is not None:
            joined = wanted & (self._component == self._component[self._nearest(origin)])
            wanted = joined if joined.any() else wanted
        for leg, apart in (taken or {}).items():
            clear = wanted & (away(self._points, leg) >= apart)
            wanted = clear if clear.any() else wanted
        if not wanted.any():
            return None
        candidates = np.flatnonzero(wanted)
        best = candidates[np.argmin(((self._points[candidates] - near) ** 2).sum(axis=1))]
        return float(self._points[best, 0]), float(self._points[best, 1])

    def length(self, start: tuple[float, float], end: tuple[float, float]) -> float:
        """Length of the shortest way [m]; inf where none leads there. Deterministic, not symmetric to the last bit."""
        goal, here = self._nearest(end), self._nearest(start)
        if here == goal:
            return math.dist(start, end)
        if goal not in self._fields:
            self._fields[goal] = dijkstra(self._graph, indices=goal)
        straight = math.dist(start, self._points[here]) if math.dist(start, self._points[here]) > RESOLUTION else 0.0
        return float(self._fields[goal][here]) + straight

    def path(self, start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
        """Points of the shortest way [m], both ends included; empty where none leads there."""
        if not math.isfinite(self.length(start, end)):
            return []
        goal, here = self._nearest(end), self._nearest(start)
        points = [start]
        while here != goal:
            row = slice(self._graph.indptr[here], self._graph.indptr[here + 1])
            onward = self._graph.indices[row]
            here = int(onward[np.argmin(self._fields[goal][onward] + self._graph.data[row])])
            points.append((float(self._points[here, 0]), float(self._points[here, 1])))
        return [*points, end]

    def path_around(self, start: tuple[float, float], end: tuple[float, float], legs: Mapping[Leg, float]
                    ) -> list[tuple[float, float]]:
        """As `path`, at least so far from each of the `legs` [m], or no nearer than `start` is; empty where none leads
        there."""
        open_ = self._clear_of(start, legs)
        goal, here = self._nearest(end), self._nearest(start)
        open_[here] = True
        if not open_[goal]:
            return []
        _, before = self._search(here, open_)
        nodes = [goal]
        while nodes[-1] != here:
            if before[nodes[-1]] < 0:
                return []
            nodes.append(int(before[nodes[-1]]))
        return [start, *((float(x), float(y)) for x, y in self._points[nodes[-2::-1]]), end]

    def refuge(self, start: tuple[float, float], legs: Mapping[Leg, float], way: Sequence[tuple[float, float]]
               ) -> tuple[float, float] | None:
        """The nearest place [m] `APART` from somebody's `way` that can be got to clear of the `legs`; None where there
        is none."""
        open_ = self._clear_of(start, legs)
        here = self._nearest(start)
        open_[here] = True
        length, _ = self._search(here, open_)
        for a, b in zip(way, way[1:]):
            length[away(self._points, (a, b)) < APART] = np.inf
        best = int(np.argmin(length))
        return (float(self._points[best, 0]), float(self._points[best, 1])) if np.isfinite(length[best]) else None

    def _clear_of(self, start: tuple[float, float], legs: Mapping[Leg, float]) -> np.ndarray:
        """bool (N,): the cells that are clear of all `legs`, or no nearer to them than `start`."""
        open_ = np.ones(len(self._points), bool)
        for leg, apart in legs.items():
            open_ &= away(self._points, leg) >= min(apart, float(away(np.array([start]), leg)[0]))
        return open_

    def _search(self, here: int, open_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(N,) lengths [m] of the ways to all cells through those that are open, and (N,) the cell before each."""
        kept = np.flatnonzero(open_)
        part = self._graph[kept][:, kept]
        near, last = dijkstra(part, indices=int(np.searchsorted(kept, here)), return_predecessors=True)
        length, before = np.full(len(open_), np.inf), np.full(len(open_), -1)
        length[kept] = near
        before[kept] = np.where(last >= 0, kept[np.maximum(last, 0)], -1)
        return length, before

    def free(self, point: tuple[float, float]) -> bool:
        """True if the base's middle can be at a point of the map [m]."""
        row, column = self._map.cells(point)
        inside = 0 <= row < self._map.shape[0] and 0 <= column < self._map.shape[1]
        return bool(inside and self._free[row, column])

    def _nearest(self, point: tuple[float, float]) -> int:
        row, column = self._map.cells(point)
        if self.free(point):
            return int(self._index[row, column])
        return int(np.argmin(((self._points - point) ** 2).sum(axis=1)))

    def _room_indices(self, house: House) -> np.ndarray:
        """int (rows, cols): number of the room that a cell's centre lies in, or -1."""
        rooms = np.full(self._map.shape, -1)
        for i, room in enumerate(house.rooms):
            for low, high in rectangles(room.floor):
                (r0, c0), (r1, c1) = self._map.cells([low, high])
                rooms[max(r0, 0):r1, max(c0, 0):c1] = i
        return rooms

    def _edges(self, cells: np.ndarray) -> coo_array:
        """Lengths [m] between neighbouring free cells, as a sparse matrix; a step passes free cells only."""
        rows, columns, lengths = [], [], []
        padded = np.pad(self._free, 3)
        for dr, dc in _STEPS:
            target = cells + (dr, dc)
            passable = padded[target[:, 0] + 3, target[:, 1] + 3]
            for pr, pc in _between(dr, dc):
                passable = passable & padded[cells[:, 0] + pr + 3, cells[:, 1] + pc + 3]
            rows.append(np.flatnonzero(passable))
            columns.append(self._index[target[passable, 0], target[passable, 1]])
            lengths.append(np.full(len(rows[-1]), math.hypot(dr, dc) * RESOLUTION))
        entries = np.concatenate(lengths), (np.concatenate(rows), np.concatenate(columns))
        return coo_array(entries, shape=(len(cells), len(cells))).tocsr()


def _between(dr: int, dc: int) -> tuple[tuple[int, int], ...]:
    """The cells that a step brushes."""
    if 0 in (dr, dc):
        return ()
    side = 1 if dc > 0 else -1
    if abs(dr) == abs(dc):
        return (0, side), (1, 0)
    return (((1, 0), (1, side)) if abs(dr) > abs(dc) else ((0, side), (1, side)))


def away(points: np.ndarray, leg: Leg) -> np.ndarray:
    """(N,) distances [m] of points (N, 2) of the map from a leg."""
    a, b = np.array(leg[0]), np.array(leg[1])
    along = b - a
    squared = float(along @ along)
    share = ((points - a) @ along / squared).clip(0, 1) if squared > 0 else np.zeros(len(points))
    return np.hypot(*(points - a - share[:, None] * along).T)


def ways(house: House, radius: float) -> Ways:
    """The ways of a house, shared by all worlds with the same walls, doors and furniture."""
    return _ways(house.model_dump_json(include={"house", "rooms", "doors", "furniture"}), round(radius, 2))


@lru_cache(maxsize=64)
def _ways(fixed: str, radius: float) -> Ways:
    return Ways(House.model_validate_json(fixed), radius)
