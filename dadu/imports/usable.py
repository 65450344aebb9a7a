"""Furniture that a robot could not use, moved: chairs out from under tables, fridges out of corners and, where that is
not enough, to another wall."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import RobotDescription
from dadu.homes.front_clearance import front_clearance_of
from dadu.homes.standing import clear_boxes, quarter_turned
from dadu.homes.working_places import WorkingPlaces, carried_along
from dadu.house.check import is_carried
from dadu.house.format import Furniture, House
from dadu.house.furniture.pieces import furniture_model, size_of
from dadu.house.overlaps import collides
from dadu.house.placement import place_objects
from dadu.house.rasterize import rasterize
from dadu.imports.report import ImportReport
from dadu.world.graph import points_in_polygon
from dadu.world.occupancy import FREE

_DISTANCES = (0.1, 0.2, 0.3, 0.45, 0.6)
"""that are tried [m]"""
_SIDES = 8
_CELL, _EVERY, _PLACES = 0.05, 3, 24
"""where that does not help: of the map on which it is looked for other places [m], how many of these are passed over,
and how many tried"""
_STANDING, _SHARE = 0.45, 0.5
"""depth of the floor before a front [m], and the share of it that is free where a base may stand there at all"""
_BEHIND = 0.1
"""so near behind it there is a wall or another piece [m]"""
_ROUNDED = 0.001
"""less than that is no change: poses are written with four digits [m, degrees]"""
_ROUNDS = 2
"""what is moved may free, or block, others"""


def made_usable(house: House, robot: RobotDescription, report: ImportReport) -> House:
    """The house with each piece that the robot could not use at the nearest place where it can, if its room has one."""
    start = {piece.name: piece.pose2 for piece in house.furniture}
    tried: set[str] = set()
    for _ in range(_ROUNDS):
        stuck = list(dict.fromkeys(fault.partition(":")[0] for fault in WorkingPlaces(house, robot).unusable()))
        tried.update(stuck)
        before = house
        for name in stuck:
            house = _freed(house, name, robot)
        if house == before:
            break
    for piece in house.furniture:
        if piece.name in tried:
            _say(piece, start[piece.name], report)
    return house


def _say(piece: Furniture, start: Pose2, report: ImportReport) -> None:
    by, turn = math.dist(piece.pose[:2], start[:2]), math.degrees(abs(wrap(piece.pose[2] - start.yaw)))
    if by > _ROUNDED:
        report.change(piece.name, "pieces of furniture moved to where the robot can use them", by)
    if turn > _ROUNDED:
        report.change(piece.name, "pieces of furniture turned to where the robot can use them", turn, "degrees")


def _freed(house: House, name: str, robot: RobotDescription) -> House:
    """As it is, where no place helps."""
    piece = house.piece(name)
    for pose in (_on_others(piece) if piece.elevation > 0 else _Floor(house, piece, robot).places()):
        moved = _moved(house, piece, pose)
        if moved is not None and not any(WorkingPlaces(moved, robot).faults(name)):
            return moved
    return house


def _on_others(piece: Furniture) -> Iterator[Pose2]:
    """Its front to the other sides, or nearby as it is, or both."""
    turns = [Pose2(0.0, 0.0, wrap(quarter * math.pi / 2)) for quarter in (1, 3, 2)]
    yield from (piece.pose2 * turn for turn in turns)
    yield from _near(piece)
    yield from (pose * turn for pose in _near(piece, _DISTANCES[:3]) for turn in turns)


def _near(piece: Furniture, distances: Sequence[float] = _DISTANCES) -> Iterator[Pose2]:
    """Turned as it is."""
    for distance in distances:
        for angle in np.arange(_SIDES) * 2 * math.pi / _SIDES:
            yield piece.pose2 * Pose2(distance * math.cos(angle), distance * math.sin(angle), 0.0)


class _Floor:
    """Of a house without one piece and what stands on it."""

    def __init__(self, house: House, piece: Furniture, robot: RobotDescription) -> None:
        along = carried_along(house, piece)
        others = tuple(p for p in house.furniture if p.name not in along)
        self._map = rasterize(house.model_copy(update={"furniture": others}), _CELL, robot.height)
        self._piece, self._front = piece, front_clearance_of(piece, robot)

    def places(self) -> Iterator[Pose2]:
        """Near by, with floor to stand on before what it opens; then with its back to something and all the room that
        the robot may need, the nearest first."""
        opens = bool(furniture_model(self._piece).parts)
        yield from (pose for pose in _near(self._piece) if not opens or self._stands_before(pose))
        yield from islice(self._roomy(), _PLACES)

    def _stands_before(self, pose: Pose2) -> bool:
        depth, width, _ = size_of(self._piece)
        ahead = np.stack(np.meshgrid(depth / 2 + np.arange(_CELL, _STANDING, _CELL), np.linspace(-0.5, 0.5, 9) * width),
                         axis=-1).reshape(-1, 2)
        rows, columns = self._map.cells(pose.apply(ahead)).T
        inside = (rows >= 0) & (columns >= 0) & (rows < self._map.shape[0]) & (columns < self._map.shape[1])
        return bool(inside.all() and (self._map.grid[rows, columns] == FREE).mean() >= _SHARE)

    def _roomy(self) -> list[Pose2]:
        (depth, width, _), front, blocked = size_of(self._piece), self._front, self._map.grid != FREE
        room = np.array([(-depth / 2, -width / 2 - front.low), (depth / 2 + front.depth, width / 2 + front.high)])
        back = np.array([(-depth / 2 - _BEHIND, -width / 4), (-depth / 2, width / 4)])
        found = []
        for quarter in range(4):
            spots = clear_boxes(blocked, quarter_turned(room, quarter), _CELL)
            spots &= ~clear_boxes(blocked, quarter_turned(back, quarter), _CELL)
            centres = self._map.centres(np.argwhere(spots)).tolist()
            found += [Pose2(x, y, wrap(quarter * math.pi / 2)) for x, y in centres]
        return sorted(found, key=lambda pose: math.dist(pose[:2], self._piece.pose[:2]))[::_EVERY]


def _moved(house: House, piece: Furniture, pose: Pose2) -> House | None:
    """With what stands on it; None where it would leave its room or stand in something."""
    along, shift = carried_along(house, piece), pose * piece.pose2.inverse()
    furniture = tuple(_shifted(p, shift) if p.name in along else p for p in house.furniture)
    moved = house.model_copy(update={"furniture": furniture})
    here = moved.piece(piece.name)
    inside = points_in_polygon(house.room(piece.room).floor, here.pose[:2])
    stands = here.elevation == 0 or is_carried(moved, here)
    if not inside or not stands or _stands_on(here, house.robot.pose[:2]):
        return None
    free = not any(collides(moved, moved.piece(name), along) for name in along)
    return moved if free and _has_places(moved) else None


def _has_places(house: House) -> bool:
    """False where a board comes under what hangs on a wall, and things stand there."""
    try:
        place_objects(house)
    except ConfigError:
        return False
    return True


def _stands_on(piece: Furniture, place: tuple[float, float]) -> bool:
    return bool((np.abs(piece.pose2.inverse().apply(place)) <= np.array(size_of(piece)[:2]) / 2 + 0.3).all())


def _shifted(piece: Furniture, shift: Pose2) -> Furniture:
    x, y, yaw = shift * piece.pose2
    return piece.model_copy(update={"pose": (round(x, 4), round(y, 4), round(yaw, 5))})
