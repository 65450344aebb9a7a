"""A home as another's file has it, in our axes and words, before it is made to fit. Importers of homes fill it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.catalogue import Shape, Size

Outline = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class DraftRoom:
    """`source` is the other's own id here and below; it ends up in the report."""

    source: str
    category: str
    outline: Outline
    """map [m]; walls have their middle there"""
    height: float = 2.5


@dataclass(frozen=True)
class DraftDoor:
    source: str
    between: tuple[str, str]
    """sources of rooms"""
    at: tuple[float, float]
    """map [m]"""
    width: float
    height: float


@dataclass
class DraftThing:
    """Something that can be carried."""

    source: str
    category: str
    pose: Pose2
    bottom: float
    """height of its underside [m]"""
    size: Size
    shape: Shape | None = None
    """of a category that the catalogue lacks"""


@dataclass
class DraftPiece:
    """A piece of furniture with what stands on or in it."""

    source: str
    category: str
    pose: Pose2
    """of the middle of its footprint, its front along +x, map [m]"""
    size: Size
    bottom: float = 0.0
    """height of its underside [m]"""
    open: bool = False
    things: list[DraftThing] = field(default_factory=list)
    pieces: list[DraftPiece] = field(default_factory=list)

    @property
    def corners(self) -> np.ndarray:
        """(4, 2) of its footprint, map [m]"""
        x, y = self.size[0] / 2, self.size[1] / 2
        return self.pose.apply([[x, y], [-x, y], [-x, -y], [x, -y]])

    def move(self, shift: np.ndarray) -> None:
        """It and all that stands on it, by (2,) [m]."""
        self.pose = Pose2(self.pose.x + float(shift[0]), self.pose.y + float(shift[1]), self.pose.yaw)
        for item in self.things:
            item.pose = Pose2(item.pose.x + float(shift[0]), item.pose.y + float(shift[1]), item.pose.yaw)
        for piece in self.pieces:
            piece.move(shift)


@dataclass
class DraftHome:
    name: str
    rooms: list[DraftRoom] = field(default_factory=list)
    doors: list[DraftDoor] = field(default_factory=list)
    pieces: list[DraftPiece] = field(default_factory=list)
    on_floor: list[DraftThing] = field(default_factory=list)
    robot: Pose2 | None = None
