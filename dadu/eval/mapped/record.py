"""An episode's robot map and the true one, as they are kept with a run."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from dadu.core.config import Settings
from dadu.core.geometry import Pose2
from dadu.world.graph import Entity


class Mark(str, Enum):
    """What comes of laying the two maps over each other, entry by entry."""

    FOUND = "found"
    MISNAMED = "misnamed"
    """there, but taken for something else"""
    DUPLICATE = "duplicate"
    """of the robot's map: one thing a second time"""
    FALSE = "false"
    """of the robot's map: nothing like it is there"""
    MISSED = "missed"
    """of the true one: was shown to the camera, and is not in the robot's map"""
    NOT_SHOWN = "not shown"
    """of the true one: not in the robot's map, and the camera never had it in view from near by"""


class MapErrors(Settings):
    """How many of one kind of entry, at the end of an episode."""

    shown: int = 0
    """true ones that the camera had in view from near by"""
    found: int = 0
    """of these, in the robot's map under whatever name"""
    missed: int = 0
    misnamed: int = 0
    duplicates: int = 0
    false: int = 0
    doubted: int = 0
    """of the duplicates and false ones, those that the robot itself has little confidence in"""
    place_error: float | None = None
    """mean distance between the centres of those found [m]; of furniture seen from above"""


class MapFigures(Settings):
    """In ``episodes.jsonl``."""

    objects: MapErrors
    furniture: MapErrors | None = None
    """None where it was told"""


class TrueThing(Settings):
    """One object as it truly is at the end."""

    name: str
    category: str
    position: tuple[float, float, float]
    """centre, in the true map [m]"""


class MapRecord(Settings):
    """The two maps at the end, for the report."""

    belief: list[Entity]
    """rooms, furniture and objects in the robot's map"""
    frame: Pose2
    """the robot's map in the true one"""
    truth: list[TrueThing]
    believed_marks: dict[str, Mark] = Field(default_factory=dict)
    """of the belief's objects and furniture, by memory's ids"""
    true_marks: dict[str, Mark] = Field(default_factory=dict)
    """of true objects and furniture, by name"""
    means: dict[str, str] = Field(default_factory=dict)
    """true name by memory's id, of those found, misnamed and duplicate"""
