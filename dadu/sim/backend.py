"""What every simulator offers, whatever moves the world behind it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from dadu.core.errors import DaduError
from dadu.core.robot import Robot, RobotDescription
from dadu.house.format import House
from dadu.world.state import WorldState


class DisturbanceError(DaduError):
    """A disturbance that names something that is not there, or that finds no place."""


Position = tuple[float, float, float]


class Backend(ABC):
    """A house with a robot in it, in lock step: nothing moves but in `advance`.

    Time goes on over `reset`. The same house, seed and commands give the same course of events.
    """

    house: House
    description: RobotDescription
    robot: Robot
    """commands in, observations out; a sensor that the simulator lacks reports None"""
    instance_names: tuple[str, ...]
    """pixel value v of a camera's instances means ``instance_names[v - 1]``"""
    instance_categories: tuple[str, ...]

    @property
    @abstractmethod
    def time(self) -> float:
        """[s]"""

    @abstractmethod
    def reset(self, seed: int = -1) -> None:
        """Back to the start; -1: exactly as in the house file, from 0 on varied as far as the simulator can."""

    @abstractmethod
    def advance(self, dt: float) -> None:
        """Lets `dt` [s] pass, to the nearest control period; the rest is carried over."""

    @abstractmethod
    def ground_truth(self) -> WorldState:
        """The true state. For evaluation and privileged perception only."""

    @abstractmethod
    def disturb(self, kind: str, object: str = "", target: str = "", position: Position = (0.0, 0.0, 0.0)) -> str:
        """Changes the world as somebody else would, and says what was done: ``move``, ``open`` and ``close`` at least.

        Errors: DisturbanceError naming the valid choices.
        """

    @abstractmethod
    def close(self) -> None:
        """Frees what it holds; twice does no harm."""
