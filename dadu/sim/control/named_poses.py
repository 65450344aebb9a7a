"""Places with names: where the robot starts, the middle of each room, every surface that things stand on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.format import House, Room
from dadu.house.furniture.pieces import furniture_model
from dadu.house.polygons import rectangles
from dadu.sim.control.volumes import Volume, VolumeKind

_LIFT = 0.002
"""above a surface [m], so that what is spawned there touches nothing"""


@dataclass(frozen=True)
class NamedPose:
    name: str
    description: str
    tags: tuple[str, ...]
    T_map: np.ndarray
    """(4, 4), on the surface or floor"""
    bounds: Volume
    """what is free there, in the pose's own frame; furniture and things that stand there are not left out"""


def named_poses(house: House) -> dict[str, NamedPose]:
    """All of a house as its file has it, doors and drawers shut, by name."""
    T_map_robot = Pose2(*house.robot.pose).matrix()
    start = NamedPose("start", "where the robot starts", ("spawn", "robot"), T_map_robot, Volume())
    return {pose.name: pose for pose in (start, *map(_room, house.rooms), *_surfaces(house))}


def _room(room: Room) -> NamedPose:
    """The middle of its largest rectangle."""
    low, high = max(rectangles(room.floor), key=lambda corners: float(np.prod(corners[1] - corners[0])))
    (x, y), (width, depth) = (low + high) / 2, high - low
    return NamedPose(room.name, f"the middle of {room.name}", ("room", "navigation_goal", room.category),
                     Pose2(float(x), float(y), 0.0).matrix(), _box(float(width), float(depth), room.height))


def _surfaces(house: House) -> Iterator[NamedPose]:
    for piece in house.furniture:
        for deck in furniture_model(piece).decks:
            pose = piece.pose2 * Pose2(*deck.centre, 0.0)
            yield NamedPose(f"{piece.name}/{deck.name}", f"{'in' if deck.inside else 'on'} {piece.name}",
                            ("spawn", "surface", piece.category), pose.matrix(deck.height + _LIFT),
                            _box(*deck.size, deck.clearance))


def _box(x: float, y: float, z: float) -> Volume:
    """Of those extents [m] over the origin: the upper corner first, as the standard has it."""
    return Volume(VolumeKind.BOX, np.array([[x / 2, y / 2, z], [-x / 2, -y / 2, 0.0]]))
