"""Furniture out of walls: others draw them without thickness."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.walls import THICKNESS, Wall
from dadu.imports.drafts import DraftPiece
from dadu.imports.report import ImportReport

_CLEAR = 0.002
"""between what was moved and the wall [m]"""
_ROUNDS = 4
"""out of one wall, it may stand in the next"""


def out_of_walls(draft: DraftPiece, walls: Sequence[Wall], report: ImportReport) -> None:
    """Moves a piece, with what stands on it, to the side of each wall where its middle is."""
    start = np.array(draft.pose[:2])
    for _ in range(_ROUNDS):
        shifts = [s for wall in walls if (s := _shift(draft, wall)) is not None]
        if not shifts:
            break
        draft.move(max(shifts, key=lambda s: float(np.linalg.norm(s))))
    moved = float(np.linalg.norm(np.array(draft.pose[:2]) - start))
    if moved > 0:
        report.change(draft.source, "pieces of furniture moved out of walls", moved)


def _shift(draft: DraftPiece, wall: Wall) -> np.ndarray | None:
    """(2,) [m] that takes a piece out of a wall to the side where its middle is; None where it stands clear of it."""
    if min(draft.bottom + draft.size[2], wall.top) - max(draft.bottom, wall.bottom) <= 0:
        return None
    frame = Pose2(*wall.centre, wall.yaw)
    local = frame.inverse().apply(draft.corners)
    if local[:, 0].min() > wall.length / 2 or local[:, 0].max() < -wall.length / 2:
        return None
    side = math.copysign(1.0, frame.inverse().apply(draft.pose[:2])[1])
    near, far = float((side * local[:, 1]).min()), float((side * local[:, 1]).max())
    depth = THICKNESS / 2 + _CLEAR - near
    if depth <= _CLEAR or far <= -THICKNESS / 2:
        return None
    return np.array([-math.sin(wall.yaw), math.cos(wall.yaw)]) * side * depth
