"""Ways to move a part, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from dadu.core.robot import Observation
from dadu.manipulation.articulation.following import Moving
from dadu.manipulation.articulation.pulling import pull, push
from dadu.manipulation.articulation.widening import draw_shut, widen
from dadu.robots.body import Manipulator
from dadu.world.graph import Articulation

Way: TypeAlias = Callable[[Manipulator, Observation, Articulation, float], Moving]
"""Moves a part that stands at a value [rad or m]"""


def ways_to_open(part: Articulation) -> Sequence[Way]:
    """A second pull starts from where the first one left the part."""
    return (pull, widen, pull) if part.kind == "hinge" else (pull, pull)


def ways_to_close(part: Articulation) -> Sequence[Way]:
    """A second push starts from where the first one left the part."""
    return (push, draw_shut, push) if part.kind == "hinge" else (push, push)
