"""What somebody who sees says of a target and of the task: the same answers, whoever gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from dadu.planner.cost import ModelCall
from dadu.planner.policies.policy import Turn
from dadu.world.sides import Side


@dataclass(frozen=True)
class TargetView:
    """What is seen of a target."""

    remark: str
    """for the planner"""
    query: tuple[str, str] | None
    """the target and its description, for a detector that takes text; None where there is nothing to tell it"""
    by: str
    """who answered"""
    side: tuple[str, Side] | None = None
    """the place, and at which side of it the target is as seen from the robot"""
    calls: tuple[ModelCall, ...] = ()
    """what was asked of a model for it"""


@dataclass(frozen=True)
class DoneView:
    """A view of what is seen: does it show the instruction carried out?"""

    done: bool
    reason: str
    """for the planner, at most some twenty words"""
    by: str
    """who answered"""
    calls: tuple[ModelCall, ...] = ()
    """what was asked of a model for it"""


class Onlooker(Protocol):
    """Whoever can be asked what is seen."""

    def look(self, turn: Turn, target: str, place: str) -> TargetView | None:
        """What is seen now of `target`, thought to be at `place`, both ids; None from those who cannot tell."""
        ...

    def done(self, turn: Turn) -> DoneView | None:
        """Says where what is seen contradicts that the instruction is carried out; None from those who cannot tell."""
        ...
