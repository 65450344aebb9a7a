"""What an agent sees from where it stands, and what its memory makes of that: the graph it plans by."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from dadu.core.geometry import Pose2, wrap
from dadu.house.layout import build_graph
from dadu.house.states import affordances_of
from dadu.sim.oracle.state import Agent, OracleObject
from dadu.sim.oracle.truth import OracleWorld, entity_of
from dadu.skills.outcome import SkillResult
from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation, WorldGraph
from dadu.world.names import called

RANGE = 4.0
"""how far things are recognised [m]"""


class Glance(NamedTuple):
    """What a look takes in."""

    field: float
    """its width, straight ahead [rad]"""
    at_hand: float
    """within this distance nothing is outside it: the head turns there [m]"""


ARRIVED = Glance(math.radians(100), 1.5)
ALL_ROUND = Glance(2 * math.pi, 0.0)
DRIVING = Glance(0.73, 0.0)
"""one picture, the head ahead"""

class AgentView:
    """One agent's memory. Things keep the names that the house file gives them."""

    def __init__(self, world: OracleWorld, agent: Agent, known: str, keeps: bool = True,
                 remembered: WorldGraph | None = None) -> None:
        """`known` as in `dadu.house.layout.build_graph`; without `keeps` only what is in view is known, beside rooms
        and furniture. `remembered`: what was known at the end of an earlier task."""
        self.world, self.agent, self._keeps = world, agent, keeps
        self.found: Callable[[], SkillResult | None] = lambda: None
        """how a look round ends that need not go on, since what it is for has been seen; asked after every look"""
        self.patience: float = 0.0
        """how long a wait lasts at most [s]; 0: a moment"""
        self.news: Callable[[], bool] = lambda: False
        """true once a wait need not go on"""
        self.graph = build_graph(world.house, "layout" if known == "all" else known)
        if known == "all":
            for thing in world.things.values():
                self._confirm(thing)
                self.graph.change(thing.name, provenance="prior")
        if remembered is not None and keeps:
            self._remember(remembered)
        self.look()

    def _remember(self, past: WorldGraph) -> None:
        """As a memory does that is opened again: what was known is as of now, and parts are where they are."""
        for entity in past:
            if entity.kind is not Kind.AGENT:
                parts = self.graph[entity.id].parts if entity.id in self.graph else entity.parts
                self.graph.put(replace(entity, stamp=self.agent.clock, parts=parts))
        self.graph.edges |= {e for e in past.edges if {e.subject, e.object} <= self.graph.entities.keys()}
        for thing in self.graph.of(Kind.OBJECT):
            edge = self.graph.support(thing.id)
            if (edge is not None and edge.relation is Relation.HELD_BY) or self.graph.room_of(thing.id) is None:
                self.graph.remove(thing.id)

    def look(self, glance: Glance = ARRIVED) -> None:
        """Takes in what is in view from here."""
        agent, stamp = self.agent, self.agent.clock
        self._place_agents()
        for id, piece in self.world.pieces.items():
            if self._in_view(self.world.room_of_piece[id], piece.position, glance):
                known = self.graph.entities.get(piece.id)
                if known is None:
                    self.graph.edges.add(Edge(piece.id, Relation.IN_ROOM, self.world.room_of_piece[piece.id]))
                self.graph.put(replace(piece, stamp=stamp, provenance=known.provenance if known else "detection",
                                       seen_here=known.seen_here if known else {}))
        seen = set()
        for thing in self.world.things.values():
            mine = thing.name == agent.held
            if mine or (self._in_view(thing.room, thing.position, glance) and not self.world.hidden_in(thing)):
                seen.add(thing.name)
                self._confirm(thing)
        for entity in self.graph.of(Kind.OBJECT):
            if entity.id not in seen and (not self._keeps or self._missing(entity, glance)):
                self.graph.remove(entity.id)

    def know_all(self) -> None:
        """Brings the memory up to the true state: for scripted experts, and for who knows the place by heart."""
        for piece in self.world.pieces.values():
            self.graph.put(replace(piece, stamp=self.agent.clock, provenance="prior"))
        for thing in self.world.things.values():
            self._confirm(thing)

    def affordances(self, id: str) -> frozenset[str]:
        """What something known can be used for, by its category."""
        return affordances_of(self.graph[id].category)

    def _in_view(self, room: str, position: tuple[float, float, float], glance: Glance) -> bool:
        """True if a place in `room` is in the picture: near, not behind a wall, not behind the camera."""
        pose = self.agent.pose
        if room != self.agent.room:
            return False
        dx, dy = position[0] - pose.x, position[1] - pose.y
        away = math.hypot(dx, dy)
        if away > RANGE:
            return False
        return away < glance.at_hand or abs(wrap(math.atan2(dy, dx) - pose.yaw)) <= glance.field / 2

    def _missing(self, entity: Entity, glance: Glance) -> bool:
        """True if its remembered place is in view, while the thing is not there."""
        graph, world = self.graph, self.world
        support = graph.support(entity.id)
        while support is not None and support.object in world.things:  # in the bowl, and that in the fridge
            support = graph.support(support.object)
        if support is not None and support.relation is Relation.HELD_BY:
            hand = graph[support.object].position
            return support.object == ROBOT or self._in_view(world.room_at(hand[:2]), hand, glance)
        if support is not None and support.object in world.pieces:
            piece, room = world.pieces[support.object], world.room_of_piece[support.object]
            surface = next((s for s in piece.surfaces if s.name == support.part), None)
            part = piece.part_of(surface) if surface is not None else None
            if part is not None and not part.open:
                return False
        else:
            room = world.room_at(entity.position[:2])
        return self._in_view(room, entity.position, glance)

    def _confirm(self, thing: OracleObject) -> None:
        """The thing is seen where it is."""
        self.graph.put(entity_of(thing, self.agent.clock))
        support = thing.support
        relation, holder = support.relation, self._called(support.holder)
        if relation in (Relation.ON, Relation.IN) and holder not in self.graph:
            relation, holder = Relation.IN_ROOM, thing.room
        edge = Edge(thing.name, relation, holder, support.surface if relation is support.relation else "")
        if holder in self.graph and edge not in self.graph.edges:
            self.graph.edges -= {e for e in self.graph.edges if e.subject == thing.name}
            self.graph.edges.add(edge)

    def _place_agents(self) -> None:
        """Agents know of each other where they are."""
        graph = self.graph
        if self.agent.room not in graph:
            graph.put(self.world.rooms[self.agent.room])
        for agent in self.world.agents.values():
            id, pose = self._called(agent.name), agent.pose
            entity = graph.entities.get(id) or Entity(id, Kind.AGENT, agent.name)
            graph.put(replace(entity, position=(pose.x, pose.y, 0.0), yaw=pose.yaw, stamp=agent.clock))

    def _called(self, name: str) -> str:
        """What this agent calls something."""
        return called(name, self.agent.name)


def facing(here: tuple[float, float], there: tuple[float, float]) -> Pose2:
    """Standing at one point, looking at another."""
    return Pose2(here[0], here[1], math.atan2(there[1] - here[1], there[0] - here[0]))
