"""Floor plans: rectangular rooms in one or two rows, with a hall between the rows in larger homes.

Plans are drawn at random and the least odd one is kept: rooms that must be reached through others, rooms like towels
and rows that differ in length count against a plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dadu.homes.preferences import HomePreferences
from dadu.homes.rectangle import Rectangle

_DRAFTS = 40
_WASTE = 0.3  # cost of a square metre of the house's bounding box that is no room
_STRETCH = 0.6  # cost of a room for each time that it is longer than wide, beyond once and a half
_GROWTH = 1.3  # a row is stretched by no more than this to match the other
_GRID = 0.05  # coordinates are multiples of this [m]
_EXTEND = 0.5  # chance that a room at the end of a row takes in the end of the hall


@dataclass(frozen=True)
class PlannedRoom:
    """A room before it has a name."""

    category: str
    area: Rectangle


def choose_rooms(count: int, preferences: HomePreferences, rng: np.random.Generator) -> list[str]:
    """Categories of `count` rooms; of several that could come next, one that the home lacks so far."""
    chosen: list[str] = []
    for line in preferences.program[:count]:
        fresh = [category for category in line if category not in chosen] or list(line)
        chosen.append(fresh[int(rng.integers(len(fresh)))])
    return chosen


def lay_out(categories: list[str], preferences: HomePreferences, rng: np.random.Generator, narrowest: float
            ) -> list[PlannedRoom]:
    """The best of many drafts, its lower left corner at the origin; neighbours share at least `narrowest` [m] of wall
    where they are to be connected."""
    drafts = [_draft(categories, preferences, rng) for _ in range(_DRAFTS)]
    best = min(drafts, key=lambda rooms: _cost(rooms, preferences, narrowest))
    return _turned(best, rng)


def neighbours(rooms: list[PlannedRoom], narrowest: float) -> list[tuple[int, int]]:
    """Pairs of rooms that share at least `narrowest` [m] of wall."""
    return [(i, j) for j in range(len(rooms)) for i in range(j)
            if rooms[i].area.shared_wall(rooms[j].area) >= narrowest]


def spanning(rooms: list[PlannedRoom], preferences: HomePreferences, narrowest: float) -> list[tuple[int, int, float]]:
    """The least odd pairs of rooms whose doors connect all rooms (Kruskal), with their oddities; fewer than rooms less
    one where the rooms do not hang together."""
    odd = sorted((preferences.oddity(rooms[i].category, rooms[j].category), i, j)
                 for i, j in neighbours(rooms, narrowest))
    group = list(range(len(rooms)))
    chosen = []
    for cost, i, j in odd:
        if group[i] != group[j]:
            chosen.append((i, j, cost))
            old = group[j]
            group = [group[i] if g == old else g for g in group]
    return chosen


def _cost(rooms: list[PlannedRoom], preferences: HomePreferences, narrowest: float) -> float:
    doors = spanning(rooms, preferences, narrowest)
    odd = sum(cost for *_, cost in doors) + 100.0 * (len(rooms) - 1 - len(doors))
    stretch = sum(max(0.0, room.area.elongation - 1.5) for room in rooms if room.category != "hall")
    corners = np.array([[room.area.low, room.area.high] for room in rooms])
    box = np.prod(corners.max(axis=(0, 1)) - corners.min(axis=(0, 1)))
    waste = box - sum(np.prod(room.area.size) for room in rooms)
    return float(odd + _STRETCH * stretch + _WASTE * waste)


def _draft(categories: list[str], preferences: HomePreferences, rng: np.random.Generator) -> list[PlannedRoom]:
    """Rows along x: rooms south of the hall, the hall, rooms north of it."""
    rooms = [c for c in categories if c != "hall"]
    rng.shuffle(rooms)
    hall = _snap(rng.uniform(*preferences.hall_width)) if "hall" in categories else 0.0
    if len(rooms) <= 3 and not hall and rng.random() < 0.5:
        return _row(rooms, 0.0, 1.0, preferences, rng)
    split = int(rng.integers(1, len(rooms))) if len(rooms) < 5 else len(rooms) // 2 + int(rng.integers(-1, 2))
    rows = _row(rooms[:split], 0.0, -1.0, preferences, rng), _row(rooms[split:], hall, 1.0, preferences, rng)
    length = max(row[-1].area.high[0] for row in rows)
    south, north = (_stretched(row, length) for row in rows)
    if not hall:
        return south + north
    corridor = PlannedRoom("hall", Rectangle((0.0, 0.0), (length, hall)))
    return _with_ends(south, north, corridor, preferences, rng)


def _row(categories: list[str], y: float, side: float, preferences: HomePreferences, rng: np.random.Generator
         ) -> list[PlannedRoom]:
    """Rooms of one depth next to each other, upwards (`side` 1) or downwards (-1) from `y`."""
    depth = _snap(rng.uniform(*preferences.depth))
    rooms, x = [], 0.0
    for category in categories:
        size = preferences.rooms[category]
        width = _snap(max(rng.uniform(*size.area) / depth, size.side))
        low, high = sorted((y, y + side * depth))
        rooms.append(PlannedRoom(category, Rectangle((x, low), (_snap(x + width), high))))
        x = _snap(x + width)
    return rooms


def _stretched(row: list[PlannedRoom], length: float) -> list[PlannedRoom]:
    """A row as long as the other one, unless its rooms would grow too much."""
    scale = length / row[-1].area.high[0]
    if scale > _GROWTH:
        return row
    return [replace(room, area=Rectangle((_snap(room.area.low[0] * scale), room.area.low[1]),
                                         (_snap(room.area.high[0] * scale), room.area.high[1]))) for room in row]


def _with_ends(south: list[PlannedRoom], north: list[PlannedRoom], hall: PlannedRoom, preferences: HomePreferences,
               rng: np.random.Generator) -> list[PlannedRoom]:
    """Rooms for company at the ends of the rows may take in the ends of the hall, as long as that is no shorter than
    wide."""
    bottom, (length, top) = hall.area.low[1], hall.area.high
    for row, end in ((south, 0), (north, 0), (south, -1), (north, -1)):
        room = row[end]
        sociable = any(room.category in pair for pair in preferences.open_between)
        if not sociable or len(row) < 2 or rng.random() > _EXTEND:
            continue
        if end == 0 and hall.area.low[0] == 0:
            rest = Rectangle((room.area.high[0], bottom), hall.area.high)
        elif end == -1 and hall.area.high[0] == length == room.area.high[0]:
            rest = Rectangle(hall.area.low, (room.area.low[0], top))
        else:
            continue
        if rest.size[0] < top - bottom:
            continue  # no hall would be left
        hall = replace(hall, area=rest)
        low, high = (room.area.low[0], min(room.area.low[1], bottom)), (room.area.high[0], max(room.area.high[1], top))
        row[end] = replace(room, area=Rectangle(low, high))
    return [*south, hall, *north]


def _turned(rooms: list[PlannedRoom], rng: np.random.Generator) -> list[PlannedRoom]:
    """Mirrored and turned by chance, the lower left corner at the origin."""
    flip, transpose = rng.random(2) < 0.5, rng.random() < 0.3
    corners = np.array([[room.area.low, room.area.high] for room in rooms])
    corners = np.where(flip, -corners, corners)
    if transpose:
        corners = corners[..., ::-1]
    corners = np.sort(corners, axis=1)
    corners = np.round(corners - corners.min(axis=(0, 1)), 3)
    return [replace(room, area=Rectangle((x0, y0), (x1, y1)))
            for room, ((x0, y0), (x1, y1)) in zip(rooms, corners.tolist(), strict=True)]


def _snap(value: float) -> float:
    return round(round(value / _GRID) * _GRID, 3)
