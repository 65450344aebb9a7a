# ruff: noqa: T201 - a bench prints
"""Rooms found by doors against the true ones, in generated homes that a simulated laser has mapped from all over the
floor.

    python bench/rooms.py --homes 10 --first 100 --rooms 4

For the map alone, for what a detector may have found of the furniture (three of ten pieces missing, the others off by
5 cm and 10 % in size) and for all of it: how many of the true rooms were found (intersection over union above 0.5), how
many of these are called what they are, how many are called something else, how many rooms were found besides, and, as
the map has grown in four steps, how many ids were given to rooms that are no more.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.ndimage import distance_transform_edt
from scipy.optimize import linear_sum_assignment

from dadu.core.geometry import Pose2
from dadu.core.robot import LaserScan
from dadu.homes.home import generate_home
from dadu.house.format import House
from dadu.house.layout import build_graph
from dadu.house.rasterize import cross_section
from dadu.knowledge.rooms import ROOM
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.memory.rooms.cells import numbered
from dadu.memory.rooms.found import FoundRooms
from dadu.navigation.localisation.mapping import Mapper, MappingSettings
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.occupancy import FREE, OCCUPIED, OccupancyMap

LASER, BEAMS, REACH, NOISE = 0.17, 360, 10.0, 0.01
"""height [m], rays of a scan, range [m] and its noise [m]"""
APART, CLEAR, SCANS = 1.2, 0.25, 3
"""between two places of a scan [m], their distance to what stands there [m], and scans from each"""
STEPS = (0.25, 0.5, 0.75, 1.0)
"""share of the places, the nearest to the start first, after which rooms are looked for"""


def explored(house: House, rng: np.random.Generator) -> Iterator[OccupancyMap]:
    """The map after each of `STEPS`."""
    truth = cross_section(house, LASER)
    wide = distance_transform_edt(truth.grid == FREE) * truth.resolution > CLEAR
    points = truth.centres(np.argwhere(wide))
    _, first = np.unique(np.floor(points / APART), axis=0, return_index=True)
    places = points[first]
    places = places[np.argsort(np.linalg.norm(places - house.robot.pose[:2], axis=1))]
    mapper, done = Mapper(Pose2(*house.robot.pose), MappingSettings()), 0
    for share in STEPS:
        for x, y in places[done:round(share * len(places))]:
            ranges = _cast(truth, np.array([x, y])) + rng.normal(0.0, NOISE, BEAMS)
            scan = LaserScan(0.0, ranges.astype(np.float32), -np.pi, 2 * np.pi / BEAMS, REACH, np.eye(4))
            for _ in range(SCANS):
                mapper.insert(scan, Pose2(float(x), float(y), 0.0))
        done = round(share * len(places))
        mapper.draw()
        yield mapper.map


def _cast(truth: OccupancyMap, place: np.ndarray) -> np.ndarray:
    """float (BEAMS,) [m]: how far each ray goes from `place` (2,) [m]."""
    angles = -np.pi + np.arange(BEAMS) * 2 * np.pi / BEAMS
    away = np.arange(0.0, REACH, truth.resolution)
    points = place + away[None, :, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)[:, None]
    hit = truth.at(points) == OCCUPIED
    return np.where(hit.any(axis=1), away[hit.argmax(axis=1)], np.inf)


def known_furniture(layout: WorldGraph, how: str, rng: np.random.Generator) -> list[Entity]:
    """Of the true pieces those that are known, as they are."""
    pieces = [replace(piece, provenance="detection") for piece in layout.of(Kind.FURNITURE)]
    if how != "found":
        return pieces if how == "all" else []
    return [replace(p, position=(*(np.array(p.position[:2]) + rng.normal(0.0, 0.05, 2)).tolist(), 0.0),
                    size=tuple(np.array(p.size) * rng.normal(1.0, 0.1, 3)), confidence=0.7)
            for p in pieces if rng.random() > 0.3]


def judged(graph: WorldGraph, layout: WorldGraph, map: OccupancyMap) -> np.ndarray:
    """int (5,): true rooms, found, of these called right and wrong, found besides."""
    rooms, true = graph.of(Kind.ROOM), layout.of(Kind.ROOM)
    labels, truth = numbered(rooms, map), numbered(true, map)
    common = np.array([[_iou((labels == i) & (truth > 0), truth == j) for j in range(1, len(true) + 1)]
                       for i in range(1, len(rooms) + 1)]).reshape(len(rooms), len(true))
    rows, columns = linear_sum_assignment(-common)
    pairs = [(rooms[i], true[j]) for i, j in zip(rows, columns, strict=True) if common[i, j] > 0.5]
    right = sum(_means(found.category, room.category) for found, room in pairs)
    wrong = sum(found.category != ROOM for found, _ in pairs) - right
    return np.array([len(true), len(pairs), right, wrong, len(rooms) - len(pairs)])


def _iou(a: np.ndarray, b: np.ndarray) -> float:
    return float((a & b).sum() / max(1, (a | b).sum()))


def _means(category: str, true: str) -> bool:
    """A study is an office as well, a playroom a children's room."""
    words = default_vocabulary()
    return category == true or category != ROOM and words.entries[category].tier(words.lexicon.normal(true)) in (0, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--homes", type=int, default=10)
    parser.add_argument("--first", type=int, default=100, help="seed of the first home")
    parser.add_argument("--rooms", type=int, default=4)
    chosen = parser.parse_args()
    ways = ("none", "found", "all")
    totals, gone, spent, looks = {how: np.zeros(5, int) for how in ways}, dict.fromkeys(ways, 0), 0.0, 0
    for seed in range(chosen.first, chosen.first + chosen.homes):
        house, rng = generate_home(seed, chosen.rooms), np.random.default_rng(seed)
        layout, maps = build_graph(house, "layout"), list(explored(house, rng))
        for how in ways:
            graph, finder = WorldGraph(known_furniture(layout, how, rng)), FoundRooms(WorldGraph())
            ids: set[str] = set()
            for step, map in enumerate(maps):
                began = time.process_time()
                finder.update(graph, map, 100.0 * step)
                spent, looks = spent + time.process_time() - began, looks + 1
                ids |= {room.id for room in graph.of(Kind.ROOM)}
            totals[how] += judged(graph, layout, maps[-1])
            gone[how] += len(ids) - len(graph.of(Kind.ROOM))
    print("furniture known | true rooms | found | called right | called wrong | found besides | ids gone")
    for how in ways:
        print(how, *totals[how], gone[how], sep=" | ")
    print(f"{1000 * spent / looks:.0f} ms of processor time a look at the map")


if __name__ == "__main__":
    main()
