"""What somebody showed the robot: things that were called something, and how they looked then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dadu.world.exemplar import Exemplar

MOST = 200
"""examples that are kept, the newest"""


@dataclass(frozen=True)
class TaughtThing:
    """An example, and of which thing."""

    thing: str
    """its id then; another may be called so since"""
    stamp: float
    """when it was said [s]"""
    example: Exemplar


class Examples:
    """By thing, the newest that was said of it; it outlives the thing."""

    def __init__(self, kept: Iterable[TaughtThing] = ()) -> None:
        self.kept = tuple(kept)
        """oldest first; another tuple after every change"""

    @property
    def shown(self) -> Sequence[Exemplar]:
        """What a detector may learn from, oldest first."""
        return [taught.example for taught in self.kept]

    def add(self, taught: TaughtThing, born: float) -> None:
        """`born`: since when there is a thing of that id [s]."""
        self.forget(taught.thing, born)
        self.kept = (*self.kept, taught)[-MOST:]

    def forget(self, thing: str, born: float) -> None:
        """What was said of it is not so; of a thing of that id, known since `born` [s]."""
        self.kept = tuple(taught for taught in self.kept if taught.thing != thing or taught.stamp < born)
