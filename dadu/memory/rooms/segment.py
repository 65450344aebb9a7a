"""The free floor of a map cut at its doorways.

A room is wide, a doorway narrow: of the distance to the nearest wall every room is a hill and every doorway a saddle
between two. The hills are flooded from their tops down; where two meet they are two rooms if the saddle is narrow for
both, else one. Source: segmentation by the distance transform and by its watershed, as surveyed by Bormann, Jordan, Li,
Hampp, Haegele, "Room Segmentation: Survey, Implementation, and Analysis" (ICRA 2016); that a hill is kept by how far it
rises above its saddle is the persistence of Edelsbrunner, Letscher, Zomorodian (2002). Furniture narrows rooms as walls
do, so what is known to be furniture is taken away first.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import binary_closing, distance_transform_edt, find_objects, label

from dadu.world.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancyMap

NARROW = 0.7
"""a saddle narrower than this share of the lesser hill's height is a doorway"""
WIDEST = 0.95
"""half the width of the widest opening between two rooms [m]"""
LEAST_PEAK = 0.45
"""half the width of the narrowest room [m]"""
LEAST_AREA = 1.5
"""of a room [m^2]"""
SMALL = 0.45
"""what stands free and is no larger than this is no wall [m]"""
STEP = 2
"""cells between two that are flooded: doors are wide enough"""
_NEIGHBOURS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
_EIGHT = np.ones((3, 3), bool)


def segment(map: OccupancyMap, furniture: np.ndarray) -> np.ndarray:
    """int32 (rows, cols): 0 for no room, 1, 2... for the cells of each, at every cell of `map`. `furniture`: bool
    (rows, cols), cells that known furniture covers."""
    floor = _floor(map, furniture)
    height = distance_transform_edt(floor) * map.resolution
    coarse = _flood(height[::STEP, ::STEP])
    seen = (map.grid == FREE)[::STEP, ::STEP]
    coarse = _drop_small(coarse, seen * (STEP * map.resolution) ** 2)
    labels = np.repeat(np.repeat(coarse, STEP, axis=0), STEP, axis=1)[:map.shape[0], :map.shape[1]]
    near = distance_transform_edt(labels == 0, return_distances=False, return_indices=True)
    labels = labels[tuple(near)] if labels.any() else labels
    return np.where(floor, labels, 0).astype(np.int32)


def _floor(map: OccupancyMap, furniture: np.ndarray) -> np.ndarray:
    """bool (rows, cols): what would be free if the home was empty."""
    free = (map.grid == FREE) | furniture
    free |= _fronts(map.grid == FREE, furniture)
    blobs, _ = label((map.grid == OCCUPIED) & ~furniture, structure=_EIGHT)
    most = SMALL / map.resolution
    for number, (rows, columns) in enumerate(find_objects(blobs), 1):
        if max(rows.stop - rows.start, columns.stop - columns.start) <= most:
            free[rows, columns] |= blobs[rows, columns] == number
    # Slits between furniture and wall, and specks that no ray has met.
    closed = binary_closing(np.pad(free, 2), _EIGHT, iterations=1)[2:-2, 2:-2]
    return free | (closed & (map.grid == UNKNOWN))


def _fronts(free: np.ndarray, furniture: np.ndarray) -> np.ndarray:
    """bool (rows, cols): what lies between furniture and floor seen to be free before it: its face, which is no wall,
    a little farther out than it was thought to be."""
    between = np.zeros_like(free)
    for axis in (0, 1):
        for way in (1, -1):
            beyond = np.roll(furniture, way, axis) | np.roll(furniture, 2 * way, axis)
            before = np.roll(free, -way, axis) | np.roll(free, -2 * way, axis)
            between |= beyond & before
    return between


def _flood(height: np.ndarray) -> np.ndarray:
    """int (rows, cols): the hills of `height` [m] that are rooms, numbered from 1; 0 where it is 0."""
    padded = np.pad(height, 1)
    width, values = padded.shape[1], padded.ravel().tolist()
    order = np.argsort(-padded, axis=None, kind="stable")[:np.count_nonzero(padded)].tolist()
    steps = [dr * width + dc for dr, dc in _NEIGHBOURS]
    owner = [-1] * len(values)
    parent: list[int] = []
    peaks: list[float] = []

    def root(hill: int) -> int:
        while parent[hill] != hill:
            parent[hill] = parent[parent[hill]]
            hill = parent[hill]
        return hill

    for cell in order:
        here = values[cell]
        hills = {root(owner[cell + step]) for step in steps if owner[cell + step] >= 0}
        if not hills:
            owner[cell] = len(parent)
            parent.append(len(parent))
            peaks.append(here)
            continue
        highest = max(hills, key=lambda hill: peaks[hill])
        owner[cell] = highest
        for hill in hills - {highest}:
            if here > WIDEST or peaks[hill] < LEAST_PEAK or here > NARROW * peaks[hill]:
                parent[hill] = highest
    roots = sorted({root(hill) for hill in range(len(parent))})
    number = {hill: i for i, hill in enumerate(roots, 1)}
    out = np.array([0 if hill < 0 else number[root(hill)] for hill in owner]).reshape(padded.shape)
    return out[1:-1, 1:-1]


def _drop_small(labels: np.ndarray, area: np.ndarray) -> np.ndarray:
    """The same with what is too small for a room, by the `area` [m^2] of each cell that was seen to be free, given to
    the room it touches most; to none where it touches none."""
    labels = labels.copy()
    while True:
        areas, cells = np.bincount(labels.ravel(), weights=area.ravel()), np.bincount(labels.ravel())
        small = [n for n in range(1, len(areas)) if cells[n] and areas[n] < LEAST_AREA]
        if not small:
            return labels
        least = min(small, key=lambda n: areas[n])
        labels[labels == least] = _touched_most(labels, least)


def _touched_most(labels: np.ndarray, number: int) -> int:
    own = np.pad(labels == number, 1)
    around = np.zeros_like(own)
    for dr, dc in _NEIGHBOURS:
        around |= np.roll(own, (dr, dc), axis=(0, 1))
    counts = np.bincount(labels[around[1:-1, 1:-1] & (labels != number)], minlength=1)
    counts[0] = 0
    return int(counts.argmax())
