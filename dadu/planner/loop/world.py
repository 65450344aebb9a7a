"""What the loop asks of its surroundings, simulated or real."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from dadu.world.graph import WorldGraph


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
class Searching(Protocol):
    """A world whose detector takes text."""

    def look_for(self, id: str, description: str) -> None:
        """Has the detector look for what `description` says, which is `id`."""
        ...

    def forget_looks(self) -> None:
        """The task that this was said for is over."""
        ...
