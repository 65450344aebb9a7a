"""Which true thing a robot's memory means by one of its ids: what the fingers held; else what looks so, there.

For who judges and reports. Memory's map and the true one are two frames: a place of the one is laid over the other by
where the robot was at that moment, and where it took itself to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.format import House
from dadu.house.placement import place_objects
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.state import ObjectState, WorldState

_OTHER_COLOUR = 0.3
"""a thing of another colour has to be so much nearer to be the one that was meant [m]"""
_THERE = 0.15
"""of whatever category, it is what stood there [m]"""
_SAME_PIECE = 1.0
"""how far memory may be off for a piece of furniture to be the same [m]"""


@dataclass(frozen=True)
class Believed:
    """What memory knows of a thing or a piece of furniture."""

    category: str
    position: tuple[float, float, float]
    """in the robot's map [m]"""
    kind: Kind = Kind.OBJECT
    color: str = ""

    @classmethod
    def from_entity(cls, entity: Entity) -> Believed:
        return cls(entity.category, entity.position, entity.kind, entity.attributes.get("color", ""))


@dataclass
class Identities:
    """Of one episode."""

    layout: WorldGraph
    """the true rooms and furniture"""
    colors: Mapping[str, str] = field(default_factory=dict)
    """of things, by their true names"""
    _held: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_house(cls, house: House, layout: WorldGraph) -> Identities:
        colors = {name: placement.model.attributes.get("color", "") for name, placement in place_objects(house).items()}
        return cls(layout, colors)

    def took(self, id: str, state: WorldState) -> None:
        """The robot has picked what it calls `id`; `state`: the true one then."""
        held = [body.name for body in state.bodies.values() if body.held]
        if len(held) == 1:
            self._held[id] = held[0]

    def name(self, id: str, believed: Believed, frame: Pose2, state: WorldState) -> str:
        """The true name; `id` itself where there is nothing like it. `frame`: the robot's map in the true one, `state`
        the true one, both at the moment of which `believed` is."""
        if id in self._held:
            return self._held[id]
        x, y = frame.apply(believed.position[:2])
        place = np.array([x, y, believed.position[2]])
        found = (self._piece(believed, place) if believed.kind is Kind.FURNITURE
                 else self._thing(believed, place, state.bodies.values()))
        return found or id

    def _piece(self, believed: Believed, place: np.ndarray) -> str:
        away = {e.id: float(np.hypot(*(place[:2] - e.position[:2]))) for e in self.layout.of(Kind.FURNITURE)
                if e.category == believed.category}
        nearest = min(away, key=away.__getitem__, default="")
        return nearest if nearest and away[nearest] <= _SAME_PIECE else ""

    def _thing(self, believed: Believed, place: np.ndarray, bodies: Iterable[ObjectState]) -> str:
        """The nearest of its category and colour; where there is none of that category, what stands there."""
        away = {body.name: float(np.linalg.norm(body.box.centre - place)) for body in bodies}
        alike = [body.name for body in bodies if body.category == believed.category]
        if not alike:
            return min((name for name in away if away[name] <= _THERE), key=away.__getitem__, default="")
        return min(alike, key=lambda name: away[name] + _OTHER_COLOUR * self._of_other_colour(name, believed.color))

    def _of_other_colour(self, name: str, color: str) -> bool:
        known = self.colors.get(name, "")
        return bool(known and color and known != color)


def frame_of(true: Pose2, believed: Pose2 | None) -> Pose2:
    """The robot's map in the true one, by the two poses of base_link at one moment; the same where none is believed."""
    return Pose2(0.0, 0.0, 0.0) if believed is None else true * believed.inverse()
