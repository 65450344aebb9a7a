"""What the loop asks of its surroundings, simulated or real."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np

from dadu.core.geometry import Pose2
from dadu.planner.loop.skill_context import SkillContext
from dadu.planner.step import Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.world.graph import WorldGraph

T = TypeVar("T")
Cancelled: TypeAlias = Callable[[], bool]
"""asked again and again: whether what runs is to end"""
Over: TypeAlias = Callable[[], "SkillResult | None"]
"""asked again and again while a skill runs: how it ends now; None while it goes on"""


def never() -> bool:
    """Nobody cancels."""
    return False


class TaskWorld(Protocol):
    """What every world tells; none of these blocks for long."""

    def graph(self) -> WorldGraph:
        """Memory's newest graph, the robot where it is now."""
        ...

    def now(self) -> float:
        """[s] on the clock in use."""
        ...

    def holding(self) -> bool | None:
        """True if the fingers press on something; None where that cannot be told."""
        ...


@runtime_checkable
class Seeing(Protocol):
    """A world that can also show what the camera sees."""

    def picture(self) -> np.ndarray | None:
        """The newest, uint8 (H, W, 3), red first."""
        ...


@runtime_checkable
class Choosing(Protocol):
    """A world in which some skills can be carried out in several ways."""

    ways: Mapping[str, tuple[str, ...]]
    """as `Body.ways`"""


@runtime_checkable
class Searching(Protocol):
    """A world whose detector takes text."""

    def look_for(self, id: str, description: str) -> None:
        """Has the detector look for what `description` says, which is `id`."""
        ...

    def forget_looks(self) -> None:
        """The task that this was said for is over."""
        ...


class Body(TaskWorld):
    """A robot that carries out skills. As it is here nothing of it is waited for; one whose parts run in processes of
    their own, or in the hands of a person, says more."""

    ways: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """names, by skill, of the ways of those that have several; the one preferred first"""
    sure: float = 0.0
    """[s] for which memory has to hold what is looked for until it counts as found"""

    @abstractmethod
    async def carry_out(self, call: SkillCall, approach: SkillContext, over: Over) -> SkillResult:
        """One skill, to its end or until it is `over()`."""

    @abstractmethod
    def pose(self) -> Pose2 | None:
        """Where the base is in the map; None where that is not known."""

    def learn(self, step: Step) -> None:
        """Memory learns of a step that has ended."""

    async def think(self, work: Callable[[], T], cancelled: Cancelled) -> T | None:
        """What `work` returns, which may take a while; None where it has not ended soon after `cancelled()`."""
        return work()

    async def settle(self, cancelled: Cancelled) -> None:
        """Lets memory take in what was seen last."""

    async def wait(self, seconds: float, why: str) -> None:
        """Lets `seconds` of wall time pass."""

    def driver_silent(self) -> bool:
        """True if the robot's driver has been silent for so long that no skill would be begun."""
        return False

    def pictured(self) -> bool:
        """True if a picture has come since this was asked last, and was looked at by the detector."""
        return True

    def interruption(self) -> SkillResult | None:
        """How a skill would end that is begun now; None while autonomy has the robot."""
        return None
