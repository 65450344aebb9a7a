"""How much floor must stay free before a piece of furniture so that the robot can work there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dadu.core.robot import RobotDescription
from dadu.homes.preferences import PieceLook, piece_looks
from dadu.house.format import Furniture
from dadu.house.furniture.entity import furniture_entity
from dadu.house.furniture.pieces import size_of
from dadu.navigation.standing.base_poses import hinge_track

_USUAL, _WITH_PARTS = 0.85, 1.15
"""depth [m]: to stand and work; to open doors and drawers"""
_MARGIN = 0.06
"""around the base [m]"""


@dataclass(frozen=True)
class FrontClearance:
    """Free floor before a front."""

    depth: float
    """[m]"""
    low: float = 0.0
    """by how much it is wider than the furniture towards -y [m]"""
    high: float = 0.0
    """the same towards +y"""


def front_clearance_of(piece: Furniture, robot: RobotDescription) -> FrontClearance:
    """What the preferences say, or what it takes: opening a door, the base drives along the front with the handle."""
    wanted = piece_looks().get(piece.category, PieceLook()).front_clearance
    parts = furniture_entity(piece.model_copy(update={"pose": (0.0, 0.0, 0.0)})).parts
    if wanted is not None:
        return FrontClearance(wanted)
    if not parts:
        return FrontClearance(_USUAL)
    half = size_of(piece)[1] / 2
    yaw = math.pi - robot.arm_direction  # of a base whose arm points at a front along +x
    along = np.asarray(robot.footprint) @ np.array([math.sin(yaw), math.cos(yaw)])
    base = float(along.min()), float(along.max())
    sides = [part.handle[1] + hinge_track(part, opening=True) for part in parts if part.kind == "hinge"]
    track = np.concatenate([np.zeros(0), *sides])
    low = max(0.0, -(track.min() + base[0]) - half + _MARGIN) if len(track) else 0.0
    high = max(0.0, track.max() + base[1] - half + _MARGIN) if len(track) else 0.0
    return FrontClearance(_WITH_PARTS, low, high)
