"""The oracle's world as it truly is: rooms, furniture, things, agents. Changing it is the business of skills."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dadu.core.geometry import Pose2, vector3
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.house.layout import build_graph
from dadu.house.placement import place_objects
from dadu.house.states import affordances_of, start_states
from dadu.sim.oracle.state import Agent, OracleObject, Support, person_agent, robot_agent
from dadu.sim.oracle.travel import APART, Ways, ways
from dadu.world.graph import ROBOT, Entity, Kind, Relation, Surface
from dadu.world.state import ObjectState, WorldState


class OracleWorld:
    """Everything that is. Positions in map [m]."""

    def __init__(self, house: House, robot: RobotDescription, person: bool = False) -> None:
        """`person`: a second agent, see `join`. Errors: ConfigError where objects find no place."""
        self.house = house
        self._ways: dict[str, Ways] = {}
        self._room_at: dict[tuple[float, float], str] = {}
        self.layout = build_graph(house, "layout")
        self.rooms: dict[str, Entity] = {room.id: room for room in self.layout.of(Kind.ROOM)}
        self.pieces: dict[str, Entity] = {}
        for entity in self.layout.of(Kind.FURNITURE):
            opened = {"is_open": any(part.open for part in entity.parts)} if entity.parts else {}
            self.pieces[entity.id] = replace(entity, states=entity.states | opened)
        self.room_of_piece = {piece.name: piece.room for piece in house.furniture}
        self.things = dict(self._things())
        self.crowded = False
        """agents keep clear of one another: they act by their clocks, the one that is behind first"""
        start = Pose2(*house.robot.pose)
        self.agents = {ROBOT: robot_agent(robot, start, self.room_at(start[:2]))}
        if person:
            self.join(person_agent(start, self.room_at(start[:2])))

    def join(self, agent: Agent) -> None:
        """One more agent, who starts in the middle of the last room, or as near to it as others leave room. Errors:
        ValueError where there is one of that name already."""
        if agent.name in self.agents:
            raise ValueError(f"there is an agent called {agent.name!r} already")
        room = self.house.rooms[-1].name
        middle = self.rooms[room].position[:2]
        taken = {(other.pose[:2], other.pose[:2]): APART for other in self.agents.values()}
        x, y = self.ways(agent).stop(middle, room, taken=taken) or middle
        agent.pose, agent.room = Pose2(x, y, 0.0), room
        self.agents[agent.name] = agent

    def advance(self, agent: Agent, pose: Pose2, driven: float) -> None:
        """The agent is at `pose` now, `driven` [m] farther on its way; what it holds comes along."""
        start, began = agent.pose, agent.clock
        agent.clock += driven / agent.speed
        agent.travelled += driven
        agent.pose, agent.room = pose, self.room_at(pose[:2])
        if self.crowded:
            agent.track.append((began, agent.clock, start[:2], pose[:2]))
        self.follow(agent)

    @property
    def time(self) -> float:
        """Of the agent that is farthest on [s]."""
        return max(agent.clock for agent in self.agents.values())

    def ways(self, agent: Agent) -> Ways:
        """Where an agent can go."""
        if agent.name not in self._ways:
            self._ways[agent.name] = ways(self.house, agent.radius)
        return self._ways[agent.name]

    def room_at(self, xy: tuple[float, float]) -> str:
        """Name of the room at a point; of the nearest one where the point lies in none."""
        point = (xy[0], xy[1])
        if point not in self._room_at:  # ways lead over the same points again and again
            room = self.layout.room_at(point)
            if room is None:
                room = min(self.rooms.values(), key=lambda r: math.dist(r.position[:2], point))
            self._room_at[point] = room.id
        return self._room_at[point]

    def surface(self, support: Support) -> Surface | None:
        """The furniture's surface that carries something."""
        piece = self.pieces.get(support.holder)
        return next((s for s in piece.surfaces if s.name == support.surface), None) if piece is not None else None

    def hidden_in(self, thing: OracleObject) -> str:
        """Name of the closed furniture that a thing, or what carries it, is in; empty where it lies open."""
        while thing.support.holder in self.things:
            thing = self.things[thing.support.holder]
        surface = self.surface(thing.support)
        part = self.pieces[thing.support.holder].part_of(surface) if surface is not None else None
        return thing.support.holder if part is not None and not part.open else ""

    def on(self, holder: str, surface: str | None = None) -> Iterator[OracleObject]:
        """What rests on, in or is held by something, directly."""
        return (t for t in self.things.values() if t.support.holder == holder
                and surface in (None, t.support.surface))

    def settle(self, thing: OracleObject, position: tuple[float, float, float], support: Support,
               yaw: float = 0.0) -> None:
        """Puts a thing somewhere; what rests on or in it comes along."""
        shift = tuple(b - a for a, b in zip(thing.position, position, strict=True))
        if support.holder in self.agents:
            room = self.agents[support.holder].room
        elif support.holder in self.pieces:
            room = self.room_of_piece[support.holder]
        elif support.holder in self.things:
            room = self.things[support.holder].room
        else:
            room = support.holder
        thing.position, thing.support, thing.yaw, thing.room = position, support, yaw, room
        self._drag(thing, shift)

    def move_part(self, piece: str, part: str, value: float) -> None:
        """Sets a door or drawer [rad or m]; a drawer takes its content along."""
        entity = self.pieces[piece]
        old = next(p for p in entity.parts if p.name == part)
        parts = tuple(replace(p, value=value) if p.name == part else p for p in entity.parts)
        states = entity.states | {"is_open": any(p.open for p in parts)}
        self.pieces[piece] = replace(entity, parts=parts, states=states)
        if old.kind == "slide":
            shift = tuple((value - old.value) * a for a in old.axis)
            for surface in (s for s in entity.surfaces if s.part == part):
                for thing in list(self.on(piece, surface.name)):
                    thing.position = _plus(thing.position, shift)
                    self._drag(thing, shift)

    def follow(self, agent: Agent) -> None:
        """Takes what an agent holds to where the agent is."""
        if agent.held:
            held = self.things[agent.held]
            self.settle(held, (agent.pose.x, agent.pose.y, 0.9), held.support, held.yaw)

    def state(self, stamp: float) -> WorldState:
        """The true state, as evaluation reads it."""
        bodies = {t.name: ObjectState(t.name, t.category, t.box, t.support.relation is Relation.HELD_BY, dict(t.states),
                                      t.support.holder if t.support.holder in self.agents else "")
                  for t in self.things.values()}
        parts = {f"{e.id}/{p.name}": p.value for e in self.pieces.values() for p in e.parts}
        furniture = {e.id: dict(e.states) for e in self.pieces.values() if e.states}
        first, *others = self.agents.values()
        return WorldState(stamp, first.pose, bodies, parts, furniture, {a.name: a.pose for a in others})

    def _drag(self, thing: OracleObject, shift: tuple[float, ...]) -> None:
        for other in list(self.on(thing.name)):
            other.position, other.room = _plus(other.position, shift), thing.room
            self._drag(other, shift)

    def _things(self) -> Iterable[tuple[str, OracleObject]]:
        for placement in place_objects(self.house).values():
            thing, model = placement.thing, placement.model
            support = Support(Relation(thing.relation), thing.holder, placement.deck)
            yield thing.name, OracleObject(
                thing.name, thing.category, vector3(model.size), placement.position, placement.yaw, support,
                thing.room or self.room_of_piece[thing.receptacle], affordances_of(thing.category), model.aliases,
                dict(model.attributes), start_states(thing.category, thing.states))


def entity_of(thing: OracleObject, stamp: float) -> Entity:
    """A thing as memory keeps it after it was seen at `stamp` [s]."""
    return Entity(thing.name, Kind.OBJECT, thing.category, thing.position, thing.yaw, thing.size, thing.aliases,
                  thing.attributes, dict(thing.states), provenance="detection", stamp=stamp)


def _plus(a: tuple[float, float, float], b: tuple[float, ...]) -> tuple[float, float, float]:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]
