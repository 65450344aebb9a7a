"""What may be set when tasks are made; the resolved copy lies in the folder's ``data.yaml``."""

from __future__ import annotations

from pydantic import NonNegativeInt, PositiveInt

from dadu.core.config import Settings, Share
from dadu.learning.pictures.store import Split


class TaskSettings(Settings):
    """All of it."""

    seed: NonNegativeInt = 0
    """of homes and of what is asked for in them"""
    split: Split = "train"
    """whose homes: those for training hold no category that is kept out of it"""
    each: PositiveInt = 40
    """verified tasks that are made in each home, before duplicates and balance"""
    rooms: tuple[PositiveInt, PositiveInt] = (4, 8)
    """fewest and most"""
    alike: Share = 0.97
    """cosine of two instructions from which on they are the same said again; 1: only where the words are the same"""
    room_share: Share = 0.25
    """most of a type's tasks that are about one kind of room"""
    shard: PositiveInt = 500
    """tasks in one suite file"""
    robot: str = "stretch"
