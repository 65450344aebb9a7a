"""Rooms in the world graph that nobody told of, kept in step with the map and with what is known to stand in them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from scipy.ndimage import binary_fill_holes, binary_opening, label
from scipy.optimize import linear_sum_assignment

from dadu.knowledge.rooms import ROOM, room_odds
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.memory.rooms.cells import numbered
from dadu.memory.rooms.segment import segment
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph
from dadu.world.occupancy import UNKNOWN, OccupancyMap

TOLERANCE = 0.08
"""how far an outline may be off, to be of fewer corners [m]"""
_FINER = 8
"""parts of a cell's side: a contour goes through the middles of the outermost"""


def outline(cells: np.ndarray, resolution: float, origin: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Corners [m] of the largest part of `cells`, bool (rows, cols), whose edges are `resolution` [m] long and whose
    first one's lower left corner is at `origin` [m]; none where nothing is left. Holes are filled."""
    parts, count = label(binary_opening(binary_fill_holes(cells), np.ones((2, 2))))
    if not count:
        return ()
    largest = binary_fill_holes(parts == 1 + int(np.argmax(np.bincount(parts.ravel())[1:])))
    fine = np.kron(largest, np.ones((_FINER, _FINER))).astype(np.uint8)
    around = max(cv2.findContours(fine, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
    corners = cv2.approxPolyDP(around, TOLERANCE / resolution * _FINER, True)[:, 0]
    return tuple((round(float(x), 3), round(float(y), 3))
                 for x, y in (corners + 0.5) / _FINER * resolution + np.array(origin))


EVERY = 3.0
"""[s] between two looks at the map, which cost some hundredths of a second each"""
ENOUGH = 0.6
"""chance from which on a room is called by its sort"""
SAME = 0.97
"""what an outline has in common with the one before to stay as it is"""
HEIGHT = 2.5
"""[m], as rooms are"""
MARGIN = 20
"""cells around what is known of the map: furniture may reach beyond"""
FOUND = "detection"
"""provenance of rooms that nobody told of"""


class FoundRooms:
    """Finds rooms, unless somebody has told of them. Each keeps its id while it grows or its outline is corrected, for
    which it is taken that most of what it was stays its own; an id is not given twice."""

    def __init__(self, prior: WorldGraph) -> None:
        self._told = bool(prior.of(Kind.ROOM))
        self._looked: float | None = None
        self._map: OccupancyMap | None = None
        self._furniture: list[tuple[object, ...]] = []
        self._next = 0

    def update(self, graph: WorldGraph, map: OccupancyMap | None, stamp: float) -> None:
        """Brings the rooms of `graph` up to date with the `map` as of `stamp` [s]."""
        if self._told or map is None or self._looked is not None and 0.0 <= stamp - self._looked < EVERY:
            return
        self._looked = stamp
        furniture: list[tuple[object, ...]] = [(e.id, e.position, e.yaw, e.size) for e in graph.of(Kind.FURNITURE)]
        if map is not self._map or furniture != self._furniture:
            self._map, self._furniture = map, furniture
            self._outline(graph, _known_part(map), stamp)
            # What was in a room that was found is in the one that is there now.
            rooms = {room.id for room in graph.of(Kind.ROOM)}
            for edge in [e for e in graph.edges if e.relation is Relation.IN_ROOM]:
                room = graph.room_at(graph[edge.subject].position[:2]) if edge.subject in graph else None
                if edge.object in rooms and room is not None and room.id != edge.object:
                    graph.edges.remove(edge)
                    graph.edges.add(Edge(edge.subject, Relation.IN_ROOM, room.id))
        self._name(graph, stamp)

    def _outline(self, graph: WorldGraph, map: OccupancyMap, stamp: float) -> None:
        """Puts the rooms of the map, in their new outlines, and removes what is none any more."""
        known = graph.of(Kind.ROOM)
        furniture = numbered(graph.of(Kind.FURNITURE), map) > 0
        labels = segment(map, furniture)
        before = numbered(known, map)
        width, height = len(known) + 1, int(labels.max()) + 1
        counts = np.bincount((labels * width + before).ravel(), minlength=width * height).reshape(height, width)
        rows, columns = linear_sum_assignment(-counts[1:, 1:])
        was = {int(r) + 1: known[c] for r, c in zip(rows, columns, strict=True) if counts[r + 1, c + 1] > 0}
        kept = {room.id for room in was.values()}
        for room in known:
            if room.id not in kept:
                graph.remove(room.id)
        for number in range(1, height):
            old = was.get(number)
            if old is None or _in_common(counts, number, known.index(old) + 1) < SAME:
                self._put(graph, old, outline(labels == number, map.resolution, map.origin), stamp)

    def _put(self, graph: WorldGraph, old: Entity | None, polygon: tuple[tuple[float, float], ...], stamp: float
             ) -> None:
        if len(polygon) < 3:
            return
        room = old or Entity(self._unused(graph), Kind.ROOM, ROOM, provenance=FOUND, confidence=0.0)
        (x0, y0), (x1, y1) = np.min(polygon, axis=0).tolist(), np.max(polygon, axis=0).tolist()
        graph.put(replace(room, polygon=polygon, position=((x0 + x1) / 2, (y0 + y1) / 2, 0.0),
                          size=(x1 - x0, y1 - y0, HEIGHT), stamp=stamp))

    def _unused(self, graph: WorldGraph) -> str:
        taken = [int(number) for e in graph if (number := e.id.removeprefix(f"{ROOM}_")).isdigit()]
        self._next = max([self._next, *(n + 1 for n in taken)])
        self._next += 1
        return f"{ROOM}_{self._next - 1}"

    def _name(self, graph: WorldGraph, stamp: float) -> None:
        """Calls rooms by the sort that they are likely to be, and no longer so where that has become doubtful. What
        somebody calls a room by hand stays."""
        within = _contents(graph)
        for room in graph.of(Kind.ROOM):
            odds = _odds(within.get(room.id, []))
            best = max(sorted(odds), key=lambda sort: odds[sort])
            category = best if odds[best] >= ENOUGH else ROOM
            chance = round(odds[category], 2)
            if room.provenance == FOUND and (room.category, room.confidence) != (category, chance):
                graph.put(replace(room, category=category, confidence=chance, stamp=stamp,
                                  aliases=(category.replace("_", " "),) if category != ROOM else ()))


def _contents(graph: WorldGraph) -> dict[str, list[Entity]]:
    """By room, furniture and things in it."""
    out: dict[str, list[Entity]] = {}
    for entity in (*graph.of(Kind.FURNITURE), *graph.of(Kind.OBJECT)):
        room = graph.room_of(entity.id)
        if room is not None:
            out.setdefault(room.id, []).append(entity)
    return out


def _odds(inside: list[Entity]) -> dict[str, float]:
    return room_odds([(e.category, e.confidence) for e in inside if e.kind is Kind.FURNITURE],
                     [e.category for e in inside if e.kind is Kind.OBJECT], default_vocabulary())


def _known_part(map: OccupancyMap) -> OccupancyMap:
    """The map as far as anything is known, and a little more."""
    rows, columns = (np.flatnonzero((map.grid != UNKNOWN).any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return OccupancyMap(map.grid[:1, :1], map.resolution, map.origin)
    r, c = max(rows[0] - MARGIN, 0), max(columns[0] - MARGIN, 0)
    x, y = map.origin
    return OccupancyMap(map.grid[r:rows[-1] + MARGIN, c:columns[-1] + MARGIN], map.resolution,
                        (x + float(c) * map.resolution, y + float(r) * map.resolution))


def _in_common(counts: np.ndarray, row: int, column: int) -> float:
    both = counts[row, column]
    return float(both / (counts[row].sum() + counts[:, column].sum() - both))
