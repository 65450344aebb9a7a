"""A scene as the Embodied Agent Interface describes VirtualHome to a planner: things, what is said of them, the goal;
and the same as a world graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from dadu.core.geometry import Pose2
from dadu.world.graph import ROBOT, Articulation, Edge, Entity, Kind, Relation, Surface, WorldGraph

Fact: TypeAlias = tuple[str, ...]
"""A predicate and ids: ``("ON", lamp)``, ``("INSIDE", plate, dishwasher)``."""
CHARACTER = "character"
"""name of the agent in their prompts"""
HANDS = ("HOLDS_RH", "HOLDS_LH")
"""filled in this order"""
_NO_FURNITURE = frozenset(("GRABBABLE", "CLOTHES"))


@dataclass(frozen=True)
class Thing:
    """One object of a prompt."""

    name: str
    number: str
    properties: frozenset[str] = frozenset()

    @property
    def id(self) -> str:
        return ROBOT if self.name == CHARACTER else f"{self.name}_{self.number}"


@dataclass(frozen=True)
class ActionGoal:
    """Actions of which one must be among the plan's."""

    names: tuple[str, ...]


@dataclass
class PromptScene:
    """Things by id, and the facts that hold; an action changes `facts`."""

    things: dict[str, Thing]
    facts: set[Fact] = field(default_factory=set)
    goals: tuple[tuple[Fact, ...], ...] = ()
    """each: facts of which one must hold at the end; several where a name stands for several things, of which so many
    are meant as the same goal is there"""
    actions: tuple[ActionGoal, ...] = ()
    """in the order in which they must come"""

    def can(self, id: str, *properties: str) -> bool:
        """True if a thing has one of these properties, or if none is asked for."""
        return not properties or bool(self.things[id].properties.intersection(properties))

    def related(self, predicate: str, subject: str) -> list[str]:
        """What `subject` stands to as `predicate` says, sorted."""
        return sorted(fact[2] for fact in self.facts if len(fact) == 3 and fact[:2] == (predicate, subject))

    def rooms(self) -> set[str]:
        """Ids of what must be a room: nothing can be done with it, and something is, or is to be, inside of it."""
        said = (*self.facts, *(fact for facts in self.goals for fact in facts))
        return {fact[2] for fact in said if fact[0] == "INSIDE" and not self.things[fact[2]].properties}

    def held(self) -> list[str]:
        """What is in the robot's hands, the right one first."""
        return [id for hand in HANDS for id in self.related(hand, ROBOT)]

    def of(self, name: str) -> Iterator[str]:
        """Ids of the things called `name`."""
        return (thing.id for thing in self.things.values() if thing.name == name)


def world_graph(scene: PromptScene, in_hand: str = "") -> WorldGraph:
    """What can be taken is an object, a room a room, all else furniture; what has a place in or on something stands so,
    and what opens has a door. There is no geometry: everything is at the origin. `in_hand`: what of the things in the
    robot's two hands is there to be put somewhere; what it only keeps is out of sight."""
    rooms = scene.rooms()
    graph = WorldGraph([Entity(ROBOT, Kind.AGENT, ROBOT)])
    for thing in scene.things.values():
        if thing.id != ROBOT:
            graph.put(_entity(scene, thing, rooms))
    for object in graph.of(Kind.OBJECT):
        if object.id == in_hand:
            graph.set_support(object.id, Edge(object.id, Relation.HELD_BY, ROBOT))
        elif object.id not in scene.held():
            _support(scene, graph, object.id, rooms)
    return graph


def _entity(scene: PromptScene, thing: Thing, rooms: set[str]) -> Entity:
    states = {"is_powered_on": ("ON", thing.id) in scene.facts, "is_clean": ("CLEAN", thing.id) in scene.facts}
    if thing.id in rooms:
        return Entity(thing.id, Kind.ROOM, thing.name)
    if thing.properties & _NO_FURNITURE:
        return Entity(thing.id, Kind.OBJECT, thing.name, provenance="detection", states=states)
    opens = "CAN_OPEN" in thing.properties
    inside = (Surface("inside", Pose2(0, 0, 0), 0.0, (1.0, 1.0), 1.0, inside=True, part="door"),) if opens else ()
    return Entity(thing.id, Kind.FURNITURE, thing.name, states=states, parts=(_door(scene, thing.id),) if opens else (),
                  surfaces=(Surface("top", Pose2(0, 0, 0), 1.0, (1.0, 1.0), 2.0), *inside))


def _door(scene: PromptScene, id: str) -> Articulation:
    """Open where that is said: what is not said of it may be shut."""
    up, out = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    return Articulation("door", "hinge", (0.0, 0.0, 0.0), up, (0.0, 0.0, 0.0), up, out, 1.0,
                        float(("OPEN", id) in scene.facts))


def _support(scene: PromptScene, graph: WorldGraph, id: str, rooms: set[str]) -> None:
    """Where something has to be opened to reach it, it is in there, whatever else is said."""
    for predicate, relation in (("INSIDE", Relation.IN), ("ON", Relation.ON)):
        for other in scene.related(predicate, id):
            if other not in rooms and other != ROBOT and graph.support(id) is None:
                graph.set_support(id, Edge(id, relation, other, "inside" if relation is Relation.IN else ""))
