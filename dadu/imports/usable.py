"""Furniture that a robot could not use, moved a little: chairs out from under tables, fridges out of corners."""

from __future__ import annotations

import math

import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.homes.working_places import WorkingPlaces
from dadu.house.check import is_carried
from dadu.house.format import Furniture, House
from dadu.house.furniture.pieces import size_of
from dadu.house.overlaps import collides
from dadu.house.placement import place_objects
from dadu.imports.report import ImportReport
from dadu.world.graph import points_in_polygon

_DISTANCES = (0.1, 0.2, 0.3, 0.45, 0.6)
"""that are tried [m]"""
_SIDES = 8
_ROUNDS = 2
"""what is moved may free, or block, others"""


def made_usable(house: House, robot: RobotDescription, report: ImportReport) -> House:
    """The house with each piece that the robot could not use at the nearest place where it can, if one is near."""
    start = {piece.name: piece.pose for piece in house.furniture}
    for _ in range(_ROUNDS):
        stuck = list(dict.fromkeys(fault.partition(":")[0] for fault in WorkingPlaces(house, robot).unusable()))
        for name in stuck:
            house = _freed(house, name, robot)
        if not stuck:
            break
    for piece in house.furniture:
        if (by := math.dist(piece.pose[:2], start[piece.name][:2])) > 0 and piece.elevation == 0:
            report.change(piece.name, "pieces of furniture moved to where the robot can use them", by)
    return house


def _freed(house: House, name: str, robot: RobotDescription) -> House:
    """As it is, where no place near by helps."""
    piece = house.piece(name)
    for distance in _DISTANCES:
        for side in range(_SIDES):
            angle = piece.pose[2] + 2 * math.pi * side / _SIDES
            moved = _moved(house, piece, np.array([math.cos(angle), math.sin(angle)]) * distance)
            if moved is not None and not any(WorkingPlaces(moved, robot).faults(name)):
                return moved
    return house


def _moved(house: House, piece: Furniture, shift: np.ndarray) -> House | None:
    """With what stands on it; None where it would leave its room or stand in something."""
    along = {piece.name, *(p.name for p in house.furniture if p.elevation > 0 and _carries(piece, p))}
    furniture = tuple(_shifted(p, shift) if p.name in along else p for p in house.furniture)
    moved = house.model_copy(update={"furniture": furniture})
    here = moved.piece(piece.name)
    inside = points_in_polygon(house.room(piece.room).floor, here.pose[:2])
    stands = here.elevation == 0 or is_carried(moved, here)
    free = inside and stands and not any(collides(moved, moved.piece(name), along) for name in along)
    return moved if free and not _stands_on(here, house.robot.pose[:2]) and _has_places(moved) else None


def _has_places(house: House) -> bool:
    """False where a board comes under what hangs on a wall, and things stand there."""
    try:
        place_objects(house)
    except ConfigError:
        return False
    return True


def _carries(lower: Furniture, upper: Furniture) -> bool:
    here = np.abs(lower.pose2.inverse().apply(upper.pose[:2]))
    return bool((here <= np.array(size_of(lower)[:2]) / 2).all()) and upper.elevation <= size_of(lower)[2] + 0.01


def _stands_on(piece: Furniture, place: tuple[float, float]) -> bool:
    return bool((np.abs(piece.pose2.inverse().apply(place)) <= np.array(size_of(piece)[:2]) / 2 + 0.3).all())


def _shifted(piece: Furniture, shift: np.ndarray) -> Furniture:
    x, y, yaw = piece.pose
    return piece.model_copy(update={"pose": (round(x + float(shift[0]), 4), round(y + float(shift[1]), 4), yaw)})
