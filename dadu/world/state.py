"""The true state of the simulated world at one moment, mirroring ``dadu_interfaces/msg/GroundTruth``.

Privileged: nothing that perceives, remembers or plans may read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from dadu.core.errors import choices
from dadu.core.geometry import Pose2
from dadu.world.boxes import OrientedBox
from dadu.world.graph import AGENT_SIZE, ROBOT, Entity, Kind, Surface, UnknownEntity, WorldGraph


@dataclass(frozen=True)
class ObjectState:
    """One free object."""

    name: str
    category: str
    box: OrientedBox
    held: bool = False
    states: Mapping[str, bool] = field(default_factory=dict)
    """is_clean, is_filled..."""
    holder: str = ""
    """who holds it, where that is not the robot"""


@dataclass(frozen=True)
class WorldState:
    """Everything that moves."""

    stamp: float
    """[s]"""
    robot: Pose2
    bodies: Mapping[str, ObjectState]
    parts: Mapping[str, float]
    """value by ``FURNITURE/PART`` [rad or m]"""
    furniture: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    """states of furniture that has any: is_powered_on, is_filled..."""
    others: Mapping[str, Pose2] = field(default_factory=dict)
    """where other agents are, by name, as far as that is known"""


@dataclass(frozen=True)
class TrueWorld:
    """A state within its layout: rooms and furniture, as `dadu.house.layout.build_graph` makes them from the house."""

    layout: WorldGraph
    state: WorldState

    def body(self, id: str) -> ObjectState | None:
        return self.state.bodies.get(id)

    def states(self, id: str) -> Mapping[str, bool]:
        """What is known of an object's or a piece of furniture's states; empty where there are none."""
        body = self.state.bodies.get(id)
        return body.states if body is not None else self.state.furniture.get(id, {})

    def entity(self, id: str) -> Entity | None:
        """A room or a piece of furniture."""
        return self.layout.entities.get(id)

    def box(self, id: str) -> OrientedBox:
        """Of an object, a piece of furniture or the robot. Errors: UnknownEntity."""
        if id in self.state.bodies:
            return self.state.bodies[id].box
        agent = self.state.robot if id == ROBOT else self.state.others.get(id)
        if agent is not None:
            return OrientedBox.upright(agent.x, agent.y, 0.0, agent.yaw, AGENT_SIZE)
        entity = self.entity(id)
        if entity is None or entity.kind is not Kind.FURNITURE:
            raise UnknownEntity(f"no object or furniture called {id!r}; there are: {choices(self.names, 40)}")
        return entity.box

    @property
    def names(self) -> set[str]:
        """Everything that a goal may speak of."""
        return {ROBOT, *self.state.others, *self.state.bodies, *self.layout.entities, *self.state.parts}

    def inner_boxes(self, furniture: Entity) -> list[OrientedBox]:
        """The spaces in a piece of furniture; those in drawers move along."""
        return [self._space(furniture, s) for s in furniture.surfaces if s.inside]

    def carrying_boxes(self, furniture: Entity) -> list[OrientedBox]:
        """The space over each surface that carries what is *on* a piece of furniture."""
        return [self._space(furniture, s) for s in furniture.surfaces if s.carries]

    def _space(self, furniture: Entity, surface: Surface) -> OrientedBox:
        part = furniture.part_of(surface)
        shift = np.zeros(3)
        if part is not None and part.kind == "slide":
            shift = np.asarray(part.axis) * self.state.parts.get(f"{furniture.id}/{part.name}", 0.0)
        size = (*surface.size, surface.clearance)
        return OrientedBox.upright(surface.pose.x + shift[0], surface.pose.y + shift[1], surface.height,
                                   surface.pose.yaw, size)
